import { RateWindow } from './rate-window.ts';

/**
 * A RateWindow for each key, for work that is bounded and for guesses that are slowed down. Keys
 * that have been quiet for a whole window are forgotten, which changes no answer. It holds as many
 * as are busy, `keysMax` at most: then the one that was quiet longest goes.
 */
export class RateWindows<Key> {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #keysMax: number;
  /** The least recently used key is first. */
  readonly #windows = new Map<Key, { readonly window: RateWindow; heardAt: number }>();

  constructor(limit: number, windowMs: number, keysMax = 10_000) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#keysMax = keysMax;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** `now`: monotonic. Returns true and counts one more for the key, if that is allowed. */
  take(key: Key, now: number): boolean {
    const held = this.#windows.get(key) ?? { window: new RateWindow(this.#limit, this.#windowMs), heardAt: now };
    held.heardAt = now;
    this.#windows.delete(key);
    for (const [quiet, { heardAt }] of this.#windows) {
      if (now - heardAt < this.#windowMs && this.#windows.size < this.#keysMax) break;
      this.#windows.delete(quiet);
    }
    this.#windows.set(key, held);
    return held.window.take(now);
  }

  /** Milliseconds until `take` will be true; 0 when it is now. */
  wait(key: Key, now: number): number {
    return this.#windows.get(key)?.window.wait(now) ?? 0;
  }

  forget(key: Key): void {
    this.#windows.delete(key);
  }
}
