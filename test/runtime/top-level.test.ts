import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOfWord, keyOf, valueAt } from '../../src/runtime/top-level.ts';

const action = keyOf('action');
const found = (text: string): string | null => {
  const bytes = Buffer.from(text);
  const start = valueAt(bytes, action);
  return start < 0 ? null : bytes.toString('utf8', start, endOfWord(bytes, start));
};

test('the value of a top-level key is found by what JSON.parse would take', () => {
  expect(found('{"action":30}')).toBe('30');
  expect(found('{ "mid" : "a" ,\n "action" :\t30 , "data" : {"action":31} }')).toBe('30');
  expect(found('{"action":1,"action":2}')).toBe('2');
  expect(found('{"\\u0061ction":7}')).toBe('7');
  expect(found('{"x":"\\"action\\":3","y":["action",3],"z":"action"}')).toBeNull();
  expect(found('{"data":{"action":31}}')).toBeNull();
  expect(found('[{"action":31}]')).toBeNull();
  expect(found('')).toBeNull();
  // Long strings are passed over by another way than short ones; what is escaped does not end them.
  for (const filler of ['x'.repeat(500), `${'x'.repeat(40)}\\\\`, `${'x'.repeat(40)}\\\\\\"`, '\\"'.repeat(60)])
    expect(found(`{"data":"${filler}","action":5}`)).toBe('5');
});

test('it is the value of JSON.parse for any object', () => {
  const text = fc.oneof(fc.string({ maxLength: 80, unit: 'binary' }), fc.constantFrom('action', '\\', '"', '\\"'));
  const value = fc.oneof(fc.integer(), text, fc.dictionary(text, fc.oneof(text, fc.array(text, { maxLength: 3 }))));
  const object = fc.dictionary(text, value);
  fc.assert(
    fc.property(object, fc.integer(), object, fc.boolean(), (before, number, after, spaced) => {
      const { action: _, ...behind } = after;
      const json = JSON.stringify({ ...before, action: number, ...behind }, null, spaced ? 2 : 0);
      expect(JSON.parse(found(json)!)).toBe(number);
    }),
    { numRuns: 500 },
  );
});
