import type { DateText } from '../../platform/shifts.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import type { DayOverride, PeopleReads, PeopleScope, PersonPlace, PersonRow } from '../../store/index.ts';
import { DepartmentsOfPeople } from './departments-by-date.ts';
import { type CalendarKind, type PlanDay, Plans } from './plan.ts';
import { readPlans } from './read-plans.ts';

interface PlannedDay extends PlanDay {
  /** Entry of this date for this person alone; null if it follows from the rest. */
  readonly own: DayOverride | null;
  /** Kinds of approved leave that touch the date. */
  readonly leave: readonly string[];
}

/**
 * A page of people with what is planned for each on each date, both inclusive; at most 500 people.
 * No check-in is read.
 */
export async function plannedDays(
  read: Pick<PeopleReads, 'people' | 'departmentsByDate' | 'formerDepartments'> & Parameters<typeof readPlans>[0],
  calendar: ReadonlyMap<DateText, CalendarKind>,
  {
    from,
    to,
    departmentExtId,
    ...page
  }: PeopleScope & {
    readonly from: DateText;
    readonly to: DateText;
    readonly after?: PersonPlace | undefined;
    readonly limit: number;
  },
): Promise<{ readonly person: PersonRow; readonly days: readonly PlannedDay[] }[]> {
  const departments = await DepartmentsOfPeople.since(from, read);
  const people = await read.people({ ...page, stoodIn: departments.stoodIn(departmentExtId, from, to) });
  const placesOf = await departments.of(people.map(({ place }) => place));
  const ids = people.map(({ extId }) => extId).filter(extId => extId !== '');
  const { employments, leaves, ...planned } = await readPlans(read, ids, { from, to });
  const plans = new Plans({ ...planned, calendar: date => calendar.get(date) ?? null });
  const own = new Map(
    planned.overrides.flatMap(one =>
      one.target.kind === 'person' ? [[`${one.date} ${one.target.extId}`, one] as const] : [],
    ),
  );
  return people.map(person => {
    const { extId, place } = person;
    if (extId === '') return { person, days: [] };
    const employment = employments.get(extId) ?? null;
    const { days } = plans.of({ extId, places: placesOf(place, from, to), employment }, from, to);
    return {
      person,
      days: [...days.values()].map(day => ({
        ...day,
        own: own.get(`${day.date} ${extId}`) ?? null,
        leave: (leaves.get(extId) ?? [])
          .filter(one => one.to > `${day.date}T00:00` && one.from < `${addDays(day.date, 1)}T00:00`)
          .map(({ kind }) => kind),
      })),
    };
  });
}
