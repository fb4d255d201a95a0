import { wallTime } from '../runtime/wall-time.ts';
import { WrongUsage } from './command.ts';

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const hasOffset = /(Z|[+-]\d{2}:?\d{2})$/i;

/** Milliseconds since 1970, once it is known where the clocks of the site stand. */
type Moment = (timeZone: string) => number;

/**
 * Reads a time as people write it: `2026-11-20`, `2026-11-20T08:00` with or without a zone
 * (without: the site's), `30m`, `2h` or `7d` ago, or Unix time in seconds or (over 10^11)
 * milliseconds. Throws `WrongUsage` for anything else.
 */
export function parseMoment(written: string, option: string, now: number): Moment {
  const ago = /^(\d+)([smhd])$/.exec(written);
  if (ago) return () => now - Number(ago[1]) * units[ago[2]!]!;
  if (/^\d{9,}$/.test(written)) return () => Number(written) * (Number(written) > 1e11 ? 1 : 1000);
  const text = /^\d{4}-\d{2}-\d{2}$/.test(written) ? `${written}T00:00` : written.replace(' ', 'T');
  const isTime = /^\d{4}-\d{2}-\d{2}T/.test(text);
  const exact = isTime && hasOffset.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(exact)) return () => exact;
  if (isWallTime(text)) return timeZone => wallTime(timeZone).read(text) * 1000;
  throw new WrongUsage(`--${option} "${written}": write a moment such as 2026-11-20, 2026-11-20T08:00 or 2h (ago)`);
}

/** Temporal would read past an offset or a zone behind it. */
function isWallTime(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text)) return false;
  try {
    Temporal.PlainDateTime.from(text);
    return true;
  } catch {
    return false;
  }
}
