import type { Clock, Random, UnixMs } from '../../src/runtime/clock.ts';

interface Sleeper {
  readonly at: number;
  wake(): void;
}

/** A clock that stands still until a test turns it. Sleepers wake in the order of their moments. */
export class HandClock implements Clock {
  #now: UnixMs;
  #elapsed = 0;
  #sleepers: Sleeper[] = [];

  constructor(now: UnixMs = 1_763_600_000_000) {
    this.#now = now;
  }

  now(): UnixMs {
    return this.#now;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  get sleeping(): number {
    return this.#sleepers.length;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      // A signal compares a new listener with all it has, so each sleep must remove its own.
      const leave = () => {
        this.#sleepers = this.#sleepers.filter(one => one !== sleeper);
        reject(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const sleeper: Sleeper = { at: this.#elapsed + ms, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', leave);
    });
  }

  /** Lets time pass, and wakes one sleeper after the other. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    for (;;) {
      await new Promise(resolve => setImmediate(resolve));
      const next = this.#sleepers.filter(one => one.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#sleepers = this.#sleepers.filter(one => one !== next);
      this.#pass(Math.max(0, next.at - this.#elapsed));
      next.wake();
    }
    this.#pass(end - this.#elapsed);
    await new Promise(resolve => setImmediate(resolve));
  }

  /** Somebody sets the wall clock; monotonic time goes on. */
  set(now: UnixMs): void {
    this.#now = now;
  }

  #pass(ms: number): void {
    this.#elapsed += ms;
    this.#now += ms;
  }
}

/** mulberry32: the same seed gives the same numbers. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
