import { expect, test } from 'vitest';
import { numberingOf } from '../../src/platform/numbering.ts';

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
const whole = { missing: 0, gaps: [], earlier: 0, restarted: false };

test('numbers that follow each other have no gaps, in whatever order they arrive, repeats among them', () => {
  const ids = [...numbers(88_120, 88_531), '88200', '88201'].reverse();
  expect(numberingOf(ids, null)).toEqual({ from: 88_120, to: 88_531, ...whole });
});

test('a number that never came is missing, within the day and since the day before', () => {
  const ids = [...numbers(103, 110), ...numbers(113, 120)];
  const gaps = [
    [101, 102],
    [111, 112],
  ];
  expect(numberingOf(ids, 100)).toEqual({ from: 101, to: 120, missing: 4, gaps, earlier: 0, restarted: false });
});

test('no more than 20 gaps are named, and all are counted', () => {
  const ids = numbers(1, 100).filter(id => Number(id) % 2 === 0);
  const found = numberingOf(ids, 0)!;
  expect(found.gaps).toHaveLength(20);
  expect(found.missing).toBe(50);
});

test.each([
  ['ids that are words', ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9', 'b1'], null],
  ['numbers that lie far apart', numbers(1, 20).map(id => String(Number(id) * 7919)), null],
  ['too few of them', numbers(1, 9), null],
  ['records without an id', ['', ''], 100],
  ['one id that is no number', [...numbers(1, 20), 'x'], null],
  ['numbers with leading zeros', numbers(1, 20).map(id => `0${id}`), null],
  ['no records', [], 7],
])('%s do not count', (_what, ids, last) => {
  expect(numberingOf(ids, last)).toBeNull();
});

test('a device that begins again at 1 is not said to lack what it counted before', () => {
  expect(numberingOf(numbers(1, 12), 88_531)).toEqual({ from: 1, to: 12, ...whole, restarted: true });
});

test('a record that fills a gap of an earlier day is counted apart, and opens no new one', () => {
  expect(numberingOf(['95', '101', '102'], 100)).toEqual({ from: 101, to: 102, ...whole, earlier: 1 });
  expect(numberingOf(['95'], 100)).toEqual({ from: 101, to: 100, ...whole, earlier: 1 });
});
