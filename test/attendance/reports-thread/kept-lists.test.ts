import { expect, test } from 'vitest';
import { KeptLists } from '../../../src/attendance/reports-thread/kept-lists.ts';

test('the last four lists are kept, each under a number that no list of an earlier thread had', () => {
  const lists = new KeptLists();
  const numbers = [1000, 1000, 1001, 2000, 2000].map(now => lists.keep([], now));
  expect(numbers).toEqual([1000, 1001, 1002, 2000, 2001]);
  expect(numbers.map(number => lists.of(number))).toEqual([null, [], [], [], []]);
  expect(lists.of(7)).toBe(null);
});
