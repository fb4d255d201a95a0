import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { type Figure, isFound } from '../../../../src/platform/day-figures.ts';
import type { MarkName } from './day-mark.tsx';
import { monthWords } from './month-words.ts';

/** Results of people's days, as the pages show them. */
export type ResultRow = AnswerOf<'get', '/attendance/results'>['rows'][number];
export type ResultDay = ResultRow['days'][number];
/** Figures of a day in a list of many people; a day with its segments has them too. */
export type DayFigures = ResultRow['marks'][number] | ResultDay;
export { type Figure, figureNames } from '../../../../src/platform/day-figures.ts';

export function figureWords(figure: Figure): string {
  const text = monthWords.value;
  switch (figure) {
    case 'missing_in':
      return text.missingIn;
    case 'missing_out':
      return text.missingOut;
    default:
      return text[figure];
  }
}

type Overtime = Pick<NonNullable<DayFigures['minutes']>, 'overtime_workday' | 'overtime_rest' | 'overtime_holiday'>;

export const overtimeOf = ({ overtime_workday = 0, overtime_rest = 0, overtime_holiday = 0 }: Overtime = {}): number =>
  overtime_workday + overtime_rest + overtime_holiday;

const lateOf = ({ minutes }: DayFigures): number => minutes?.late ?? 0;
const earlyOf = ({ minutes }: DayFigures): number => minutes?.early ?? 0;

export const factsOf = (day: DayFigures) => ({
  state: day.state,
  segmentStates: (day.segments ?? []).map(segment => segment.state),
  ...{ late: lateOf(day), early: earlyOf(day), overtime: overtimeOf(day.minutes), leave: day.minutes?.leave ?? 0 },
  flags: [day, ...(day.segments ?? [])].flatMap(of => ('flags' in of ? of.flags : []) ?? []).map(({ flag }) => flag),
});

/** On which days a figure comes from. */
export const hasFigure = (figure: Figure, day: DayFigures): boolean => isFound[figure](factsOf(day));

/** Whether anybody has a plan: without one there is nothing to compute. */
export const hasPlan = (rows: readonly Pick<ResultRow, 'days' | 'marks'>[]): boolean =>
  rows.some(({ days, marks }) => [...days, ...marks].some(day => day.kind !== 'none' && day.kind !== 'not_employed'));

export function markOf(day: DayFigures): MarkName {
  if (day.state === 'ok') return lateOf(day) > 0 || earlyOf(day) > 0 ? 'late' : 'ok';
  return day.state === 'not_worked' ? 'off' : day.state;
}

/** A clerk has to look at it. */
export const isOpen = (day: DayFigures): boolean => isFound.review(factsOf(day));

/** `late by 6 min, overtime 30 min`. */
export function wordsOf(day: DayFigures): string {
  const text = monthWords.value;
  const [late, early] = [lateOf(day), earlyOf(day)];
  const overtime = overtimeOf(day.minutes);
  const state = day.state === 'ok' && (late > 0 || early > 0 || overtime > 0) ? [] : [text.states[day.state]];
  return [
    ...state,
    ...(late > 0 ? [text.lateBy(late)] : []),
    ...(early > 0 ? [text.earlyBy(early)] : []),
    ...(overtime > 0 ? [text.overtimeOf(overtime)] : []),
    ...flagWords(day.flags ?? []),
  ].join(', ');
}

export const flagWords = (flags: ResultDay['flags']): string[] =>
  flags.map(({ flag, minutes }) => monthWords.value.flags[flag](minutes ?? 0));

/** `8:00`. */
export const hours = (minutes: number): string =>
  `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
