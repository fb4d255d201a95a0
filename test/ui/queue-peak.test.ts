import { expect, test } from 'vitest';
import { queuePeak } from '../../web-ui/src/pages/today/queue-peak.ts';

test.each([
  ['a later cut is not the end of the peak', [0, 517, 40, 0, 0, 3, 0], { value: 517, step: 1, cleared: 3 }],
  ['while the box was off nobody knows', [0, 5, null, 2, 0], { value: 5, step: 1, cleared: 4 }],
  ['what still waits is not cleared', [0, 5, 7, 2], { value: 7, step: 2, cleared: null }],
  ['nothing waited', [0, 0, null], null],
])('%s', (_what, waiting, peak) => {
  expect(queuePeak(waiting)).toEqual(peak);
});
