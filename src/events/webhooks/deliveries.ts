import type { EventKind } from '../../platform/event-topics.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { WebhookMessage } from './message.ts';

/** Outcome of a message, for people. */
export interface Delivery {
  readonly id: string;
  readonly kind: EventKind;
  readonly after: number;
  readonly through: number;
  readonly count: number;
  readonly at: UnixMs;
  readonly tries: number;
  readonly state: 'taken' | 'failed' | 'ended';
  /** A sentence; empty: it was taken. */
  readonly why: string;
  readonly nextTryAt: UnixMs | null;
}

const keptMax = 50;

/** The last messages of one webhook, newest first. In memory: after a restart it begins again. */
export class Deliveries {
  #all: Delivery[] = [];

  list(): readonly Delivery[] {
    return this.#all;
  }

  note(
    { id, kind, after, through, count }: WebhookMessage,
    outcome: Omit<Delivery, 'id' | 'kind' | 'after' | 'through' | 'count' | 'tries'>,
  ): void {
    const known = this.#all.find(one => one.id === id);
    const delivery = { id, kind, after, through, count, ...outcome, tries: (known?.tries ?? 0) + 1 };
    this.#all = [delivery, ...this.#all.filter(one => one !== known)].slice(0, keptMax);
  }
}
