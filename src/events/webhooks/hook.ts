import type { EventKind } from '../../platform/event-topics.ts';
import type { Clock, UnixMs } from '../../runtime/clock.ts';
import { waitOrWake } from '../../runtime/wait-or-wake.ts';
import type { LevelStore, WebhookStore } from '../../store/index.ts';
import type { Follower } from '../feed.ts';
import { type EventStore, readEvents } from '../record-events.ts';
import { Deliveries, type Delivery } from './deliveries.ts';
import { eventsMax, messageOf, type WebhookMessage } from './message.ts';

export interface WebhookSettings {
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  readonly kinds: readonly EventKind[];
}

export interface WebhookOptions {
  readonly store: EventStore & LevelStore & WebhookStore & { readonly epoch: string };
  readonly clock: Clock;
  readonly sign: (secret: string, id: string, seconds: number, body: string) => string;
  readonly post: (
    url: string,
    call: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal },
  ) => Promise<{ readonly status: number; readonly retryAfterSeconds: number | null }>;
}

export interface WebhookReport {
  readonly name: string;
  readonly url: string;
  readonly kinds: readonly EventKind[];
  /** Sentence that tells why nothing more is sent; null while the webhook goes on. */
  readonly ended: string | null;
  readonly deliveries: readonly Delivery[];
}

interface Outcome {
  readonly state: Delivery['state'];
  readonly why: string;
  readonly waitMs: number;
}

const lookEveryMs = 60_000;
const firstRetryMs = 5000;
const retryMsMax = 3600_000;

/**
 * One webhook: sends what comes after its place in the store, and moves the place when the receiver
 * has answered 2xx. So nothing is lost when the box, the line or the receiver is away; what was
 * taken just before the box was killed comes twice, with the same `seq`.
 */
export class Webhook implements Follower, AsyncDisposable {
  readonly settings: WebhookSettings;
  readonly kinds: ReadonlySet<EventKind>;
  readonly #options: WebhookOptions;
  readonly #deliveries = new Deliveries();
  readonly #places: Map<EventKind, number>;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #wake = Promise.withResolvers<void>();
  #hurry = Promise.withResolvers<void>();
  #ended: string | null = null;

  /** `places`: of each of its kinds, the last event that its receiver has. */
  constructor(settings: WebhookSettings, places: ReadonlyMap<EventKind, number>, options: WebhookOptions) {
    this.settings = settings;
    this.kinds = new Set(settings.kinds);
    this.#options = options;
    this.#places = new Map(places);
    this.#running = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.hear();
    await this.#running;
  }

  /** There is something new; what, it reads for itself. */
  hear(): void {
    this.#wake.resolve();
  }

  report(): WebhookReport {
    const { name, url, kinds } = this.settings;
    return { name, url, kinds, ended: this.#ended, deliveries: this.#deliveries.list() };
  }

  /** Sends a message once more: at once if it waits for its next try. Null: it is not known. */
  async sendAgain(id: string): Promise<Delivery | null> {
    const known = this.#deliveries.list().find(one => one.id === id);
    if (!known) return null;
    if (known.state === 'failed') this.#hurry.resolve();
    else {
      const message = await this.#read(known.kind, known.after, known.through);
      if (message) this.#note(message, await this.#send(message));
    }
    return this.#deliveries.list().find(one => one.id === id) ?? null;
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers();
      let isMore = false;
      for (const kind of this.kinds) {
        const message = await this.#read(kind, this.#places.get(kind)!).catch(() => null);
        if (!message || this.#ended !== null || signal.aborted) continue;
        await this.#deliver(message);
        isMore = true;
      }
      if (!isMore) await waitOrWake(clock, lookEveryMs, this.#wake.promise, signal);
    }
  }

  async #read(kind: EventKind, after: number, through = Number.MAX_SAFE_INTEGER): Promise<WebhookMessage | null> {
    const { store, clock } = this.#options;
    await store.level();
    const events = await readEvents(store, { kind, after, limit: eventsMax, signal: this.#closing.signal });
    const wanted = events.filter(({ seq }) => seq <= through);
    return wanted.length === 0 ? null : messageOf(store.epoch, after, wanted, clock.now());
  }

  /** Until it is taken, or the receiver wants no more. */
  async #deliver(message: WebhookMessage): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#closing;
    for (let tries = 0; !signal.aborted; tries++) {
      const sent = await this.#send(message);
      if (signal.aborted) return;
      const waitMs = Math.max(sent.waitMs, Math.min(retryMsMax, firstRetryMs * 2 ** tries));
      if (sent.state === 'taken') {
        const { name } = this.settings;
        await this.#options.store.write.putWebhookPlace({ name, kind: message.kind, seq: message.through });
        this.#places.set(message.kind, message.through);
      }
      this.#note(message, sent, sent.state === 'failed' ? clock.now() + waitMs : null);
      if (sent.state === 'ended') this.#ended = sent.why;
      if (sent.state !== 'failed') return;
      this.#hurry = Promise.withResolvers();
      await waitOrWake(clock, waitMs, this.#hurry.promise, signal);
    }
  }

  #note(message: WebhookMessage, { state, why }: Outcome, nextTryAt: UnixMs | null = null): void {
    this.#deliveries.note(message, { at: this.#options.clock.now(), state, why, nextTryAt });
  }

  async #send({ id, body }: WebhookMessage): Promise<Outcome> {
    const { clock, post, sign } = this.#options;
    const { url, secret } = this.settings;
    const seconds = Math.floor(clock.now() / 1000);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': sign(secret, id, seconds, body),
    };
    try {
      const { status, retryAfterSeconds } = await post(url, { headers, body, signal: this.#closing.signal });
      const waitMs = Math.min(retryMsMax, (retryAfterSeconds ?? 0) * 1000);
      if (status >= 200 && status < 300) return { state: 'taken', why: '', waitMs };
      if (status === 410)
        return {
          state: 'ended',
          why: 'the receiver answers 410: it wants no more; restart the box to try again',
          waitMs,
        };
      const more = status >= 300 && status < 400 ? ': redirects are not followed: write where it leads to' : '';
      return { state: 'failed', why: `the receiver answers HTTP ${status}${more}`, waitMs };
    } catch (error) {
      return { state: 'failed', why: error instanceof Error ? error.message : String(error), waitMs: 0 };
    }
  }
}
