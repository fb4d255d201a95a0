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
