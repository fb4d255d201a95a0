import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

/**
 * Notes what each test file cost, for the budget (`budget.ts`): seconds of processor time, of its
 * threads and of the processes that it started and that have ended.
 */

declare module 'vitest' {
  interface TaskMeta {
    processorSeconds?: number;
  }
}

/** The kernel counts in hundredths of a second (proc_pid_stat(5): utime, stime, cutime, cstime). */
function processorSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)!.split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

const before = processorSeconds();
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the first argument's pattern
afterAll(({}, file) => {
  file.meta.processorSeconds = processorSeconds() - before;
});
