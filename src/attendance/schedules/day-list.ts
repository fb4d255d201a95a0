import type { DeviceNo } from '../../store/index.ts';
import { type DayStatus, isDue, type PersonOnDay, statusNames } from './day-status.ts';

/** People of a day that are listed; `shift` and `terminal` narrow the counts too. */
export interface DayListAsked {
  readonly status?: readonly DayStatus[] | undefined;
  /** Code of the shift. */
  readonly shift?: string | undefined;
  /** Only people who used it in the days around; null: a terminal that nobody knows. */
  readonly terminal?: DeviceNo | null | undefined;
  /** Place of the first row. */
  readonly from: number;
  readonly limit: number;
}

type Counts = Record<DayStatus, number>;

export interface DayList {
  /** Whether anybody has a schedule. */
  readonly isPlanned: boolean;
  /** People who match all but `status`. */
  readonly counts: Counts;
  /** By code of the shift, of everybody. */
  readonly shifts: readonly { readonly code: string; readonly counts: Counts }[];
  readonly departments: readonly { readonly extId: string; readonly name: string; readonly counts: Counts }[];
  /** Used by people who miss a check-in, with how many of them; most first. */
  readonly terminals: readonly { readonly deviceNo: DeviceNo; readonly people: number }[];
  /** People who match everything. */
  readonly total: number;
  /** Trouble first, then by the beginning of the shift, then by department. */
  readonly rows: readonly PersonOnDay[];
}

/** A page of the people of a day, who come by department, with the counts of all of them. */
export function dayList(people: readonly PersonOnDay[], asked: DayListAsked): DayList {
  const { status, shift, terminal, from, limit } = asked;
  const matching = people.filter(
    one =>
      (shift === undefined || one.shift === shift) &&
      (terminal === undefined || (terminal !== null && one.terminals.includes(terminal))),
  );
  const listed = matching.filter(one => status === undefined || status.includes(one.status));
  return {
    isPlanned: people.some(one => one.status !== 'none'),
    counts: countsOf(matching),
    shifts: groupsOf(
      people.filter(one => one.shift !== null),
      one => one.shift!,
    ).map(([code, of]) => ({ code, counts: countsOf(of) })),
    departments: groupsOf(people, ({ person }) => person.departmentExtId).map(([extId, of]) => ({
      ...{ extId, name: of[0]!.person.department, counts: countsOf(of) },
    })),
    terminals: terminalsOf(
      people.filter(({ missingAt }) => missingAt.length > 0),
      terminal ?? undefined,
    ).map(([deviceNo, count]) => ({ deviceNo, people: count })),
    total: listed.length,
    rows: listed.sort(inOrder).slice(from, from + limit),
  };
}

const order = new Map(statusNames.map((status, place) => [status, place]));

const inOrder = (one: PersonOnDay, other: PersonOnDay): number =>
  order.get(one.status)! - order.get(other.status)! || (one.plannedOn ?? 0) - (other.plannedOn ?? 0);

function countsOf(people: readonly PersonOnDay[]): Counts {
  const found = Object.fromEntries(statusNames.map(status => [status, 0])) as Counts;
  for (const { status } of people) found[status]++;
  return found;
}

/** Those with most people who are absent first. */
function groupsOf(people: readonly PersonOnDay[], keyOf: (one: PersonOnDay) => string): [string, PersonOnDay[]][] {
  const troubleOf = (of: readonly PersonOnDay[]) => of.filter(({ status }) => status === 'absent').length;
  return [...Map.groupBy(people, keyOf)].sort(([, one], [, other]) => troubleOf(other) - troubleOf(one));
}

/** Those with most people first; the one that is asked for also without anybody. */
function terminalsOf(people: readonly PersonOnDay[], asked: DeviceNo | undefined): [DeviceNo, number][] {
  const found = new Map<DeviceNo, number>(asked === undefined ? [] : [[asked, 0]]);
  for (const { terminals } of people)
    for (const deviceNo of terminals) found.set(deviceNo, (found.get(deviceNo) ?? 0) + 1);
  return [...found].sort(([, one], [, other]) => other - one);
}

/** Of people who were expected by now, how many have come, and how many of these late. */
export interface Arrived {
  readonly due: number;
  readonly came: number;
  readonly late: number;
}

export function arrivedOf(people: readonly PersonOnDay[]): Arrived {
  const { absent, late, ...counts } = countsOf(people.filter(({ status }) => isDue(status)));
  const due = Object.values(counts).reduce((sum, count) => sum + count, absent + late);
  return { due, came: due - absent, late };
}
