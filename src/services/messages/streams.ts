import type { Clock } from '../../runtime/clock.ts';
import { ServiceRefused } from '../refusal.ts';

export interface PushedMessage {
  readonly msg_id: string;
  readonly title: string;
  readonly body: string;
  readonly payload: object;
}

/** The holder of a stream: an app on a person's device. */
export interface PushTarget {
  readonly appId: string;
  readonly identity: string;
  readonly platform: 'android' | 'ios';
  readonly tags: readonly string[];
}

/** To whom a push goes (SPEC 4.7). */
interface PushAudience {
  readonly appId: string;
  readonly platforms: readonly string[];
  readonly identities: readonly string[];
  readonly tags: readonly string[];
}

export const isFor = (target: PushTarget, { appId, platforms, identities, tags }: PushAudience): boolean =>
  target.appId === appId &&
  platforms.includes(target.platform) &&
  (identities.includes(target.identity) || target.tags.some(tag => tags.includes(tag)));

interface Held {
  readonly target: PushTarget;
  /** Ids that it sent when it opened. */
  readonly had: ReadonlySet<string>;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
}

const streamsMax = 2000;
const beatMs = 25_000;
const text = new TextEncoder();

const eventOf = (message: PushedMessage): Uint8Array =>
  text.encode(`id: ${message.msg_id}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`);

/**
 * Apps that hold an event stream at the box (server-sent events): what is pushed to them arrives at
 * once.
 */
export class PushStreams {
  readonly #clock: Clock;
  readonly #held = new Set<Held>();
  readonly #closing = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
    void this.#beat();
  }

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** `missed` comes first: the pushes since the app lost its last stream. */
  open(target: PushTarget, missed: readonly PushedMessage[]): ReadableStream<Uint8Array> {
    if (this.#held.size >= streamsMax)
      throw new ServiceRefused(503, 'too many apps hold an event stream', { status: 503, retryAfterSeconds: 30 });
    let mine: Held;
    return new ReadableStream<Uint8Array>(
      {
        start: controller => {
          mine = { target, controller, had: new Set(missed.map(one => one.msg_id)) };
          this.#held.add(mine);
          controller.enqueue(text.encode(': here\n\n'));
          for (const message of missed) controller.enqueue(eventOf(message));
        },
        cancel: () => void this.#held.delete(mine),
      },
      { highWaterMark: 128 },
    );
  }

  /** Returns how many streams of each platform it went to: one for each app on a device. */
  send(message: PushedMessage, audience: PushAudience): { android: number; ios: number } {
    const sent = { android: 0, ios: 0 };
    const bytes = eventOf(message);
    for (const held of this.#held)
      if (isFor(held.target, audience) && !held.had.has(message.msg_id) && this.#push(held, bytes))
        sent[held.target.platform]++;
    return sent;
  }

  close(): void {
    this.#closing.abort();
    for (const { controller } of this.#held) controller.close();
    this.#held.clear();
  }

  /** A client that does not read is disconnected, and reconnects. */
  #push(held: Held, bytes: Uint8Array): boolean {
    if ((held.controller.desiredSize ?? 0) <= 0) {
      this.#held.delete(held);
      held.controller.close();
      return false;
    }
    held.controller.enqueue(bytes);
    return true;
  }

  /** Proxies and phones drop what is silent. */
  async #beat(): Promise<void> {
    const bytes = text.encode(': beat\n\n');
    while (!this.#closing.signal.aborted) {
      await this.#clock.sleep(beatMs, this.#closing.signal).catch(() => {});
      for (const held of [...this.#held]) this.#push(held, bytes);
    }
  }
}
