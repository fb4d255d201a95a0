import type { UnixMs } from '../runtime/clock.ts';

/**
 * When the day that `dayOf` names began, to the second; found by bisection, so that shifts of the
 * zone are right.
 */
export function startOfDay(dayOf: (now: UnixMs) => string, now: UnixMs): UnixMs {
  const today = dayOf(now);
  let inside = now;
  let before = now - 26 * 3_600_000;
  while (inside - before > 1000) {
    const middle = Math.floor((inside + before) / 2);
    if (dayOf(middle) === today) inside = middle;
    else before = middle;
  }
  return inside;
}
