import type { PeriodChange } from '../../store/index.ts';
import type { FrozenMonth } from '../schedules/frozen-month.ts';
import type { DayResult } from '../schedules/result.ts';

/** Result of a day in few words: shown before and after a change. */
export interface DayInShort {
  readonly state: DayResult['state'];
  readonly shift: string | null;
  /** Unix seconds of each segment. */
  readonly times: readonly { readonly in: number | null; readonly out: number | null }[];
  readonly worked: number;
  readonly late: number;
  readonly early: number;
  readonly overtime: number;
  readonly leave: number;
  readonly punches: number;
}

const inShort = ({ state, shift, segments, minutes, punches }: DayResult): DayInShort => ({
  state,
  shift,
  times: segments.map(segment => ({ in: segment.in?.at ?? null, out: segment.out?.at ?? null })),
  worked: minutes.worked,
  late: minutes.late,
  early: minutes.early,
  overtime: minutes.overtimeWorkday + minutes.overtimeRest + minutes.overtimeHoliday,
  leave: minutes.leave,
  punches: punches.length,
});

/** Key by which two results of a day differ, also by a punch that changes no figure. */
const comparable = ({ kind, state, shift, segments, minutes, punches }: DayResult): string =>
  JSON.stringify([
    ...[kind, state, shift],
    segments.map(({ shift: code, plannedOn, plannedOff, in: start, out, state: of, minutes: counted }) => [
      ...[code, plannedOn, plannedOff, start?.at, out?.at, of],
      Object.entries(counted).sort(),
    ]),
    Object.entries(minutes).sort(),
    punches.map(({ punch, counted, role, segment }) => [punch.id, counted, role, segment]),
  ]);

type Change = Omit<PeriodChange, 'kind' | 'noticedAt'>;
type Month = Pick<FrozenMonth, 'person' | 'days'>;

const changeOf = ({ person }: Month, date: string, was: DayResult | undefined, now: DayResult | undefined): Change => ({
  extId: person.extId,
  name: person.name,
  date,
  was: was ? JSON.stringify(inShort(was)) : null,
  now: now ? JSON.stringify(inShort(now)) : null,
});

/** The days of a month that are not what they were. */
export function differences(was: Month, now: Month): Change[] {
  const later = new Map(now.days.map(day => [day.date, day]));
  return was.days.flatMap(day => {
    const other = later.get(day.date);
    if (other && comparable(other) === comparable(day)) return [];
    return [changeOf(now, day.date, day, other)];
  });
}

/** Of somebody who is not in the other: the days on which there was anything to count. */
export const allDifferent = (month: Month, which: 'was' | 'now'): Change[] =>
  month.days
    .filter(({ segments, punches }) => segments.length > 0 || punches.length > 0)
    .map(day => changeOf(month, day.date, which === 'was' ? day : undefined, which === 'now' ? day : undefined));
