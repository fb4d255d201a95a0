import { readFileSync } from 'node:fs';

/**
 * Bar for any deed of a box, in MB (docs/performance.md). Far from what a deed takes: how far the
 * garbage collector lets a heap grow depends on what else the machine does.
 */
export const deedMBMax = 160;

/**
 * Watches how much memory a process holds of its own, in MB: what the system cannot take back. The
 * pages of the executable are left out: as many count as happen to lie in the page cache, 10 MB
 * more or less by who has read the file last.
 */
export function watchOwnMemory(pid: number) {
  let peakMB = 0;
  const look = () => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const kB = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
      peakMB = Math.max(peakMB, (kB('RssAnon') + kB('RssShmem')) / 1024);
    } catch {
      // It has ended.
    }
  };
  const timer = setInterval(look, 20);
  return {
    /** The most so far. */
    get peakMB(): number {
      look();
      return peakMB;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
