/** Arithmetic on dates `YYYY-MM-DD`, without a time zone: a day is one more than the day before. */

const dayMs = 86_400_000;

/** Days since 1970-01-01; negative before it. */
export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

export const dateOfDay = (number: number): string => new Date(number * dayMs).toISOString().split('T')[0]!;

export const addDays = (date: string, days: number): string => dateOfDay(dayNumber(date) + days);

/** 1 for Monday to 7 for Sunday. */
export const weekdayOf = (date: string): number => ((((dayNumber(date) + 3) % 7) + 7) % 7) + 1;

/** The Monday of a date's week. */
export const mondayOf = (date: string): string => addDays(date, 1 - weekdayOf(date));

/** Whether a text is a date of the calendar: `2026-02-29` is none. */
export const isDay = (text: string): boolean =>
  /^\d{4}-(0[1-9]|1[0-2])-\d{2}$/.test(text) && addDays(`${text.slice(0, 7)}-01`, Number(text.slice(8)) - 1) === text;
