import type { DateText, Shift } from '../../platform/shifts.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import type { RosterRule, ScheduleReads } from '../../store/index.ts';
import type { AttendanceResults } from './attendance-results.ts';
import type { DayResult } from './result.ts';

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
 * How many days that are over, of how many people, get another result from other plans: what a
 * clerk sees before a roster that reaches into the past is saved. Looks at 92 days and 1000 people
 * at most; a person takes about two milliseconds a month.
 */
export async function planChange(
  results: Pick<AttendanceResults, 'of' | 'withPlans'>,
  plans: Partial<Pick<ScheduleReads, 'shifts' | 'rosterRules'>>,
  {
    from,
    today,
    signal,
  }: { readonly from: DateText; readonly today: DateText; readonly signal?: AbortSignal | undefined },
): Promise<PlanChange> {
  const earliest = addDays(today, -daysBackMax);
  const since = from < earliest ? earliest : from;
  const change = { days: 0, people: 0, since, cut: false };
  if (since >= today) return change;
  const query = { from: since, to: addDays(today, -1), limit: peopleMax + 1, signal };
  const others = results.withPlans(plans).of(query);
  let seen = 0;
  for await (const { days } of results.of(query)) {
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
