import type { DateText, DayMinute } from '../../platform/shifts.ts';
import { addDays, dateOfDay, dayNumber } from '../../runtime/calendar-date.ts';
import type { UnixSeconds } from '../../runtime/clock.ts';
import { localTimes } from '../reports/local-time.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Which one is meant of a wall time that comes twice because the clock is set back. */
type Which = 'first' | 'second';

/** The clocks on the walls of a site, and the instants that they show. */
export interface WallTime {
  /**
   * When the clocks show a minute of a date; minutes from 1,440 on lie on the dates after it. A
   * time that the clocks skip moves forward by the gap: 02:30 becomes 03:30.
   */
  instant(date: DateText, minute: DayMinute, which: Which): UnixSeconds;
  /** Reads `2026-11-16T09:00`. */
  read(text: string, which: Which): UnixSeconds;
  dateOf(at: UnixSeconds): DateText;
  /** The clocks showed the same time before, and were then set back: "02:30 (2nd)". */
  isSecondTime(at: UnixSeconds): boolean;
}

export function wallTime(timeZone: string): WallTime {
  const { offsetSeconds } = localTimes(timeZone);

  const instant = (date: DateText, ofDay: DayMinute, which: Which): UnixSeconds => {
    const shown = dayNumber(date) * day + ofDay * minute;
    const before = shown - offsetSeconds(shown - day);
    const after = shown - offsetSeconds(shown + day);
    if (before === after) return before;
    const shows = (at: UnixSeconds) => at + offsetSeconds(at) === shown;
    if (shows(before) && shows(after)) return which === 'first' ? Math.min(before, after) : Math.max(before, after);
    // Where neither is shown, the clock skips it: the offset before the gap moves it forward.
    return shows(after) ? after : before;
  };

  return {
    instant,
    read(text, which) {
      const [date, time] = text.split('T') as [string, string];
      const [hours, minutes] = time.split(':').map(Number) as [number, number];
      return instant(date, hours * 60 + minutes, which);
    },
    dateOf: at => dateOfDay(Math.floor((at + offsetSeconds(at)) / day)),
    isSecondTime(at) {
      // No clock is set back by more than two hours.
      const setBack = offsetSeconds(at - 2 * hour) - offsetSeconds(at);
      return setBack > 0 && offsetSeconds(at - setBack) - offsetSeconds(at) === setBack;
    },
  };
}

/** First second of a date, and the first of the next one. */
export const dayBounds = (wall: WallTime, date: DateText): { from: UnixSeconds; to: UnixSeconds } => ({
  from: wall.instant(date, 0, 'first'),
  to: wall.instant(addDays(date, 1), 0, 'first'),
});

/** Seconds are cut: 09:05:59 counts as 09:05. */
export const cutToMinute = (at: UnixSeconds): UnixSeconds => at - (at % minute);
