import { DepartmentsOfPeople, isIn } from '../../attendance/index.ts';
import type { DateText } from '../../platform/shifts.ts';
import type { PeopleReads, PeopleScope, PersonRow } from '../../store/index.ts';
import { scopeOf } from '../people-shapes.ts';

/** The dates on which somebody was in one department. */
type Stood = ReturnType<Awaited<ReturnType<DepartmentsOfPeople['of']>>>;

/**
 * People who were in a department on some days, both inclusive. `placesOf` says in which each of
 * them was when; of those alone that are asked for.
 */
export async function peopleThen(
  read: Pick<PeopleReads, 'departmentsByDate' | 'formerDepartments'>,
  query: Parameters<typeof scopeOf>[0],
  from: DateText,
  to: DateText,
): Promise<{
  readonly scope: PeopleScope;
  placesOf(people: readonly PersonRow[]): Promise<(person: PersonRow) => Stood>;
}> {
  const { departmentExtId, text } = scopeOf(query);
  const departments = await DepartmentsOfPeople.since(from, read);
  return {
    scope: { stoodIn: departments.stoodIn(departmentExtId, from, to), text },
    async placesOf(people) {
      const places = await departments.of(people.map(({ place }) => place));
      return ({ place }) => places(place, from, to).filter(one => isIn(one, departmentExtId));
    },
  };
}
