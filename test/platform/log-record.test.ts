import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitLogRecord } from '../../src/platform/log-record.ts';

test('the usual record is not copied', () => {
  const bytes = Buffer.from('{"door":"open"}');
  expect(fitLogRecord(bytes, 4096)).toEqual({ bytes, truncated: false, repaired: false });
  expect(fitLogRecord(bytes, 4096).bytes).toBe(bytes);
});

test('4096 bytes stay whole, one more is cut', () => {
  expect(fitLogRecord(Buffer.alloc(4096, 'a'), 4096)).toMatchObject({ truncated: false });
  expect(fitLogRecord(Buffer.alloc(4097, 'a'), 4096)).toMatchObject({
    truncated: true,
    bytes: Buffer.alloc(4096, 'a'),
  });
});

test('a character of three bytes is never cut in two', () => {
  const { bytes, truncated } = fitLogRecord(Buffer.from('门'.repeat(2000)), 4096);
  expect(truncated).toBe(true);
  expect(bytes.length).toBe(4095);
  expect(isUtf8(bytes)).toBe(true);
});

test('a NUL and an invalid byte become U+FFFD and are marked', () => {
  const { bytes, repaired } = fitLogRecord(Buffer.from([0x61, 0, 0xff, 0x62]), 4096);
  expect(repaired).toBe(true);
  expect(Buffer.from(bytes).toString()).toBe('a\ufffd\ufffdb');
});

test('whatever came, what is kept is UTF-8 without NUL and within the limit', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 8, max: 100 }), (input, max) => {
      const { bytes } = fitLogRecord(input, max);
      expect(bytes.length).toBeLessThanOrEqual(max);
      expect(bytes.indexOf(0)).toBe(-1);
      expect(isUtf8(bytes)).toBe(true);
    }),
  );
});
