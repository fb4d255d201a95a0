import { clock, day } from './numbers.ts';

/**
 * Milliseconds of `2026-11-20T08:00`, as an input field writes it, in the time zone of the site.
 * Null: it is not a time.
 */
export function atSite(local: string): number | null {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return null;
  const shownAt = (at: number): number => Date.parse(`${day(at)}T${clock(at)}Z`);
  const guess = wanted - (shownAt(wanted) - wanted);
  // A second step, for an hour in which the clocks were changed.
  return guess - (shownAt(guess) - wanted);
}
