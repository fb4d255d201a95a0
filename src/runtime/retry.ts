import type { Random } from './clock.ts';

const msMin = 3000;
const msMax = 5000;

/**
 * Milliseconds until the next try: 3 to 5 s (SPEC 5.1), with jitter, so that not all devices of a
 * site come back at once.
 */
export const nextTry = (random: Random): number => Math.round(msMin + random() * (msMax - msMin));
