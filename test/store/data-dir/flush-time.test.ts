import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { flushTime, measuredFlushTime } from '../../../src/store/data-dir/flush-time.ts';

let folder: string;
// Not in the folder for temporary files, which may be in memory.
beforeEach(() => {
  folder = mkdtempSync('/var/tmp/gatehouse-flush-');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Each reading of the clock is so much later than the one before. */
const clockOf = (stepMs: number) => {
  let at = 0;
  return () => (at += stepMs);
};

test('the time of a flush is measured once for a disk, and kept', () => {
  expect(flushTime(folder)).toBeNull();
  expect(measuredFlushTime(folder, clockOf(0.5))).toEqual({ ms: 0.5, isTooFast: false });
  expect(measuredFlushTime(folder, clockOf(7))).toEqual({ ms: 0.5, isTooFast: false });
  expect(flushTime(folder)).toEqual({ ms: 0.5, isTooFast: false });
  expect(readdirSync(folder)).toEqual(['flush.json']);
});

test('a data directory that came to another disk is measured there', () => {
  writeFileSync(join(folder, 'flush.json'), JSON.stringify({ device: -1, ms: 12 }));
  expect(measuredFlushTime(folder, clockOf(0.5))).toEqual({ ms: 0.5, isTooFast: false });
});

test('a flush that is faster than any disk is not believed', () => {
  expect(measuredFlushTime(folder, clockOf(1 / 256))).toEqual({ ms: 1 / 256, isTooFast: true });
});

test('what cannot be measured stops nothing', () => {
  expect(measuredFlushTime(join(folder, 'nowhere'), clockOf(1))).toBeNull();
  writeFileSync(join(folder, 'flush.json'), '{');
  expect(flushTime(folder)).toBeNull();
});
