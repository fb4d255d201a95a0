import { expect, test } from 'vitest';
import { BrokenSeal, sealWith } from '../../../src/store/schema/sealing.ts';

const seal = sealWith(Buffer.alloc(32, 7));

test('sealed bytes have the layout that docs/store.md draws: nonce, ciphertext, tag', () => {
  const sealed = Buffer.from('000102030405060708090a0b5c009f40044fb41fdc0ddbb4c585b83b84487a63f3', 'hex');
  expect(seal.open(sealed, 'segment:1').toString()).toBe('punch');
  expect(() => seal.open(sealed, 'segment:2')).toThrow(BrokenSeal);
  expect(seal.seal(Buffer.from('punch'), 'segment:1')).toHaveLength(sealed.length);
});

test('what is sealed into room that was handed in is a view of it, and the next one takes its place', () => {
  const room = Buffer.alloc(64);
  const first = seal.seal(Buffer.from('first'), 'a', room);
  expect(first.buffer).toBe(room.buffer);
  expect(seal.open(first, 'a').toString()).toBe('first');
  const second = seal.seal(Buffer.from('a second one'), 'a', room);
  expect(seal.open(second, 'a').toString()).toBe('a second one');
  expect(() => seal.open(first, 'a')).toThrow(BrokenSeal);
});

test('what does not fit into the room is sealed beside it', () => {
  const room = Buffer.alloc(28 + 4);
  const sealed = seal.seal(Buffer.from('five!'), 'a', room);
  expect(sealed.buffer).not.toBe(room.buffer);
  expect(seal.open(sealed, 'a').toString()).toBe('five!');
  expect([...room]).toEqual(new Array(32).fill(0));
});
