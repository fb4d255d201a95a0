import { RateWindows } from './rate-windows.ts';

/**
 * Counts guesses once for several processes, where there are several. Resolves to null when a
 * process has to count by itself: too many are asked for, or nobody can be asked.
 */
export interface GuessCounts {
  /**
   * Counts a try that is about to be checked as wrong, and resolves to 0; or to the milliseconds to
   * wait, and counts nothing. `freeNow` tries in a row are allowed; after `free` each doubles the
   * wait before the next, up to `waitMaxMs`. A count is forgotten after an hour.
   */
  begin(
    key: string,
    rule: { readonly free: number; readonly freeNow: number; readonly waitMaxMs: number },
  ): Promise<number | null>;
  /** Of a try that was counted: the key's count is forgotten, or this try. Nobody waits for it. */
  end(key: string, outcome: 'right' | 'not_looked_at'): void;
  /**
   * Counts one wrong of at most `limit` in `windowMs`. Resolves to the milliseconds until that many
   * are allowed again; 0: there were fewer.
   */
  wrong(key: string, limit: number, windowMs: number): Promise<number | null>;
}

/** Each process counts by itself. */
export const countedHere: GuessCounts = { begin: async () => null, end() {}, wrong: async () => null };

/** As many keys as the windows hold. */
const overMax = 10_000;

/**
 * At most `limit` wrong ones in `windowMs` for each key. Those at all processes count (`counts`):
 * each learns of the others' with the next wrong one of its own, so that one more is looked at by
 * each process, and a right one asks nobody.
 */
export class GuessWindows {
  readonly #here: RateWindows<string>;
  readonly #name: string;
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #counts: GuessCounts;
  /** Until when all processes together have had too many, by key. */
  readonly #over = new Map<string, number>();

  constructor(rule: { name: string; limit: number; windowMs: number }, counts: GuessCounts) {
    this.#here = new RateWindows(rule.limit, rule.windowMs);
    this.#name = rule.name;
    this.#limit = rule.limit;
    this.#windowMs = rule.windowMs;
    this.#counts = counts;
  }

  /** `now`: monotonic. Milliseconds until another one is looked at; 0: now. */
  wait(key: string, now: number): number {
    const here = this.#here.wait(key, now);
    const until = this.#over.get(key);
    if (until === undefined) return here;
    if (until <= now) this.#over.delete(key);
    return Math.max(here, until - now);
  }

  /** Counts a wrong one. */
  take(key: string, now: number): void {
    // In a flood this process's own limit decides, and nobody is asked.
    if (!this.#here.take(key, now)) return;
    void this.#counts.wrong(`${this.#name}\0${key}`, this.#limit, this.#windowMs).then(wait => {
      if (wait === null || wait <= 0) return;
      this.#over.delete(key);
      this.#over.set(key, now + wait);
      const [oldest] = this.#over.keys();
      if (this.#over.size > overMax && oldest !== undefined) this.#over.delete(oldest);
    });
  }
}
