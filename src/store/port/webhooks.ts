import type { StorePart } from './part.ts';

/** Up to where the receiver of a webhook has the events of a kind. */
export interface WebhookPlace {
  readonly name: string;
  readonly kind: string;
  readonly seq: number;
}

export interface WebhookWrites {
  putWebhookPlace(input: WebhookPlace): void;
}

export interface WebhookReads {
  /** By name and kind. */
  webhookPlaces(): Promise<WebhookPlace[]>;
}

/** How far the webhooks of the config have come. */
export type WebhookStore = StorePart<WebhookReads, WebhookWrites>;
