import { addDays, weekdayOf } from '../runtime/calendar-date.ts';
import type { UnixMs } from '../runtime/clock.ts';
import { wallTime } from '../runtime/wall-time.ts';
import type { Schedule } from './settings.ts';

const hourMs = 3_600_000;
/** Every weekday comes again within so many days. */
const lookDays = 9;

/**
 * The first moment after `after` at which a backup is due. A time that the clocks skip moves
 * forward; of one that comes twice it is the first.
 */
export function nextRun({ times, days }: Schedule, timeZone: string, after: UnixMs): UnixMs {
  const { dateOf, read } = wallTime(timeZone);
  const today = dateOf(after / 1000);
  const due = Array.from({ length: lookDays }, (_, index) => addDays(today, index - 1))
    .filter(day => days.includes(weekdayOf(day)))
    .flatMap(day => times.map(time => read(`${day}T${time}`) * 1000));
  return Math.min(...due.filter(at => at > after));
}

/**
 * The longest time between two runs of a week, in milliseconds: a backup that is twice as old is
 * too old.
 */
function intervalMs(schedule: Schedule): number {
  const minutes = schedule.days
    .flatMap(day => schedule.times.map(time => (day - 1) * 1440 + minuteOf(time)))
    .sort((a, b) => a - b);
  const gaps = minutes.map((at, index) => (minutes[index + 1] ?? minutes[0]! + 7 * 1440) - at);
  return Math.max(...gaps) * 60_000;
}

/** After so long without a good backup something is wrong: two runs were missed. */
export const tooOldMs = (schedule: Schedule): number => 2 * intervalMs(schedule) + hourMs;

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
