import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addPackedWaits,
  boundMsOf,
  packWaits,
  WaitTimes,
  waitBuckets,
  waitOfShare,
} from '../../src/runtime/wait-times.ts';

test('of a hundred waits the one that 99 kept is known to a fifth', () => {
  const waits = new WaitTimes();
  for (let ms = 1; ms <= 100; ms++) waits.add(ms, 1);
  const found = waitOfShare(waits.counts, 0.99)!;
  expect(found).toBeGreaterThanOrEqual(99);
  expect(found).toBeLessThan(99 * 1.19);
  expect(waits.sumMs).toBe(5050);
});

test('a wait of any length is counted, and nothing waited where nothing is', () => {
  const waits = new WaitTimes();
  expect(waitOfShare(waits.counts, 0.99)).toBeNull();
  waits.add(0, 3);
  expect(waitOfShare(waits.counts, 0.99)).toBe(boundMsOf(0));
  waits.add(3_600_000, 1);
  expect(waits.counts[waitBuckets - 1]).toBe(1);
});

test('what is packed comes back, and adds up', () => {
  const counts = fc.array(fc.nat({ max: 2 ** 40 }), { minLength: waitBuckets, maxLength: waitBuckets });
  fc.assert(
    fc.property(counts, counts, (one, other) => {
      const sums = new Float64Array(waitBuckets);
      addPackedWaits(packWaits(one), sums);
      addPackedWaits(packWaits(other), sums);
      expect([...sums]).toEqual(one.map((count, bucket) => count + other[bucket]!));
    }),
  );
  expect(packWaits(new Float64Array(waitBuckets))).toHaveLength(0);
});
