import { RateWindow } from './rate-window.ts';

const keysMax = 10_000;

/** Slows down whoever guesses: so many tries of a key in a window, and no more until the first is out of it. */
export class Brake {
  readonly #tries: number;
  readonly #windowMs: number;
  readonly #windows = new Map<string, RateWindow>();

  constructor(tries: number, windowMs: number) {
    this.#tries = tries;
    this.#windowMs = windowMs;
  }

  /** Milliseconds until the key may try again; 0: now. `now` by a clock that never jumps. */
  wait(key: string, now: number): number {
    return this.#windows.get(key)?.wait(now) ?? 0;
  }

  tried(key: string, now: number): void {
    let window = this.#windows.get(key);
    if (!window) {
      // The one that failed first goes: whoever fills the list only frees strangers.
      if (this.#windows.size >= keysMax) this.#windows.delete(this.#windows.keys().next().value!);
      window = new RateWindow(this.#tries, this.#windowMs);
      this.#windows.set(key, window);
    }
    window.take(now);
  }

  forget(key: string): void {
    this.#windows.delete(key);
  }
}
