import type { UnixMs } from './clock.ts';

/**
 * Returns the day `YYYY-MM-DD` of a moment in a time zone (SPEC 8: the log counter turns at 00:00).
 * Formatting a date costs more than a log record: the day is remembered until the next midnight,
 * found once a day by bisection, so that shifts of the zone are right.
 */
export function localDays(timeZone: string): (now: UnixMs) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  let day = '';
  let from = 0;
  let to = 0;
  return now => {
    if (now >= from && now < to) return day;
    day = format.format(now);
    from = now;
    let inside = now;
    let outside = now + 26 * 3_600_000;
    while (outside - inside > 1) {
      const middle = Math.floor((inside + outside) / 2);
      if (format.format(middle) === day) inside = middle;
      else outside = middle;
    }
    to = outside;
    return day;
  };
}
