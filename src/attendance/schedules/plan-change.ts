import { type FormerPlace, placesAfter } from '../../platform/places.ts';
import type { DateText, Shift } from '../../platform/shifts.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import type { PeopleReads, RosterRule, ScheduleReads } from '../../store/index.ts';
import type { AttendanceResults } from './attendance-results.ts';
import type { DayResult } from './result.ts';
import type { OtherPlans } from './results-query.ts';

interface PlanChange {
  readonly days: number;
  readonly people: number;
  /** The first date that was looked at. */
  readonly since: DateText;
  /** There are more people than were looked at. */
  readonly cut: boolean;
}

const daysBackMax = 92;
const peopleMax = 1000;

/**
 * How many days that are over, of how many people, get another result from other plans or places:
 * what a clerk sees before a roster or a move that reaches into the past is saved. Looks at 92 days
 * and 1000 people at most; a person takes about two milliseconds a month.
 */
export async function planChange(
  results: Pick<AttendanceResults, 'of' | 'withPlans'>,
  plans: OtherPlans,
  {
    from,
    today,
    people,
    signal,
  }: {
    readonly from: DateText;
    readonly today: DateText;
    /** External ids; absent: everybody. */
    readonly people?: readonly string[];
    readonly signal?: AbortSignal | undefined;
  },
): Promise<PlanChange> {
  const earliest = addDays(today, -daysBackMax);
  const since = from < earliest ? earliest : from;
  const change = { days: 0, people: 0, since, cut: false };
  if (since >= today) return change;
  const query = { from: since, to: addDays(today, -1), limit: peopleMax + 1, signal };
  const of = async function* (from: Pick<AttendanceResults, 'of'>) {
    if (people === undefined) yield* from.of(query);
    else for (const extId of people) yield* from.of({ ...query, extId });
  };
  const others = of(results.withPlans(plans));
  let seen = 0;
  for await (const { days } of of(results)) {
    const other = (await others.next()).value;
    if (!other) break;
    if (seen++ === peopleMax) return { ...change, cut: true };
    const differing = days.filter((day, index) => resultText(day) !== resultText(other.days[index]!)).length;
    change.days += differing;
    if (differing > 0) change.people++;
  }
  return change;
}

const resultText = ({ kind, segments, minutes }: DayResult): string => JSON.stringify([kind, segments, minutes]);

/** The rules as they are once `rule` is saved, in place of the one with its id. */
export const withRule =
  (read: Pick<ScheduleReads, 'rosterRules'>, rule: RosterRule): ScheduleReads['rosterRules'] =>
  async query => {
    // Read page by page: a page stays as long as it is, and the first one has the rule as well.
    const page = (await read.rosterRules(query)).map(one => (one.id === rule.id ? rule : one));
    return query.after ? page : [rule, ...page];
  };

/** The shifts with a version more. */
export const withShift =
  (read: Pick<ScheduleReads, 'shifts'>, shift: Shift): ScheduleReads['shifts'] =>
  async () => [
    ...(await read.shifts()).filter(({ code, validFrom }) => code !== shift.code || validFrom !== shift.validFrom),
    shift,
  ];

const beginning = '0000-01-01';

/** From a department to another one (ids in the store), from the date `since` on. */
export interface Move {
  readonly now: number;
  readonly to: number;
  readonly since: DateText;
}

const after = (former: readonly FormerPlace[], { now, to, since }: Move) =>
  placesAfter({ former, now, since: null }, to, since).former;

/** Places as they are once people (by their ids in the store) have moved. */
export const withPeopleMoved = (
  read: Pick<PeopleReads, 'person' | 'formerDepartments'>,
  moves: ReadonlyMap<number, Move>,
): OtherPlans => ({
  async person(extId) {
    const row = await read.person(extId);
    const move = row && moves.get(row.place.id);
    return move ? { ...row, place: { ...row.place, department: move.to } } : row;
  },
  async formerDepartments({ ids }) {
    const found = await read.formerDepartments({ ids, since: beginning });
    for (const id of ids) {
      const move = moves.get(id);
      if (move) found.set(id, [...after(found.get(id) ?? [], move)]);
    }
    return found;
  },
});

/** The tree as it is once departments (by their ids in the store) have moved. */
export const withDepartmentsMoved = (
  read: Pick<PeopleReads, 'departmentsByDate'>,
  moves: ReadonlyMap<number, Move>,
): OtherPlans => ({
  async departmentsByDate() {
    const { nodes, former } = await read.departmentsByDate(beginning);
    const moved = [...moves].flatMap(([id, move]) => {
      const own = former.filter(place => place.id === id);
      const places = own.map(({ until, parentId }) => ({ until, departmentId: parentId }));
      return after(places, move).map(({ until, departmentId }) => ({ id, until, parentId: departmentId }));
    });
    return {
      nodes: nodes.map(node => ({ ...node, parentId: moves.get(node.id)?.to ?? node.parentId })),
      former: [...former.filter(place => !moves.has(place.id)), ...moved],
    };
  },
});
