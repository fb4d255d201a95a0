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

/** The two steps, and how busy this thread is. */
interface Means {
  readonly pages: () => Promise<void>;
  readonly all: () => Promise<void>;
  /** Share of the time used since the last call, 0 to 1. */
  readonly busy: () => number;
}

/**
 * Gives memory back after the start, most of which is never needed again: on a small box half of
 * the program's memory (docs/performance.md). The pages of the program go at once, as they cost
 * nothing: after a power cut all devices are at the box before a second is quiet. All the rest goes
 * once, a while later, in the first quiet second. `others` does that for other threads.
 */
export function settleAfterStart(clock: Clock, others: () => Promise<void>, means: Partial<Means> = {}): Disposable {
  const { pages, all, busy } = { pages: giveBackPages, all: giveBack, busy: loopUse(), ...means };
  const ending = new AbortController();
  const settling = async () => {
    await pages();
    await clock.sleep(afterMs, ending.signal);
    do {
      busy();
      await clock.sleep(quietMs, ending.signal);
    } while (busy() > quietBelow);
    await others();
    await all();
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
  (await libc()).malloc_trim(0n);
  await giveBackPages();
}

/** The pages of the program: takes some milliseconds, and what is needed comes back as fast. */
export async function giveBackPages(): Promise<void> {
  const { madvise } = await libc();
  for (const { from, to } of programPages(await readFile('/proc/self/smaps', 'utf8')))
    madvise(from, to - from, MADV_DONTNEED);
}

async function libc() {
  const { dlopen } = await import('node:ffi');
  const { functions } = dlopen('libc.so.6', {
    malloc_trim: { arguments: ['u64'], return: 'i32' },
    madvise: { arguments: ['u64', 'u64', 'i32'], return: 'i32' },
  });
  return functions;
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
