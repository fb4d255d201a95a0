import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A group of processes that the kernel holds to a bound of memory; what goes over it is killed. */
export interface MemoryGroup extends Disposable {
  add(pid: number): void;
}

const root = '/sys/fs/cgroup';

/** Null where this machine or this user may make none (cgroup v2 first, then v1). */
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
      // A process is still in it: it is gone with the machine.
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

/** Megabytes of memory that a process holds; undefined when it is no more. */
export function residentMb(pid: number): number | undefined {
  try {
    const kb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return Number.isNaN(kb) ? undefined : kb / 1024;
  } catch {
    return undefined;
  }
}
