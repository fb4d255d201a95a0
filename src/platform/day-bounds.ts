import type { UnixMs, UnixSeconds } from './clock.ts';

/** The day of a time zone in which a moment lies: its name, its first second, and the first of the next. Days are 23 to 25 hours long. */
export function dayOf(now: UnixMs, timeZone: string): { day: string; from: UnixSeconds; to: UnixSeconds } {
  const day = nameOf(now, timeZone);
  return { day, ...boundsOf(day, timeZone) };
}

/** First second of `YYYY-MM-DD`, and the first of the next day. */
export function boundsOf(day: string, timeZone: string): { from: UnixSeconds; to: UnixSeconds } {
  return { from: startOf(day, timeZone), to: startOf(nextDay(day), timeZone) };
}

export function nextDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}

const nameOf = (at: UnixMs, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);

/** By bisection: a day begins at 00:00, or where a shift of the clock swallows that, a little later. */
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
