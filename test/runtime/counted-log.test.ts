import { expect, test } from 'vitest';
import { CountedLog } from '../../src/runtime/counted-log.ts';

test('the same again is counted and comes first, and the one not seen for longest goes', () => {
  const book = new CountedLog<{ message: string }>(2);
  for (const message of ['a', 'b', 'a']) book.note(message, { message });
  expect(book.list()).toEqual([
    { message: 'a', count: 2 },
    { message: 'b', count: 1 },
  ]);
  book.note('c', { message: 'c' });
  expect(book.list().map(one => one.message)).toEqual(['c', 'a']);
});
