import { computed } from '@preact/signals';
import { language } from '../../words/index.ts';

/**
 * Arithmetic with the site's days and months as text, `2026-11-20` and `2026-11`; no time zone is
 * involved.
 */

const shifted = (day: string, by: number): string => {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + by);
  return date.toISOString().slice(0, 10);
};
export const dayBefore = (day: string): string => shifted(day, -1);
export const dayAfter = (day: string): string => shifted(day, 1);

export function monthShifted(month: string, by: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const date = new Date(Date.UTC(year, number - 1 + by, 1));
  return date.toISOString().slice(0, 7);
}

/** All days of a month. */
export function datesOf(month: string): readonly string[] {
  const dates: string[] = [];
  for (let date = `${month}-01`; date.startsWith(month); date = dayAfter(date)) dates.push(date);
  return dates;
}

export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

export const isDay = (text: string | undefined): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '');
export const isMonth = (text: string | undefined): text is string => /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '');

/**
 * Kept: a month of 200 people names 6000 days, and to make a format takes longer than all else of
 * them together.
 */
const formats = computed(() => {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const { format: written } = new Intl.DateTimeFormat(language.value, { ...options, timeZone: 'UTC' });
    return (day: string) => written(new Date(`${day}T00:00:00Z`));
  };
  return {
    full: format({ dateStyle: 'full' }),
    long: format({ dateStyle: 'long' }),
    month: format({ month: 'long', year: 'numeric' }),
  };
});

/** `Monday, November 16, 2026`, `2026年11月16日星期一`: for headings. */
export const dayName = (day: string): string => formats.value.full(day);

/**
 * `November 6, 2026`, `2026年11月6日`: for the name of a mark that shows `6`, which `2026-11-06` does
 * not contain.
 */
export const dateName = (day: string): string => formats.value.long(day);

/** `November 2026`, `2026年11月`: for sentences. */
export const monthName = (month: string): string => formats.value.month(`${month}-01`);
