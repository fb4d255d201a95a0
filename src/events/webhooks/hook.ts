import type { EventKind } from '../../platform/event-topics.ts';
import { waitOrWake } from '../../runtime/wait-or-wake.ts';
import type { LevelStore, WebhookStore } from '../../store/index.ts';
import type { Follower } from '../feed.ts';
import { type EventStore, readEvents } from '../record-events.ts';
import { type Called, type CallOptions, callWebhook, retryMsMax } from './call.ts';
import type { WebhookSettings } from './list.ts';
import { eventsMax, messageOf, type WebhookMessage } from './message.ts';

export interface WebhookOptions extends CallOptions {
  readonly store: EventStore & LevelStore & WebhookStore & { readonly epoch: string };
}

const lookEveryMs = 60_000;
const firstRetryMs = 5000;

/**
 * One webhook: sends what comes after its place in the store, and moves the place when the receiver
 * has answered 2xx. So nothing is lost when the box, the line or the receiver is away; what was
 * taken just before the box was killed comes twice, with the same `seq`. A change of the settings
 * counts from the next attempt on: the one under way ends as it began, so nothing is sent twice.
 */
export class Webhook implements Follower, AsyncDisposable {
  readonly #options: WebhookOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #settings: WebhookSettings;
  /** Of each of its kinds, the last event that its receiver has. */
  #places: ReadonlyMap<EventKind, number>;
  #wake = Promise.withResolvers<void>();
  #hurry = Promise.withResolvers<void>();
  /** The receiver wants no more. */
  #hasEnded = false;

  constructor(settings: WebhookSettings, places: ReadonlyMap<EventKind, number>, options: WebhookOptions) {
    this.#settings = settings;
    this.#options = options;
    this.#places = places;
    this.#running = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.hear();
    await this.#running;
  }

  get settings(): WebhookSettings {
    return this.#settings;
  }

  /** None while it is paused: the tables then rest. */
  get kinds(): ReadonlySet<EventKind> {
    return new Set(this.#settings.paused ? [] : this.#settings.kinds);
  }

  /** There is something new; what, it reads for itself. */
  hear(): void {
    this.#wake.resolve();
  }

  /** Start of the feed, which was not told of earlier events. */
  begun(): void {
    this.hear();
  }

  /** `places`: of all its kinds; those that it had stay as far as it has come. */
  change(settings: WebhookSettings, places: ReadonlyMap<EventKind, number>): void {
    const had = this.#places;
    this.#settings = settings;
    this.#places = new Map(settings.kinds.map(kind => [kind, had.get(kind) ?? places.get(kind)!]));
    this.tryNow();
  }

  /** Tries at once what waits for its next attempt, or what its receiver wanted no more of. */
  tryNow(): void {
    this.#hasEnded = false;
    this.#hurry.resolve();
    this.hear();
  }

  #sends(kind: EventKind): boolean {
    return !this.#closing.signal.aborted && !this.#hasEnded && !this.#settings.paused && this.#places.has(kind);
  }

  /** Of a kind that went and came back meanwhile, the place is another one. */
  #wants({ kind, after }: WebhookMessage): boolean {
    return this.#sends(kind) && this.#places.get(kind) === after;
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers();
      let isMore = false;
      for (const kind of this.#settings.kinds) {
        const message = this.#sends(kind) ? await this.#next(kind).catch(() => null) : null;
        if (!message || !this.#wants(message)) continue;
        await this.#deliver(message);
        isMore = true;
      }
      if (!isMore) await waitOrWake(clock, lookEveryMs, this.#wake.promise, signal);
    }
  }

  #next(kind: EventKind): Promise<WebhookMessage | null> {
    return readMessage(this.#options, { kind, after: this.#places.get(kind)! }, this.#closing.signal);
  }

  /** Until it is taken, or not wanted any more. */
  async #deliver(message: WebhookMessage): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#closing;
    for (let tries = 0; this.#wants(message); tries++) {
      this.#hurry = Promise.withResolvers();
      const settings = this.#settings;
      const called = await callWebhook(settings, message, this.#options, signal);
      if (signal.aborted) return;
      const waitMs = Math.max(called.waitMs, Math.min(retryMsMax, firstRetryMs * 2 ** tries));
      await this.#note(message, called, called.state === 'failed' ? clock.now() + waitMs : null);
      if (called.state === 'taken') return;
      // A receiver that was replaced meanwhile speaks for itself alone.
      if (called.state === 'ended' && settings === this.#settings) this.#hasEnded = true;
      if (!this.#hasEnded) await waitOrWake(clock, waitMs, this.#hurry.promise, signal);
    }
  }

  /** Of a disk that takes nothing: the place is stored with the next message. */
  async #note(message: WebhookMessage, called: Called, nextAt: number | null): Promise<void> {
    const { store, clock } = this.#options;
    const { name } = this.#settings;
    const isTaken = called.state === 'taken' && this.#places.get(message.kind) === message.after;
    if (isTaken) this.#places = new Map(this.#places).set(message.kind, message.through);
    await Promise.allSettled([
      isTaken && store.write.putWebhookPlace({ name, kind: message.kind, seq: message.through }),
      store.write.noteWebhookDelivery(deliveryOf(name, message, called, { at: clock.now(), nextAt })),
    ]);
  }
}

/** Row that is stored of an attempt. */
export const deliveryOf = (
  name: string,
  { id, kind, after, through, count }: WebhookMessage,
  { state, status, tookMs, why, code, params }: Called,
  times: { readonly at: number; readonly nextAt: number | null },
) => ({
  ...{ name, id, kind, afterSeq: after, throughSeq: through, events: count },
  ...{ state, status, tookMs, why, code, params },
  ...times,
});

/**
 * The events after a place as one message; null: there are none. `through`: the last that counts.
 */
export async function readMessage(
  { store, clock }: Pick<WebhookOptions, 'store' | 'clock'>,
  { kind, after, through = Number.MAX_SAFE_INTEGER }: { kind: EventKind; after: number; through?: number },
  signal: AbortSignal,
): Promise<WebhookMessage | null> {
  await store.level();
  const events = await readEvents(store, { kind, after, limit: eventsMax, signal });
  const wanted = events.filter(({ seq }) => seq <= through);
  return wanted.length === 0 ? null : messageOf(store.epoch, after, wanted, clock.now());
}
