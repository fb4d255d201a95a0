import { expect, test } from 'vitest';
import { CountedLog } from '../../src/runtime/counted-log.ts';

test('the same again is counted and comes first, and the one not seen for longest goes', () => {
  const book = new CountedLog<{ says: string }>(2);
  for (const says of ['a', 'b', 'a']) book.note(says, { says });
  expect(book.list()).toEqual([
    { says: 'a', count: 2 },
    { says: 'b', count: 1 },
  ]);
  book.note('c', { says: 'c' });
  expect(book.list().map(one => one.says)).toEqual(['c', 'a']);
});
