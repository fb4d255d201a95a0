import { RateWindow } from './rate-window.ts';

/** A key that was heard, between the one that has been quiet for longer and the next. */
interface Held<Key> {
  readonly key: Key;
  readonly window: RateWindow;
  heardAt: number;
  before: Held<Key> | null;
  after: Held<Key> | null;
}

/**
 * A RateWindow for each key, for work that is bounded and for guesses that are slowed down. Keys
 * that have been quiet for a whole window are forgotten, which changes no answer. It holds as many
 * as are busy, `keysMax` at most: then the one that was quiet longest goes.
 *
 * The order is a list of its own. The order of a Map would do, but one whose keys are taken out and
 * put in again is searched from its start for the first that is left: the more keys, the longer.
 */
export class RateWindows<Key> {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #keysMax: number;
  readonly #windows = new Map<Key, Held<Key>>();
  /** The one that has been quiet longest, and the one that was heard last. */
  #first: Held<Key> | null = null;
  #last: Held<Key> | null = null;

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
    let held = this.#windows.get(key);
    if (held) {
      this.#unlink(held);
      held.heardAt = now;
    } else {
      const window = new RateWindow(this.#limit, this.#windowMs);
      held = { key, window, heardAt: now, before: null, after: null };
      this.#windows.set(key, held);
    }
    this.#append(held);
    for (let first = this.#first!; first !== held; first = this.#first!) {
      if (now - first.heardAt < this.#windowMs && this.#windows.size <= this.#keysMax) break;
      this.forget(first.key);
    }
    return held.window.take(now);
  }

  /** Milliseconds until `take` will be true; 0 when it is now. */
  wait(key: Key, now: number): number {
    return this.#windows.get(key)?.window.wait(now) ?? 0;
  }

  forget(key: Key): void {
    const held = this.#windows.get(key);
    if (!held) return;
    this.#unlink(held);
    this.#windows.delete(key);
  }

  #append(held: Held<Key>): void {
    held.before = this.#last;
    held.after = null;
    if (this.#last) this.#last.after = held;
    else this.#first = held;
    this.#last = held;
  }

  #unlink({ before, after }: Held<Key>): void {
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
  }
}
