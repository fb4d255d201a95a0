import type { UnixSeconds } from './clock.ts';

/** `2026-11-16T18:00` or `2026-11-16T18:00:30`: what a clock on a wall shows. */
export const wallTimePattern = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

/**
 * Returns the moment at which clocks of a place show a wall time; null for what is no wall time.
 * `offsetSeconds`: how far that place is ahead of UTC at a moment. Of a time that comes twice it is
 * the first; a time that the clocks skip moves forward by what they skip.
 */
export function instantOf(wall: string, offsetSeconds: (at: UnixSeconds) => number): UnixSeconds | null {
  if (!wallTimePattern.test(wall)) return null;
  const shown = Date.parse(`${wall}Z`) / 1000;
  if (Number.isNaN(shown) || !new Date(shown * 1000).toISOString().startsWith(wall.slice(0, 16))) return null;
  const day = 86_400;
  const before = shown - offsetSeconds(shown - day);
  const after = shown - offsetSeconds(shown + day);
  for (const at of before < after ? [before, after] : [after, before]) if (at + offsetSeconds(at) === shown) return at;
  return before;
}
