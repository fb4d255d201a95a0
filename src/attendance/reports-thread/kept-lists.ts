import type { UnixMs } from '../../runtime/clock.ts';
import type { PersonOnDay } from '../schedules/day-status.ts';

const listsMax = 4;
const keptMs = 120_000;

/**
 * The last lists of a day, two minutes each: their pages are of the moment of the first one.
 * Numbers begin with the time, so that no list of a thread before is taken for one of this.
 */
export class KeptLists {
  readonly #lists = new Map<number, { readonly until: number; readonly people: readonly PersonOnDay[] }>();
  #last = 0;

  of(number: number): readonly PersonOnDay[] | null {
    const found = this.#lists.get(number);
    return found && found.until > performance.now() ? found.people : null;
  }

  /** Returns its number. */
  keep(people: readonly PersonOnDay[], now: UnixMs): number {
    this.#last = Math.max(now, this.#last + 1);
    this.#lists.set(this.#last, { until: performance.now() + keptMs, people });
    if (this.#lists.size > listsMax) this.#lists.delete(this.#lists.keys().next().value!);
    return this.#last;
  }
}
