import type { UnixMs, UnixSeconds } from './clock.ts';

/**
 * The day of a time zone in which a moment lies: its name, its first second, and the first of the
 * next. Days are 23 to 25 hours long.
 */
export function dayOf(now: UnixMs, timeZone: string): { day: string; from: UnixSeconds; to: UnixSeconds } {
  const day = nameOf(now, timeZone);
  return { day, ...boundsOf(day, timeZone) };
}

/** First second of `YYYY-MM-DD`, and the first of the next day. */
export function boundsOf(day: string, timeZone: string): { from: UnixSeconds; to: UnixSeconds } {
  return { from: startOf(day, timeZone), to: startOf(dayAfter(day), timeZone) };
}

/** First second of the month `YYYY-MM`, and the first of the next; null for what is no month. */
export function monthBoundsOf(month: string, timeZone: string): { from: UnixSeconds; to: UnixSeconds } | null {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return null;
  const [year, number] = month.split('-').map(Number) as [number, number];
  const next =
    number === 12
      ? `${String(year + 1).padStart(4, '0')}-01`
      : `${month.slice(0, 5)}${String(number + 1).padStart(2, '0')}`;
  return { from: startOf(`${month}-01`, timeZone), to: startOf(`${next}-01`, timeZone) };
}

export const isDay = (text: string): boolean =>
  /^\d{4}-(0[1-9]|1[0-2])-\d{2}$/.test(text) &&
  new Date(Date.parse(`${text.slice(0, 7)}-01`) + (Number(text.slice(8)) - 1) * 86_400_000)
    .toISOString()
    .startsWith(text);

/** The day `by` days after `YYYY-MM-DD`; before it where `by` is negative. */
export function dayAfter(day: string, by = 1): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + by);
  return date.toISOString().slice(0, 10);
}

const nameOf = (at: UnixMs, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);

/**
 * By bisection: a day begins at 00:00, or where a shift of the clock swallows that, a little later.
 */
function startOf(day: string, timeZone: string): UnixSeconds {
  const noonUtc = Date.parse(`${day}T12:00:00Z`) / 1000;
  let before = noonUtc - 36 * 3600;
  let within = noonUtc + 36 * 3600;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (nameOf(middle * 1000, timeZone) < day) before = middle;
    else within = middle;
  }
  return within;
}
