import type { UnixMs } from '../runtime/clock.ts';

/**
 * Whether a window of `lengthMs` that ends at `until` is open. One that ends more than a whole
 * length too late was opened by a clock that was ahead and has been set right: it is over.
 */
export const isOpenWindow = (until: UnixMs | null, lengthMs: number, now: UnixMs): boolean =>
  until !== null && now < until && now > until - 2 * lengthMs;
