import type { Random } from './clock.ts';
import { limits } from './limits.ts';

/** Milliseconds until the next try: 3 to 5 s (SPEC 5.1), with jitter so that a hall of devices does not come back at once. */
export const nextTry = (random: Random): number =>
  Math.round(limits.retryMsMin + random() * (limits.retryMsMax - limits.retryMsMin));
