import type { DateText } from '../../platform/shifts.ts';
import type { Correction, CorrectionReads, PeopleReads, ReadPart, ScheduleReads } from '../../store/index.ts';
import { movedDaysMax } from '../schedules/moved.ts';
import type { PersonResults } from '../schedules/person-results.ts';
import type { SegmentState } from '../schedules/result.ts';

/** Unsettled things of a month that is to be closed. */
export const inTheWayNames = [
  /** Days that are not over. */
  'days_to_come',
  /** Days of which a terminal has still to report. */
  'days_not_known',
  /** Days without a check-in at the start or the end of a shift. */
  'missing_checkins',
  /** Days on which somebody did not come. */
  'absences',
  /** Corrections that wait for approval. */
  'corrections',
  /** Leave that waits for approval. */
  'leaves',
  /** Check-ins of the month, at the whole site, that name nobody. */
  'unknown_checkins',
] as const;
export type InTheWayName = (typeof inTheWayNames)[number];

/**
 * Figures that change only if a clerk corrects them. They may be right as they are: a month is
 * closed with them once somebody has seen the list. Everything else is bound to change.
 */
export const isToReview = (what: InTheWayName): boolean => what === 'missing_checkins' || what === 'absences';

/** Names of the states of segments that a day counts under; the first that fits. */
const ofDays = [
  ['days_to_come', ['to_come', 'running']],
  ['days_not_known', ['not_known_yet']],
  ['missing_checkins', ['missing_in', 'missing_out']],
  ['absences', ['absent']],
] as const satisfies readonly (readonly [InTheWayName, readonly SegmentState[]])[];
type OfDays = (typeof ofDays)[number][0];

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
  readonly #days = new Map<InTheWayName, { count: number; named: InTheWay['days'][number][] }>(
    ofDays.map(([what]) => [what, { count: 0, named: [] }]),
  );
  readonly #people = new Set<string>();

  take({ person: { extId, name }, days }: Pick<PersonResults, 'person' | 'days'>): void {
    this.#people.add(extId);
    for (const { date, segments } of days) {
      const isIn = (states: readonly SegmentState[]) => segments.some(({ state }) => states.includes(state));
      const found = ofDays.find(([, states]) => isIn(states));
      if (!found) continue;
      const days = this.#days.get(found[0])!;
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
    const counts: Readonly<Record<Exclude<InTheWayName, OfDays>, number>> = {
      corrections: new Set(corrections.filter(one => isOurs(one) && isOfMonth(one)).map(({ id }) => id)).size,
      leaves: leaves.filter(isOurs).length,
      unknown_checkins: unknown,
    };
    return inTheWayNames
      .map(what => {
        const { count, named } = this.#days.get(what) ?? { count: counts[what as keyof typeof counts], named: [] };
        return { what, count, days: named };
      })
      .filter(({ count }) => count > 0);
  }
}
