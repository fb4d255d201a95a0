import { readFile } from 'node:fs/promises';
import type { Clock } from '../runtime/clock.ts';
import { collectAllGarbage } from '../runtime/garbage.ts';

/** Long enough for the rush after a start, when all devices connect again. */
const afterMs = 15_000;
/**
 * Giving memory back stops a thread for a tenth of a second, and its code is compiled again
 * afterwards: under load that costs a seventh of the throughput for a while.
 */
const quietMs = 1000;
const quietBelow = 0.25;

/**
 * Gives memory back once, a while after the start, in the first quiet second: most of what the
 * start takes is never needed again. `others` does the same for other threads. On a small box it is
 * half of the program's memory (docs/performance.md). `busy`: share of the time used since the last
 * call, 0 to 1.
 */
export function settleAfterStart(clock: Clock, others: () => Promise<void>, busy = loopUse()): Disposable {
  const ending = new AbortController();
  const settling = async () => {
    await clock.sleep(afterMs, ending.signal);
    do {
      busy();
      await clock.sleep(quietMs, ending.signal);
    } while (busy() > quietBelow);
    await others();
    await giveBack();
  };
  settling().catch(() => {}); // stopped before, or a machine without these means: it holds more, and works
  return { [Symbol.dispose]: () => ending.abort() };
}

function loopUse(): () => number {
  let asked = performance.eventLoopUtilization();
  return () => {
    const before = asked;
    asked = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(asked, before).utilization;
  };
}

/** The heap's garbage, the C library's free memory, and the pages of the program itself. */
export async function giveBack(): Promise<void> {
  collectAllGarbage();
  const { dlopen } = await import('node:ffi');
  const { functions } = dlopen('libc.so.6', {
    malloc_trim: { arguments: ['u64'], return: 'i32' },
    madvise: { arguments: ['u64', 'u64', 'i32'], return: 'i32' },
  });
  functions.malloc_trim(0n);
  for (const { from, to } of programPages(await readFile('/proc/self/smaps', 'utf8')))
    functions.madvise(from, to - from, MADV_DONTNEED);
}

const MADV_DONTNEED = 4;

/**
 * Where files are mapped and nothing was ever written: the kernel may drop such pages at any time,
 * and brings back what is touched again from its cache of the file. It would do so by itself only
 * when memory has become scarce, which on a small box is when the devices want it.
 */
export function programPages(smaps: string): { readonly from: bigint; readonly to: bigint }[] {
  const pages = [];
  for (const mapping of smaps.split(/^(?=[\da-f]+-[\da-f]+ )/m)) {
    const [, from, to, inode] = /^([\da-f]+)-([\da-f]+) r-[x-]p \S+ \S+ (\d+) /.exec(mapping) ?? [];
    if (from && to && inode !== '0' && /^Anonymous: +0 kB$/m.test(mapping))
      pages.push({ from: BigInt(`0x${from}`), to: BigInt(`0x${to}`) });
  }
  return pages;
}
