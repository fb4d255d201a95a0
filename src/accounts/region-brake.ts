import type { GuessCounts } from '../runtime/guess-windows.ts';
import { GuessBrake } from './guess-brake.ts';

/** A try that may be checked: `end` has to be called. */
export interface Try {
  /** `now`: monotonic. */
  end(now: number, outcome: 'right' | 'wrong' | 'not_looked_at'): void;
}

/**
 * A GuessBrake that counts for all processes of a region (`counts`). The own brake is
 * asked first, so that a flood of guesses ends there.
 */
export class RegionBrake {
  readonly #here: GuessBrake;
  readonly #rule: { readonly name: string; readonly free: number; readonly waitMaxMs: number };
  readonly #counts: GuessCounts;

  constructor(rule: { name: string; free: number; waitMaxMs: number }, counts: GuessCounts) {
    this.#here = new GuessBrake(rule);
    this.#rule = rule;
    this.#counts = counts;
  }

  /** The try, or the milliseconds to wait. `free`: fewer than usual, for a key under attack. */
  async begin(key: string, now: number, free = this.#rule.free): Promise<Try | number> {
    const wait = this.#here.begin(key, now, free);
    if (wait > 0) return wait;
    const counted = `${this.#rule.name}\0${key}`;
    const waitOfAll = await this.#counts.begin(counted, { ...this.#rule, freeNow: free });
    if (waitOfAll !== null && waitOfAll > 0) {
      this.#here.end(key, now, 'not_looked_at');
      return waitOfAll;
    }
    return {
      end: (then, outcome) => {
        this.#here.end(key, then, outcome);
        // A right one is right, whoever counted; one that was not looked at takes back its own.
        if (outcome === 'right' || (outcome === 'not_looked_at' && waitOfAll !== null))
          this.#counts.end(counted, outcome);
      },
    };
  }
}
