import { isFound, type MonthFilter, monthFilters } from '../../platform/day-figures.ts';
import type { PersonResults } from './person-results.ts';
import type { DayResult } from './result.ts';

/** People of a month by what their days have. */
export interface MonthFigures {
  readonly people: number;
  /** People whose month is not closed; those without an external id are in no closing. */
  readonly open: number;
  /** Whether anybody has a schedule. */
  readonly planned: boolean;
  readonly counts: Readonly<Record<MonthFilter, number>>;
}

const none: readonly never[] = [];

const factsOf = ({ state, segments, minutes, flags }: DayResult) => ({
  state,
  segmentStates: segments.length > 1 ? segments.map(segment => segment.state) : none,
  late: minutes.late,
  early: minutes.early,
  leave: minutes.leave,
  overtime: minutes.overtimeWorkday + minutes.overtimeRest + minutes.overtimeHoliday,
  flags: flags.length > 0 ? flags.map(({ flag }) => flag) : none,
});

/** Filters that find a person. Nothing of a closed month is left to review. */
export function filtersOf({ days, closed }: Pick<PersonResults, 'days' | 'closed'>): MonthFilter[] {
  const facts = days.map(factsOf);
  return monthFilters.filter(filter => !(filter === 'review' && closed !== null) && facts.some(isFound[filter]));
}

/** Counts each person once; one who moved comes in several parts, one after the other. */
export async function monthFigures(groups: AsyncIterable<Iterable<PersonResults>>): Promise<MonthFigures> {
  const counts = Object.fromEntries(monthFilters.map(filter => [filter, 0])) as Record<MonthFilter, number>;
  const figures = { people: 0, open: 0, planned: false };
  let [last, found] = [0, new Set<MonthFilter>()];
  const count = ({ person, closed, days }: PersonResults) => {
    if (person.place.id !== last) {
      [last, found] = [person.place.id, new Set()];
      figures.people++;
      if (closed === null && person.extId !== '') figures.open++;
    }
    figures.planned ||= days.some(({ kind }) => kind !== 'none' && kind !== 'not_employed');
    for (const filter of filtersOf({ days, closed })) {
      if (found.has(filter)) continue;
      found.add(filter);
      counts[filter]++;
    }
  };
  for await (const group of groups) for (const part of group) count(part);
  return { ...figures, counts };
}
