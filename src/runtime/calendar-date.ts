/** Arithmetic on dates `YYYY-MM-DD`, without a time zone: a day is one more than the day before. */

const dayMs = 86_400_000;

/** Of each map: more dates than reports of a site have. A full map is emptied. */
const keptMax = 10_000;
const numbers = new Map<string, number>();
const dates = new Map<number, string>();

/** Days since 1970-01-01; negative before it. */
export function dayNumber(date: string): number {
  let number = numbers.get(date);
  if (number === undefined) {
    number = Date.parse(`${date}T00:00:00Z`) / dayMs;
    if (numbers.size >= keptMax) numbers.clear();
    numbers.set(date, number);
  }
  return number;
}

export function dateOfDay(number: number): string {
  let date = dates.get(number);
  if (date === undefined) {
    date = new Date(number * dayMs).toISOString().split('T')[0]!;
    if (dates.size >= keptMax) dates.clear();
    dates.set(number, date);
  }
  return date;
}

export const addDays = (date: string, days: number): string => dateOfDay(dayNumber(date) + days);

/** 1 for Monday to 7 for Sunday. */
export const weekdayOf = (date: string): number => ((((dayNumber(date) + 3) % 7) + 7) % 7) + 1;

/** The Monday of a date's week. */
export const mondayOf = (date: string): string => addDays(date, 1 - weekdayOf(date));

/** Whether a text is a date of the calendar: `2026-02-29` is none. */
export const isDay = (text: string): boolean =>
  /^\d{4}-(0[1-9]|1[0-2])-\d{2}$/.test(text) && addDays(`${text.slice(0, 7)}-01`, Number(text.slice(8)) - 1) === text;
