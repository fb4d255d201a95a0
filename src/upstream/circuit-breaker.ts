import type { Clock } from '../runtime/clock.ts';

const connectsPerSecond = 50;

/**
 * Decides which session may try to connect. Closed: all may, at most 50 a second. After a failure
 * it is half open: one session probes at a time, in turns, until one gets through. So a site full
 * of terminals neither hammers a dead cloud nor floods one that has just come back, and a device
 * that the cloud never answers delays the others only briefly. It is never open altogether: each
 * probe waits for its own retry.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  /** The session that probes while the breaker is half open; null: closed. */
  #prober: object | null = null;
  readonly #waiting = new Map<object, () => void>();
  /** The probing session has failed and tries again: now the one that waits longest probes. */
  #failed = false;
  #nextAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The cloud was not reached at the last try: one session probes, the others wait. */
  get isHalfOpen(): boolean {
    return this.#prober !== null;
  }

  /** Resolves when `session` may try. */
  async acquire(session: object, signal: AbortSignal): Promise<void> {
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
    this.#close();
  }

  /** A session has ended, or has nothing to try with: its place goes to the next. */
  left(session: object): void {
    this.#waiting.delete(session);
    if (this.#prober === session) this.#close();
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

  #close(): void {
    this.#prober = null;
    this.#failed = false;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
