import { type MonthFilter, monthFilters } from '../../platform/day-figures.ts';
import type { FoundDays } from './month-filters.ts';
import type { PersonResults } from './person-results.ts';

/** People of a month by what their days have. */
export interface MonthFigures {
  readonly people: number;
  /** People whose month is not closed; those without an external id are in no closing. */
  readonly open: number;
  /** Whether anybody has a schedule. */
  readonly planned: boolean;
  readonly counts: Readonly<Record<MonthFilter, number>>;
}

export type FoundPerson = Pick<PersonResults, 'person' | 'closed'> & FoundDays;

/** Counts each person once; one who moved comes in several parts, one after the other. */
export async function monthFigures(groups: AsyncIterable<Iterable<FoundPerson>>): Promise<MonthFigures> {
  const counts = Object.fromEntries(monthFilters.map(filter => [filter, 0])) as Record<MonthFilter, number>;
  const figures = { people: 0, open: 0, planned: false };
  let [last, found] = [0, new Set<MonthFilter>()];
  const count = ({ person, closed, filters, isPlanned }: FoundPerson) => {
    if (person.place.id !== last) {
      [last, found] = [person.place.id, new Set()];
      figures.people++;
      if (closed === null && person.extId !== '') figures.open++;
    }
    figures.planned ||= isPlanned;
    for (const filter of filters) {
      if (found.has(filter)) continue;
      found.add(filter);
      counts[filter]++;
    }
  };
  for await (const group of groups) for (const part of group) count(part);
  return { ...figures, counts };
}
