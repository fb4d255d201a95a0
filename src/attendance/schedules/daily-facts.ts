import type { DailyFacts, ReportedPerson, WorkdayBefore } from '../../platform/daily-report.ts';
import type { DateText } from '../../platform/shifts.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { DeviceNo } from '../../store/index.ts';
import { arrivedOf } from './day-list.ts';
import { type DayStatus, isDue, type PersonOnDay } from './day-status.ts';

/** Everybody of some departments on a day; nobody is in it twice. */
export interface PeopleOnDay {
  readonly day: DateText;
  readonly people: readonly PersonOnDay[];
}

/** Somebody of them has to work on this day: leave, rest days and holidays are quiet. */
export const isScheduled = ({ people }: PeopleOnDay): boolean =>
  people.some(({ status }) => isDue(status) || status === 'expected');

/**
 * Facts of a daily report: of `today` at `now`, and of the workday before without those who have
 * left the departments since.
 */
export function dailyFacts(
  today: PeopleOnDay,
  before: PeopleOnDay | null,
  { now, online }: { readonly now: UnixMs; readonly online: ReadonlySet<DeviceNo> },
): Omit<DailyFacts, 'corrections' | 'leaves'> {
  const { day, people } = today;
  const inStatus = (status: DayStatus) => people.filter(one => one.status === status);
  const absent = inStatus('absent');
  const named = namesApart(people);
  const { due, came } = arrivedOf(people);
  return {
    ...{ day, now, due, came, isScheduled: isScheduled(today) },
    absent: reported(absent, named),
    expectedLater: inStatus('expected').length,
    leave: inStatus('leave').length,
    offline: [...new Set(absent.flatMap(({ terminals }) => terminals))].filter(deviceNo => !online.has(deviceNo)),
    before: before && workdayOf(before, new Set(people.map(idOf)), named),
  };
}

function workdayOf({ day, people }: PeopleOnDay, stillHere: ReadonlySet<number>, named: Named): WorkdayBefore {
  const of = (status: DayStatus) =>
    reported(
      people.filter(one => one.status === status && stillHere.has(idOf(one))),
      named,
    );
  return { day, late: of('late'), absent: of('absent'), missing: of('missing') };
}

export const idOf = ({ person }: PersonOnDay): number => person.place.id;

type Named = (person: PersonOnDay['person']) => string;

/** Of people who share a name, each has the employee number beside it. */
function namesApart(people: readonly PersonOnDay[]): Named {
  const names = people.map(({ person }) => person.name).sort();
  const shared = new Set(names.filter((name, index) => name === names[index + 1]));
  return ({ name, employeeNum, extId }) =>
    name === '' ? extId : shared.has(name) ? `${name} ${employeeNum || extId}` : name;
}

/** By the start of their shift. */
const reported = (people: readonly PersonOnDay[], named: Named): ReportedPerson[] =>
  people
    .map(({ person, lateMinutes, plannedOn, missingAt }) => ({
      ...{ name: named(person), lateMinutes, plannedOn, missingAt },
    }))
    .sort((one, other) => (one.plannedOn ?? 0) - (other.plannedOn ?? 0));
