import { clock, day } from './numbers.ts';

/**
 * Milliseconds of `2026-11-20T08:00`, as a field for date and time writes it, by the clock of the
 * site. Null: it is no time.
 */
export function atSite(local: string): number | null {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return null;
  const shownAt = (at: number): number => Date.parse(`${day(at)}T${clock(at)}Z`);
  const guess = wanted - (shownAt(wanted) - wanted);
  // Again, for an hour in which the clocks were changed.
  return guess - (shownAt(guess) - wanted);
}
