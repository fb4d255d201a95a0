import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { compressed, unpacked } from '../../../src/store/journal/compression.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

const packed = Buffer.from(Array.from({ length: 4000 }, (_, at) => `{"device":"A${at}","t":${at * 7}}`).join(''));
packed[0] = 1;
const times = 300;

/** Bytes outside of the heap that a call leaves behind for a collection of the whole heap. */
function leftBy(work: () => void): number {
  work();
  collect();
  collect();
  const before = getHeapStatistics().external_memory;
  for (let done = 0; done < times; done++) {
    work();
    if (done % 10 === 0) collect({ type: 'minor' });
  }
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  return (getHeapStatistics().external_memory - before) / times;
}

test('what a compression and its reverse made goes with the young generation', () => {
  const frame = compressed(packed)!;
  expect(unpacked(frame).equals(packed)).toBe(true);
  expect(leftBy(() => compressed(packed))).toBeLessThan(2048);
  expect(leftBy(() => unpacked(frame))).toBeLessThan(2048);
});
