import { RateWindow } from './rate-window.ts';

/** A RateWindow for each key. Those that have been quiet for a whole window are forgotten, which changes no answer: it takes as much memory as there are busy keys. */
export class RateWindows<Key> {
  readonly #limit: number;
  readonly #windowMs: number;
  /** The key that was quiet longest stands first. */
  readonly #windows = new Map<Key, { readonly window: RateWindow; heardAt: number }>();

  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** `now` by a clock that never jumps. True when one more is allowed for the key, which counts it. */
  take(key: Key, now: number): boolean {
    for (const [quiet, { heardAt }] of this.#windows) {
      if (now - heardAt < this.#windowMs) break;
      this.#windows.delete(quiet);
    }
    const held = this.#windows.get(key) ?? { window: new RateWindow(this.#limit, this.#windowMs), heardAt: now };
    held.heardAt = now;
    this.#windows.delete(key);
    this.#windows.set(key, held);
    return held.window.take(now);
  }
}
