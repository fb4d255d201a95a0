import { expect, test } from 'vitest';
import { calculatedRange } from '../../bench/range.ts';

test.each([
  [19_940, 107_000, '19,000 to 110,000'],
  [87_000, 15_300, '15,000 to 90,000'],
  [5.01, 20.3, '5 to 21'],
  [0.7, 0.7, '0.7'],
  [6.2, 6.9, '6 to 7'],
])('%d and %d, calculated, are said as %s', (one, other, said) => {
  expect(calculatedRange(one, other)).toBe(said);
});
