import type { DateText } from '../../platform/shifts.ts';
import type { Correction, CorrectionReads, PeopleReads, ReadPart, ScheduleReads } from '../../store/index.ts';
import { movedDaysMax } from '../schedules/moved.ts';
import type { PersonResults } from '../schedules/person-results.ts';

/** Obstacles to closing a month: figures that are bound to change. */
export const inTheWayNames = [
  /** Days that are not over. */
  'days_to_come',
  /** Days of which a terminal has still to report. */
  'days_not_known',
  /** Corrections that wait for approval. */
  'corrections',
  /** Leave that waits for approval. */
  'leaves',
  /** Check-ins of the month, at the whole site, that name nobody. */
  'unknown_checkins',
] as const;
export type InTheWayName = (typeof inTheWayNames)[number];

/** Maximum days that are named; all are counted. */
const namedMax = 5;
const rowsMax = 10_000;
const movedSeconds = (movedDaysMax + 1) * 86_400;

export interface InTheWay {
  readonly what: InTheWayName;
  readonly count: number;
  /** The first of them. */
  readonly days: readonly { readonly extId: string; readonly name: string; readonly date: DateText }[];
}

type Reads = ReadPart<CorrectionReads & Pick<ScheduleReads, 'leaves'> & Pick<PeopleReads, 'dayCounts'>>['read'];

/** Counts what is in the way while the people of a closing pass by. */
export class Obstacles {
  readonly #days: Record<'days_to_come' | 'days_not_known', { count: number; named: InTheWay['days'][number][] }> = {
    days_to_come: { count: 0, named: [] },
    days_not_known: { count: 0, named: [] },
  };
  readonly #people = new Set<string>();

  take({ person: { extId, name }, days }: Pick<PersonResults, 'person' | 'days'>): void {
    this.#people.add(extId);
    for (const { date, segments } of days) {
      const isIn = (...states: readonly string[]) => segments.some(({ state }) => states.includes(state));
      const what = isIn('to_come', 'running') ? 'days_to_come' : isIn('not_known_yet') ? 'days_not_known' : null;
      if (what === null) continue;
      const days = this.#days[what];
      days.count++;
      if (days.named.length < namedMax) days.named.push({ extId, name, date });
    }
  }

  /** `bounds`: of the month, in unix seconds. */
  async all(
    read: Reads,
    dates: { readonly from: DateText; readonly to: DateText },
    bounds: { readonly from: number; readonly to: number },
  ): Promise<InTheWay[]> {
    const [corrections, leaves, { unknown }] = await Promise.all([
      // One that is to be moved into the month may lie beyond its bounds.
      read.corrections({
        ...{ from: bounds.from - movedSeconds, to: bounds.to + movedSeconds },
        ...{ state: 'asked', limit: rowsMax },
      }),
      read.leaves({ ...dates, state: 'asked', limit: rowsMax }),
      read.dayCounts(bounds),
    ]);
    const isOfMonth = ({ at, workDate }: Pick<Correction, 'at' | 'workDate'>) =>
      (bounds.from <= at && at < bounds.to) || (workDate !== null && dates.from <= workDate && workDate <= dates.to);
    const isOurs = ({ extId }: { readonly extId: string }) => this.#people.has(extId);
    const counts: Readonly<Record<InTheWayName, number>> = {
      days_to_come: this.#days.days_to_come.count,
      days_not_known: this.#days.days_not_known.count,
      corrections: new Set(corrections.filter(one => isOurs(one) && isOfMonth(one)).map(({ id }) => id)).size,
      leaves: leaves.filter(isOurs).length,
      unknown_checkins: unknown,
    };
    return inTheWayNames
      .filter(what => counts[what] > 0)
      .map(what => ({
        what,
        count: counts[what],
        days: what === 'days_to_come' || what === 'days_not_known' ? this.#days[what].named : [],
      }));
  }
}
