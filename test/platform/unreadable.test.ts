import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDeviceJson } from '../../src/platform/device-json.ts';
import { withoutPadding } from '../../src/platform/json-bytes.ts';
import { firstBytes, guessDeviceJson, reasonOf } from '../../src/platform/unreadable.ts';
import { keyOf } from '../../src/runtime/top-level.ts';

const bytes = (text: string) => Buffer.from(text);
const long = 'x'.repeat(64 << 10);

test.each([
  ['nothing', bytes(''), 'empty'],
  ['NULs', bytes('\0\0\0'), 'empty'],
  ['a byte order mark alone', Buffer.from([0xef, 0xbb, 0xbf]), 'empty'],
  ['UTF-16 with its mark', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{}', 'utf16le')]), 'utf16'],
  ['UTF-16 without it', Buffer.from('{"a":1}', 'utf16le'), 'utf16'],
  ['UTF-16, the other way round', Buffer.from('{"a":1}', 'utf16le').swap16(), 'utf16'],
  ['GBK', Buffer.from('{"name":"\xc0\xee\xc3\xb7"}', 'latin1'), 'gbk'],
  ['bytes of no encoding', Buffer.from([0x7b, 0xff, 0x7d]), 'encoding'],
  ['cut off in an object', bytes('{"a":1'), 'cut_off'],
  ['cut off in a text', bytes('{"a":"}'), 'cut_off'],
  ['cut off behind a backslash', bytes('{"a":"\\'), 'cut_off'],
  ['a leading zero', bytes('{"a":01}'), 'number'],
  ['a plus', bytes('{"a":[+1]}'), 'number'],
  ['hexadecimal', bytes('{"a":0x10}'), 'number'],
  ['underscores', bytes('{"a":1_000}'), 'number'],
  ['NaN', bytes('{"a":NaN}'), 'number'],
  ['a bare point', bytes('{"a":.5}'), 'number'],
  ['a trailing comma', bytes('{"a":1e3,}'), 'json'],
  ['single quotes', bytes("{'a':1}"), 'json'],
  ['two objects', bytes('{}{}'), 'json'],
  ['words', bytes('hello'), 'json'],
  ['a list', bytes('[1]'), 'object'],
  ['null', bytes('null'), 'object'],
  ['a long message with an odd number: it is not walked', bytes(`{"a":"${long}","b":01}`), 'json'],
  ['a long message that is cut off', bytes(`{"a":"${long}","b":1`), 'cut_off'],
])('%s: the likely reason', (_name, payload, reason) => {
  expect(reasonOf(payload)).toBe(reason);
  expect(readDeviceJson(payload).ok).toBe(false);
});

test('the first bytes are shown in ASCII, and no more than 64 of them', () => {
  expect(firstBytes(Buffer.from('{"n":"\xc0\\\0"}', 'latin1'))).toBe('{"n":"\\xc0\\x5c\\x00"}');
  expect(firstBytes(bytes('a'.repeat(65)))).toBe(`${'a'.repeat(64)}…`);
});

test('padding is taken off, and nothing else', () => {
  expect(Buffer.from(withoutPadding(bytes('\ufeff{} \0\r\n\0'))).toString()).toBe('{}');
  expect(Buffer.from(withoutPadding(bytes('\0{}'))).toString()).toBe('\0{}');
});

test('what is legible in front of the damage is made out; a number that is cut off is not', () => {
  const keys = ['mid', 'action'].map(keyOf);
  expect(guessDeviceJson(bytes('{"mid":"a","action":2001,"data":{'), keys)).toEqual({ mid: 'a', action: 2001 });
  expect(guessDeviceJson(bytes('{"mid":"a","action":20'), keys)).toEqual({ mid: 'a', action: undefined });
});

test('any bytes at all: no throw, and a reason exactly where there is no object', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), input => {
      reasonOf(input);
      guessDeviceJson(input, [keyOf('mid')]);
      firstBytes(input);
      readDeviceJson(input);
    }),
    { numRuns: 3000 },
  );
});
