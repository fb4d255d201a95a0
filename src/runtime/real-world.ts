import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Random } from './clock.ts';

/** The one place where the program asks the machine for time and chance. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, signal ? { signal } : {});
  },
};

export const realRandom: Random = () => Math.random();
