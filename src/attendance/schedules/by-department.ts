import type { Place } from './departments-by-date.ts';
import type { PersonResults } from './person-results.ts';
import { sumsOf } from './sums.ts';

export const isIn = ({ chain }: Place, scope: string | undefined): boolean =>
  scope === undefined || chain.includes(scope);

/**
 * The part of a person's results that belongs to a scope: the days in each department of it;
 * otherwise all days, if the person is in the scope on the last of them.
 */
export function listed(
  one: PersonResults,
  scope: string | undefined,
  byDepartment: boolean | undefined,
): PersonResults[] {
  if (!byDepartment) return isIn(one.places.at(-1)!, scope) ? [one] : [];
  const here = one.places.filter(place => isIn(place, scope));
  if (here.length === one.places.length && one.places.length === 1) return [one];
  return [...Map.groupBy(here, ({ department, departmentExtId }) => `${departmentExtId}\n${department}`).values()].map(
    places => {
      const { department, departmentExtId } = places[0]!;
      const days = one.days.filter(({ date }) => places.some(({ from, to }) => from <= date && date <= to));
      return { ...one, person: { ...one.person, department, departmentExtId }, places, days, sums: sumsOf(days) };
    },
  );
}
