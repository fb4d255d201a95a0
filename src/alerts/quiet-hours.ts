import { addDays } from '../runtime/calendar-date.ts';
import type { UnixMs } from '../runtime/clock.ts';
import { wallTime } from '../runtime/wall-time.ts';

/** Hours of each day, in minutes after midnight; they may go over midnight. */
interface QuietHours {
  readonly from: number;
  readonly to: number;
}

/** `22:00-06:30`; null for what is no such span. */
export function parseQuietHours(text: string): QuietHours | null {
  const found = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  if (!found) return null;
  const [fromHour, fromMinute, toHour, toMinute] = found.slice(1).map(Number) as [number, number, number, number];
  const hours = { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute };
  return hours.from === hours.to ? null : hours;
}

/**
 * Whether a moment is in the quiet hours of a time zone, and otherwise when they ended last: what
 * waited for that goes out as a digest.
 */
export function quietAt(
  hours: QuietHours | null,
  now: UnixMs,
  timeZone: string,
): { readonly isQuiet: boolean; readonly endedAt: UnixMs | null } {
  if (!hours) return { isQuiet: false, endedAt: null };
  const { text, dateOf, instant } = wallTime(timeZone);
  const [hour, minute] = text(now / 1000)
    .slice(11, 16)
    .split(':')
    .map(Number) as [number, number];
  const at = hour * 60 + minute;
  const isQuiet = hours.from < hours.to ? at >= hours.from && at < hours.to : at >= hours.from || at < hours.to;
  if (isQuiet) return { isQuiet, endedAt: null };
  const today = dateOf(now / 1000);
  const ended = [today, addDays(today, -1)].map(date => instant(date, hours.to) * 1000);
  return { isQuiet, endedAt: ended.find(one => one <= now)! };
}
