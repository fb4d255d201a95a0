import { expect, test } from 'vitest';
import { HeldBytes, type Holder } from '../../src/listeners/held-bytes.ts';

function aHolder(block: string, gone: string[] = [], name = block): Holder {
  return { block, giveWay: () => gone.push(name) };
}

test('of one address the newest is refused, and those before it keep what they have and may grow', () => {
  const held = new HeldBytes({ strangers: 100, known: 100 });
  const gone: string[] = [];
  const [first, second, third] = ['first', 'second', 'third'].map(name => aHolder('a', gone, name));
  expect(held.hold(first!, false, 40)).toBe(true);
  expect(held.hold(second!, false, 40)).toBe(true);
  expect(held.hold(third!, false, 40)).toBe(false);
  expect(gone).toEqual([]);
  expect(held.hold(first!, false, 90)).toBe(true);
  expect(gone).toEqual(['second']);
  expect(held.bytes).toEqual({ strangers: 90, known: 0 });
});

test('an address that holds most gives way to one that holds little, never the other way round', () => {
  const held = new HeldBytes({ strangers: 100, known: 100 });
  const gone: string[] = [];
  for (const name of ['a1', 'a2', 'a3', 'a4']) held.hold(aHolder('a', gone, name), false, 25);
  expect(held.hold(aHolder('b', gone, 'b1'), false, 10)).toBe(true);
  expect(gone).toEqual(['a4']);
  expect(held.hold(aHolder('a', gone, 'a5'), false, 25)).toBe(false);
  expect(gone).toEqual(['a4']);
});

test('strangers take nothing of what is there for known callers, and a caller that logs in changes sides', () => {
  const held = new HeldBytes({ strangers: 100, known: 100 });
  const one = aHolder('a');
  held.hold(one, false, 100);
  expect(held.hold(aHolder('b'), true, 100)).toBe(true);
  expect(held.hold(one, true, 100)).toBe(false);
  expect(held.bytes).toEqual({ strangers: 0, known: 100 });
});

test('what is released, also twice, is free again', () => {
  const held = new HeldBytes({ strangers: 100, known: 100 });
  const one = aHolder('a');
  held.hold(one, false, 100);
  held.release(one);
  held.release(one);
  expect(held.bytes).toEqual({ strangers: 0, known: 0 });
  expect(held.hold(aHolder('b'), false, 100)).toBe(true);
});
