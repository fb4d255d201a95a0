import type { Clock } from '../../platform/clock.ts';
import type { PushTarget } from '../../store/index.ts';
import { ServiceRefused } from '../refusal.ts';

export interface PushedMessage {
  readonly msg_id: string;
  readonly title: string;
  readonly body: string;
  readonly payload: object;
}

interface Held {
  readonly target: PushTarget;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
}

const streamsMax = 2000;
const beatMs = 25_000;
const text = new TextEncoder();

/** Apps that hold an event stream at the box (server-sent events): what is pushed to them arrives at once. */
export class PushStreams {
  readonly #clock: Clock;
  readonly #held = new Set<Held>();
  readonly #closing = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
    void this.#beat();
  }

  open(target: PushTarget): ReadableStream<Uint8Array> {
    if (this.#held.size >= streamsMax)
      throw new ServiceRefused(503, 'too many apps hold an event stream', { status: 503, retryAfterSeconds: 30 });
    let mine: Held;
    return new ReadableStream<Uint8Array>(
      {
        start: controller => {
          mine = { target, controller };
          this.#held.add(mine);
          controller.enqueue(text.encode(': here\n\n'));
        },
        cancel: () => void this.#held.delete(mine),
      },
      { highWaterMark: 64 },
    );
  }

  /** Answers how many streams of each platform it went to: one an app on a device. */
  send(
    message: PushedMessage,
    {
      appId,
      platforms,
      identities,
      tags,
    }: { appId: string; platforms: readonly string[]; identities: readonly string[]; tags: readonly string[] },
  ): { android: number; ios: number } {
    const sent = { android: 0, ios: 0 };
    const bytes = text.encode(`id: ${message.msg_id}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`);
    for (const held of this.#held) {
      const { target } = held;
      if (target.appId !== appId || !platforms.includes(target.platform)) continue;
      if (!identities.includes(target.identity) && !target.tags.some(tag => tags.includes(tag))) continue;
      if (this.#push(held, bytes)) sent[target.platform]++;
    }
    return sent;
  }

  close(): void {
    this.#closing.abort();
    for (const { controller } of this.#held) controller.close();
    this.#held.clear();
  }

  /** Whoever does not read loses the stream, and comes again. */
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
