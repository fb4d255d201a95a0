import type { EventKind } from '../../platform/event-topics.ts';
import type { KeptWebhook, ReadPart, WebhookReads } from '../../store/index.ts';

/** A webhook of the config, which the page cannot change. */
export interface FixedWebhook {
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  readonly kinds: readonly EventKind[];
}

/** A webhook in force. */
export interface WebhookSettings extends KeptWebhook {
  /** Of the config. */
  readonly isFixed: boolean;
}

/**
 * The one list of webhooks: those of the config, then those that were added on the page. A name of
 * the config hides the same name of the page.
 */
export async function webhooksInForce(
  { read }: ReadPart<Pick<WebhookReads, 'webhooks'>>,
  fixed: readonly FixedWebhook[],
): Promise<WebhookSettings[]> {
  const names = new Set(fixed.map(({ name }) => name));
  return [
    ...fixed.map(one => ({ ...one, paused: false, madeAt: 0, isFixed: true })),
    ...(await read.webhooks()).filter(({ name }) => !names.has(name)).map(one => ({ ...one, isFixed: false })),
  ];
}
