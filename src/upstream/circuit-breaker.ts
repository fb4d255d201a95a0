import type { Clock } from '../runtime/clock.ts';

const connectsPerSecond = 50;

/**
 * Decides which session may try to connect. While the whole uplink is down one session probes at a
 * time, in turns. When one gets through, the others follow, a few at a time: a site full of
 * terminals neither hammers a dead cloud nor floods one that has just come back, and a device that
 * the cloud never answers delays the others only briefly.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  #prober: object | null = null;
  readonly #waiting = new Map<object, () => void>();
  /** The probing session has failed and tries again: now the one that waits longest probes. */
  #failed = false;
  #nextAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get closed(): boolean {
    return this.#prober !== null;
  }

  /** Resolves when `session` may try. */
  async turn(session: object, signal: AbortSignal): Promise<void> {
    if (this.#prober === session && this.#failed) this.#passOn();
    while (this.#prober !== null && this.#prober !== session && !signal.aborted)
      await new Promise<void>(resolve => {
        const go = () => {
          signal.removeEventListener('abort', go);
          resolve();
        };
        this.#waiting.set(session, go);
        signal.addEventListener('abort', go);
      });
    this.#waiting.delete(session);
    const now = this.#clock.monotonic();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + 1000 / connectsPerSecond;
    if (at > now) await this.#clock.sleep(at - now, signal).catch(() => {});
  }

  /** The cloud was not reached: the first to find out probes. */
  failed(session: object): void {
    this.#prober ??= session;
    if (this.#prober === session) this.#failed = true;
  }

  /** The cloud was reached, whatever it said. */
  reached(): void {
    this.#open();
  }

  /** A session that ends, or has nothing to try with, leaves its place to the next. */
  left(session: object): void {
    this.#waiting.delete(session);
    if (this.#prober === session) this.#open();
  }

  #passOn(): void {
    const [next] = this.#waiting;
    if (!next) return;
    const [session, resolve] = next;
    this.#prober = session;
    this.#failed = false;
    this.#waiting.delete(session);
    resolve();
  }

  #open(): void {
    this.#prober = null;
    this.#failed = false;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
