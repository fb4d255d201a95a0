import { type DayResult, type Minutes, type SegmentResult, sumOfMinutes } from './result.ts';

/** Sums of a person's days: the row of a month's summary. */
export interface ResultSums {
  readonly days: {
    /** With a shift, without those on legal holidays. */
    readonly planned: number;
    /** With a punch that counts. */
    readonly worked: number;
    /** On which nobody came to any segment. */
    readonly absent: number;
    readonly leave: number;
    readonly notKnown: number;
  };
  /** Of segments, but for `unplaced` and `corrected`, which are punches. */
  readonly counts: {
    readonly late: number;
    readonly early: number;
    readonly missingIn: number;
    readonly missingOut: number;
    readonly unplaced: number;
    readonly corrected: number;
  };
  readonly minutes: Minutes;
}

export function sumsOf(days: readonly DayResult[]): ResultSums {
  const segments = days.flatMap(day => day.segments);
  const punches = days.flatMap(day => day.punches);
  const countDays = (holds: (day: DayResult) => boolean) => days.filter(holds).length;
  const count = (holds: (segment: SegmentResult) => boolean) => segments.filter(holds).length;
  return {
    days: {
      planned: countDays(({ kind, segments }) => kind === 'workday' && segments.length > 0),
      worked: countDays(({ punches }) => punches.some(({ role }) => role === 'in' || role === 'out')),
      absent: countDays(({ state, segments }) => state === 'absent' && segments.every(isAbsentOrLeave)),
      leave: countDays(({ state }) => state === 'leave'),
      notKnown: countDays(({ state }) => state === 'not_known_yet'),
    },
    counts: {
      late: count(({ minutes }) => minutes.late > 0),
      early: count(({ minutes }) => minutes.early > 0),
      missingIn: count(({ state }) => state === 'missing_in'),
      missingOut: count(({ state }) => state === 'missing_out'),
      unplaced: punches.filter(({ role }) => role === 'unplaced').length,
      corrected: punches.filter(({ punch }) => punch.correctionId !== null).length,
    },
    minutes: sumOfMinutes(days.map(({ minutes }) => minutes)),
  };
}

const isAbsentOrLeave = ({ state }: SegmentResult): boolean => state === 'absent' || state === 'leave';
