import { WrongUsage } from './command.ts';

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads a time as people write it: `2026-11-20`, `2026-11-20T08:00` with or without a zone
 * (without: this machine's), `30m`, `2h` or `7d` ago, or Unix time in seconds or (over 10^11)
 * milliseconds.
 */
export function parseMoment(written: string, option: string, now: number): number {
  const ago = /^(\d+)([smhd])$/.exec(written);
  if (ago) return now - Number(ago[1]) * units[ago[2]!]!;
  if (/^\d{9,}$/.test(written)) return Number(written) > 1e11 ? Number(written) : Number(written) * 1000;
  const date = /^\d{4}-\d{2}-\d{2}$/.test(written) ? `${written}T00:00` : written.replace(' ', 'T');
  const time = /^\d{4}-\d{2}-\d{2}T/.test(date) ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(time))
    throw new WrongUsage(`--${option} "${written}": write a moment such as 2026-11-20, 2026-11-20T08:00 or 2h (ago)`);
  return time;
}
