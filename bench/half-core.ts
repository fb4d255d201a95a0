import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from './report.ts';
import type { Pace } from './rounds.ts';
import { program, startBox } from './servers.ts';
import { worseOff } from './worse.ts';

/** Half of each 10 ms: what a neighbour on the same core would leave. */
const [quotaUs, periodUs] = [5000, 10_000];

/** Where the kernel shares out processor time: version 1 of its control groups, or 2. */
const groups = [
  { folder: '/sys/fs/cgroup/cpu', limit: { 'cpu.cfs_period_us': `${periodUs}`, 'cpu.cfs_quota_us': `${quotaUs}` } },
  { folder: '/sys/fs/cgroup', limit: { 'cpu.max': `${quotaUs} ${periodUs}` } },
].find(({ folder }) => existsSync(join(folder, 'cgroup.procs')));

/** Whether this process may make a group with a share of processor time. */
export function canLimitProcessor(): boolean {
  try {
    makeGroup('gatehouse-bench-try').end();
    return true;
  } catch {
    return false;
  }
}

function makeGroup(name: string): { readonly processes: string; readonly end: () => void } {
  if (!groups) throw new Error('no control groups are mounted');
  const folder = join(groups.folder, name);
  mkdirSync(folder);
  try {
    for (const [file, value] of Object.entries(groups.limit)) writeFileSync(join(folder, file), value);
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  return { processes: join(folder, 'cgroup.procs'), end: () => rmdirSync(folder) };
}

/** The box with half a core: on a board that does something else too, or on a host that is shared. */
export async function halfCore(pace: Pace): Promise<Row[]> {
  const group = makeGroup(`gatehouse-bench-${process.pid}`);
  try {
    return await worseOff(pace, {
      name: 'half a core',
      usual: () => startBox(),
      worse: () => startBox({ command: ['sh', '-c', `echo $$ > ${group.processes}; exec "$@"`, 'sh', ...program] }),
      how: `the kernel lets its threads run ${quotaUs / 1000} ms of each ${periodUs / 1000} together`,
    });
  } finally {
    group.end();
  }
}
