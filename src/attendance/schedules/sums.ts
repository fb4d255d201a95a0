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

export function sumsOf(results: readonly DayResult[]): ResultSums {
  const days = { planned: 0, worked: 0, absent: 0, leave: 0, notKnown: 0 };
  const counts = { late: 0, early: 0, missingIn: 0, missingOut: 0, unplaced: 0, corrected: 0 };
  for (const { kind, state, segments, punches } of results) {
    if (kind === 'workday' && segments.length > 0) days.planned++;
    if (punches.some(({ role }) => role === 'in' || role === 'out')) days.worked++;
    if (state === 'absent' && segments.every(isAbsentOrLeave)) days.absent++;
    if (state === 'leave') days.leave++;
    if (state === 'not_known_yet') days.notKnown++;
    for (const segment of segments) {
      if (segment.minutes.late > 0) counts.late++;
      if (segment.minutes.early > 0) counts.early++;
      if (segment.state === 'missing_in') counts.missingIn++;
      if (segment.state === 'missing_out') counts.missingOut++;
    }
    for (const { role, punch } of punches) {
      if (role === 'unplaced') counts.unplaced++;
      if (punch.correctionId !== null) counts.corrected++;
    }
  }
  return { days, counts, minutes: sumOfMinutes(results.map(({ minutes }) => minutes)) };
}

const isAbsentOrLeave = ({ state }: SegmentResult): boolean => state === 'absent' || state === 'leave';
