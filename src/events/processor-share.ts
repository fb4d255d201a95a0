import { availableParallelism } from 'node:os';
import type { Clock } from '../runtime/clock.ts';

/**
 * Returns what says which share of the processor time that this process may use it has used since
 * the last call, all threads together: 0 to 1.
 */
export function processorShare(clock: Clock): () => number {
  const cores = availableParallelism();
  let at = clock.monotonic();
  let used = process.cpuUsage();
  return () => {
    const now = clock.monotonic();
    const { user, system } = process.cpuUsage(used);
    const share = (user + system) / 1000 / Math.max(1, now - at) / cores;
    [at, used] = [now, process.cpuUsage()];
    return Math.min(1, share);
  };
}
