import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, noStatementBefore, statementHash } from '../../../src/attendance/statements/chain.ts';

test('the vectors of the research: two statements in a chain', () => {
  const first = canonicalJson({ said: 412, box: 412, cloud: 412, device: 'D0014', day: '2026-11-20' });
  expect(first).toBe('{"box":412,"cloud":412,"day":"2026-11-20","device":"D0014","said":412}');
  const one = statementHash(noStatementBefore, first);
  expect(one).toBe('23f6e1f5f0eaf6c1c9782f11935f05f3d2e865dd848cd350e2ca9063ea51080b');
  const second = canonicalJson({ device: 'D0014', day: '2026-11-21', said: 5, box: 5, cloud: 3 });
  expect(statementHash(one, second)).toBe('94392c3d14264004ffeb16bc1a0b1f65de37c916939d7df5b1749e43a14d8851');
});

test('the same statement has the same bytes, whatever the order of its fields', () => {
  const a = { b: [1, { d: null, c: 'x' }], a: true };
  expect(canonicalJson(a)).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
  expect(canonicalJson({ a: true, absent: undefined, b: [1, { c: 'x', d: null }] })).toBe(canonicalJson(a));
});

test('a statement has whole numbers only', () => {
  expect(() => canonicalJson({ said: 1.5 })).toThrow('1.5: a statement has whole numbers only');
});

test('every value is written as JSON.stringify does with sorted keys, whatever was written before', () => {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([one], [other]) => (one < other ? -1 : 1))
              .map(([key, item]) => [key, sorted(item)]),
          )
        : value;
  // A key such as 7 stands before all others in an object, and is not among those of a statement.
  const key = fc.oneof(
    fc.constantFrom('a', 'b', 'a\nb', '"', '姓名', ''),
    fc.string({ unit: 'grapheme' }).map(text => `k${text}`),
  );
  const leaf = fc.oneof(fc.maxSafeInteger(), fc.boolean(), fc.constant(null), fc.string({ unit: 'binary' }));
  const { value } = fc.letrec(tie => ({
    value: fc.oneof(leaf, fc.array(tie('value'), { maxLength: 4 }), fc.dictionary(key, tie('value'), { maxKeys: 5 })),
  }));
  fc.assert(
    fc.property(value, any => {
      expect(canonicalJson(any as never)).toBe(JSON.stringify(sorted(any)));
    }),
  );
});
