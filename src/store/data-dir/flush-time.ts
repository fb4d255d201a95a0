import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { unfitFileSystem } from '../../runtime/file-system.ts';

const file = 'flush.json';
const tries = 9;
const bytes = 4096;
/** Shorter than any disk takes for a write and its flush: the fastest need some 30 µs. */
const believedMs = 0.02;

export interface FlushTime {
  /** From a write of 4 KiB until the system says that it is on disk: the median. */
  readonly ms: number;
  /** No disk is that fast: something answers a flush before it is done. */
  readonly isTooFast: boolean;
}

/** The time that was measured at the first start on this disk; null: none was. */
export function flushTime(dataDir: string): FlushTime | null {
  try {
    const kept = JSON.parse(readFileSync(join(dataDir, file), 'utf8')) as { device: number; ms: number };
    return kept.device === statSync(dataDir).dev ? judged(kept.ms) : null;
  } catch {
    return null;
  }
}

/**
 * The same, measured now if it was not. Null: there is nothing to measure in memory, or the disk
 * takes no file, which stops no start. `now` is in milliseconds, on a monotonic clock.
 */
export function measuredFlushTime(dataDir: string, now: () => number): FlushTime | null {
  const known = flushTime(dataDir);
  if (known !== null) return known;
  try {
    if (unfitFileSystem(dataDir)?.why === 'memory') return null;
    const ms = measure(join(dataDir, '.flush-probe'), now);
    // A clock that stands still, as a test's may, measures nothing.
    if (ms === 0) return null;
    writeFileSync(join(dataDir, file), JSON.stringify({ device: statSync(dataDir).dev, ms }));
    return judged(ms);
  } catch {
    return null;
  }
}

const judged = (ms: number): FlushTime => ({ ms, isTooFast: ms < believedMs });

/** Each write makes the file longer, so that the file system has its own part to flush too. */
function measure(probe: string, now: () => number): number {
  const handle = openSync(probe, 'w', 0o600);
  try {
    const taken = Array.from({ length: tries }, () => {
      const since = now();
      writeSync(handle, Buffer.alloc(bytes));
      fdatasyncSync(handle);
      return now() - since;
    });
    return taken.sort((a, b) => a - b)[(tries - 1) / 2]!;
  } finally {
    closeSync(handle);
    rmSync(probe, { force: true });
  }
}
