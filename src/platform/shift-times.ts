import { type DayMinute, minuteText } from './shifts.ts';

/**
 * Times of shifts as people write them, `22:00-06:00`. An end that is not after its start lies on
 * the next day, and so does whatever follows it; 24:00 and 26:00 are read as well.
 */

const span = /^(\d{1,2}):(\d{2})\s*(?:[-~\u2013\u2014]|to)\s*(\d{1,2}):(\d{2})$/;

/**
 * Span of a text such as 22:00-06:00; null for any other text. `after`: the start of the shift,
 * before which nothing lies.
 */
export function readSpan(written: string, after: DayMinute = 0): { from: DayMinute; to: DayMinute } | null {
  const found = span.exec(written.trim());
  if (!found) return null;
  const [fromHour, fromMinute, toHour, toMinute] = found.slice(1).map(Number) as [number, number, number, number];
  if (fromHour > 47 || toHour > 48 || fromMinute > 59 || toMinute > 59) return null;
  let from = fromHour * 60 + fromMinute;
  let to = toHour * 60 + toMinute;
  if (from < after && from < 1440) from += 1440;
  while (to <= from && to < 1440 * 2) to += 1440;
  return to <= from || to > 2880 ? null : { from, to };
}

export const spanText = (from: DayMinute, to: DayMinute): string => `${minuteText(from)}-${minuteText(to)}`;
