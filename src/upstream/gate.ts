import type { Clock } from '../platform/clock.ts';

const connectsPerSecond = 50;

/**
 * Who may try to connect. While the whole line is down one session probes and the others follow when it has got through, a few at a time: a
 * hall of terminals does not knock at a dead door, nor break it down when it opens.
 */
export class Gate {
  readonly #clock: Clock;
  #prober: object | null = null;
  #waiting: (() => void)[] = [];
  #nextAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get closed(): boolean {
    return this.#prober !== null;
  }

  /** Resolves when `session` may try. */
  async turn(session: object, signal: AbortSignal): Promise<void> {
    while (this.#prober !== null && this.#prober !== session && !signal.aborted)
      await new Promise<void>(resolve => {
        this.#waiting.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    const now = this.#clock.monotonic();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + 1000 / connectsPerSecond;
    if (at > now) await this.#clock.sleep(at - now, signal).catch(() => {});
  }

  /** The cloud was not reached: the first to find out probes. */
  failed(session: object): void {
    this.#prober ??= session;
  }

  /** The cloud was reached, whatever it said. */
  reached(): void {
    this.#open();
  }

  /** A session that ends leaves its place to the next. */
  left(session: object): void {
    if (this.#prober === session) this.#open();
  }

  #open(): void {
    this.#prober = null;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
