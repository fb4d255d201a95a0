/**
 * A date or a year that does not exist, such as 2027-02-29; the message says what was asked for and
 * the form to write.
 */
export class NoSuchDay extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NoSuchDay';
  }
}

/** A day of the calendar, without a time zone. */
export interface CalendarDay {
  /** 1 to 9999. */
  readonly year: number;
  /** `YYYY-MM-DD` (SPEC 4.7; DESIGN 5 for the form that SPEC 2.9 leaves open). */
  readonly text: string;
  /** 0 Sunday to 6 Saturday. */
  readonly weekday: number;
}

export const isYear = (year: number): boolean => Number.isInteger(year) && year >= 1 && year <= 9999;

/** The day of the three numbers, or undefined when there is none, such as the 30th of February. */
export function calendarDay(year: number, month: number, day: number): CalendarDay | undefined {
  if (!isYear(year)) return undefined;
  // Not Date.UTC: it takes the years 0 to 99 for 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return { year, text: date.toISOString().slice(0, 10), weekday: date.getUTCDay() };
}

/** Reads `YYYY-MM-DD` and nothing else. Throws `NoSuchDay`. */
export function readDay(text: string): CalendarDay {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (!match) throw new NoSuchDay('not a day: write YYYY-MM-DD');
  const day = calendarDay(Number(match[1]), Number(match[2]), Number(match[3]));
  if (!day) throw new NoSuchDay('no such day');
  if (day.text !== text) throw new NoSuchDay(`not a day: write ${day.text}`);
  return day;
}
