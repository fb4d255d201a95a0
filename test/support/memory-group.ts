import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A group of processes with a memory limit; the kernel kills what exceeds it. */
export interface MemoryGroup extends Disposable {
  add(pid: number): void;
}

const root = '/sys/fs/cgroup';

/** Null where this user cannot create one (tries cgroup v2, then v1). */
export function aMemoryGroup(bytesMax: number): MemoryGroup | null {
  const name = `gatehouse-test-${process.pid}`;
  const [folder, key] = existsSync(join(root, 'cgroup.controllers'))
    ? [join(root, name), 'memory.max']
    : [join(root, 'memory', name), 'memory.limit_in_bytes'];
  try {
    mkdirSync(folder);
  } catch {
    return null;
  }
  const remove = () => {
    try {
      rmdirSync(folder);
    } catch {
      // A process is still in it: it disappears at the next boot.
    }
  };
  try {
    writeFileSync(join(folder, key), String(bytesMax));
  } catch {
    remove();
    return null;
  }
  return { add: pid => writeFileSync(join(folder, 'cgroup.procs'), String(pid)), [Symbol.dispose]: remove };
}

/** Megabytes of memory that a process holds; undefined when it has ended. */
export function residentMb(pid: number): number | undefined {
  try {
    const kb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return Number.isNaN(kb) ? undefined : kb / 1024;
  } catch {
    return undefined;
  }
}
