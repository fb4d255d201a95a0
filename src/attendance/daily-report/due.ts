import type { DateText } from '../../platform/shifts.ts';
import { addDays } from '../../runtime/calendar-date.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import { wallTime } from '../../runtime/wall-time.ts';

/**
 * How long after its time a report goes out: while its channel fails, and when the box was off.
 * Later it is skipped, as nobody acts on it any more.
 */
const sentWithinMs = 3 * 3600_000;

export interface Due {
  readonly day: DateText;
  readonly from: UnixMs;
  /** Exclusive. */
  readonly until: UnixMs;
}

/**
 * The last report that was due by `now`. One whose time the clocks skip comes an hour later; null:
 * it was due before `since`, when its entry was made.
 */
export function lastDue(at: string, timeZone: string, now: UnixMs, since: UnixMs): Due | null {
  const { dateOf, read } = wallTime(timeZone);
  const today = dateOf(now / 1000);
  const [day, from] = [today, addDays(today, -1)]
    .map(date => [date, read(`${date}T${at}`) * 1000] as const)
    .find(([, moment]) => moment <= now)!;
  return from < since ? null : { day, from, until: from + sentWithinMs };
}
