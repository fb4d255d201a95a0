/** Entry of the site's calendar for a day; null without one. */
interface CalendarDay {
  readonly type: 'WORK' | 'BREAK';
}

/** The most that the pages may say of those who have no check-in on a day. */
type AbsenceClaim =
  /** Not come in yet, or at all. */
  | 'missing'
  /** Nothing: nobody was expected, or the day has not begun. */
  | 'none';

/**
 * Whether somebody without a check-in may be called missing. Without a schedule this is all that
 * the box knows: on a workday of the calendar people are expected, on days off and on days to come
 * nobody is. Whoever came for the first time later was not there yet, and is asked for by
 * `cameByThen` (store/port/people.ts). Where people have schedules, see `schedules/day-status.ts`.
 */
export const absenceOn = (day: string, today: string, calendar: CalendarDay | null): AbsenceClaim =>
  day <= today && calendar?.type === 'WORK' ? 'missing' : 'none';
