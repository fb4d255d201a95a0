import { isDay } from '../../runtime/calendar-date.ts';

/**
 * The day that is written as `2026-11-20`, `2026/11/20`, `2026.11.20` or `2026年11月20日`, with a
 * time of day or without, as `2026-11-20`. Null: none of these. Forms with the year at the end are
 * refused, because they mean different days in different countries.
 */
export function dateIn(text: string): string | null {
  const found = /^(\d{4})\s*[-/.\u5e74]\s*(\d{1,2})\s*[-/.\u6708]\s*(\d{1,2})\u65e5?([ T].*)?$/.exec(text.trim());
  if (!found) return null;
  const [, year, month, day] = found;
  const written = `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
  return isDay(written) ? written : null;
}
