/** Figures of a month, in the order in which a clerk looks for them. */
export const figureNames = ['missing_in', 'missing_out', 'absent', 'late', 'early', 'overtime', 'leave'] as const;
export type Figure = (typeof figureNames)[number];

/** Filters of a month: a figure, or a day that somebody has to review. */
export const monthFilters = ['review', ...figureNames] as const;
export type MonthFilter = (typeof monthFilters)[number];

/** Facts of a day that its figures come from. */
interface DayFacts {
  readonly state: string;
  /** Of its segments; empty: the one segment has the state of the day. */
  readonly segmentStates: readonly string[];
  readonly late: number;
  readonly early: number;
  readonly overtime: number;
  readonly leave: number;
  readonly flags: readonly string[];
}

const toReview: readonly string[] = ['missing_in', 'missing_out', 'absent'];
const flagsToReview: readonly string[] = ['correction_asked', 'very_short', 'missing_out', 'several_punches'];

/** Whether somebody has to look at a flag, of a day or of a segment. */
export const isToReview = (flag: string): boolean => flagsToReview.includes(flag);

const has = ({ state, segmentStates }: DayFacts, wanted: string): boolean =>
  segmentStates.length === 0 ? state === wanted : segmentStates.includes(wanted);

/** Which days a filter of the month finds. */
export const isFound: Readonly<Record<MonthFilter, (day: DayFacts) => boolean>> = {
  review: ({ state, flags }) => toReview.includes(state) || flags.some(isToReview),
  missing_in: day => has(day, 'missing_in'),
  missing_out: day => has(day, 'missing_out'),
  absent: day => has(day, 'absent'),
  late: ({ late }) => late > 0,
  early: ({ early }) => early > 0,
  overtime: ({ overtime }) => overtime > 0,
  leave: ({ leave }) => leave > 0,
};
