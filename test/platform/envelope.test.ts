import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeEnvelope, parseEnvelope, unixSeconds } from '../../src/platform/envelope.ts';
import { stampTime, time } from '../../src/platform/stamp-time.ts';
import { valueAt } from '../../src/runtime/top-level.ts';

const bytes = (text: string) => Buffer.from(text);
const parsed = (text: string) => {
  const read = parseEnvelope(bytes(text));
  if (!read.ok) throw new Error(read.refusal.code);
  return read.value;
};

describe('an envelope (SPEC 2.5)', () => {
  test('is read with its fields', () => {
    expect(parsed('{"mid":"m","from":"A_1","to":"system","time":5,"action":2001,"data":{"x":1}}')).toEqual({
      mid: 'm',
      from: 'A_1',
      to: 'system',
      time: 5,
      action: 2001,
      data: { x: 1 },
    });
  });

  test.each([
    ['a number as mid is taken as its text', '{"mid":7}', { mid: '7' }],
    ['a mid over 2^53 keeps each digit', '{"mid":9007199254740993}', { mid: '9007199254740993' }],
    ['a negative one too', '{"mid" : -90071992547409931234}', { mid: '-90071992547409931234' }],
    [
      'and the id of a record',
      '{"data":{"records":[{"id":9007199254740993,"ext_id":110101199003071234}]}}',
      { data: { records: [{ id: '9007199254740993', ext_id: '110101199003071234' }] } },
    ],
    ['digits in a text stay', '{"mid":"x:9007199254740993"}', { mid: 'x:9007199254740993' }],
    ['a number with a fraction is one', '{"data":{"lat":31.2304160000000001}}', { data: { lat: 31.230416 } }],
    ['data of an empty list is no data', '{"data":[]}', { data: {} }],
    ['missing fields are empty', '{}', { mid: '', from: '', to: '', time: 0, action: null, data: {} }],
    ['data null is no data', '{"data":null}', { data: {} }],
    ['an action in quotes is read', '{"action":"2001"}', { action: 2001 }],
    ['an action that is no whole number is none', '{"action":1.5}', { action: null }],
  ])('%s', (_name, text, expected) => {
    expect(parsed(text)).toMatchObject(expected);
  });

  test('a mid over 128 bytes is cut on a character', () => {
    const { mid } = parsed(JSON.stringify({ mid: '门'.repeat(100) }));
    expect(Buffer.byteLength(mid)).toBeLessThanOrEqual(128);
    expect(mid).toMatch(/^门+$/);
  });

  test.each([
    ['not JSON', '{"mid":', 'malformed'],
    ['a list', '[1]', 'malformed'],
    ['a word', '"hello"', 'malformed'],
    ['empty', '', 'malformed'],
    ['data that is a list', '{"data":[1]}', 'bad_data'],
  ])('%s is refused', (_name, text, code) => {
    expect(parseEnvelope(bytes(text))).toMatchObject({ ok: false, refusal: { code } });
  });

  test('bytes that are no UTF-8 are refused', () => {
    expect(parseEnvelope(Buffer.from([0x7b, 0xff, 0x7d]))).toMatchObject({ ok: false, refusal: { code: 'malformed' } });
  });

  test('any bytes at all are read or refused, never thrown at', () => {
    fc.assert(fc.property(fc.uint8Array(), input => void parseEnvelope(input)));
    fc.assert(fc.property(fc.json(), input => void parseEnvelope(bytes(input))));
  });

  test('what is encoded is read back', () => {
    const envelope = { mid: 'x', from: 'system', to: 'A_1', time: 1, action: 3, data: { a: '门' } };
    expect(parsed(Buffer.from(encodeEnvelope(envelope)).toString())).toEqual(envelope);
  });
});

test.each([
  [1_763_600_000, 1_763_600_000],
  [1_763_600_000_123, 1_763_600_000],
  [0, null],
  [-5, null],
  [Number.NaN, null],
  ['1763600000', null],
])('a device time of %s is %s seconds', (time, seconds) => {
  expect(unixSeconds(time)).toBe(seconds);
});

describe('a time of 0 is stamped with the second of receipt', () => {
  const stampedBytes = (json: Uint8Array) => stampTime(json, valueAt(json, time), 1_763_600_000);
  const stamped = (text: string) => Buffer.from(stampedBytes(bytes(text))).toString();

  test.each([
    [
      'the value alone changes',
      '{ "mid":"1", "time" : 0 ,"data":{"time":0}}',
      '{ "mid":"1", "time" : 1763600000 ,"data":{"time":0}}',
    ],
    ['at the end of the object', '{"time":0}', '{"time":1763600000}'],
    ['written as 0.0', '{"time":0.0}', '{"time":1763600000}'],
    ['with an escaped key', '{"t\\u0069me":0}', '{"t\\u0069me":1763600000}'],
    ['of two the last one counts', '{"time":5,"time":0}', '{"time":5,"time":1763600000}'],
    ['any other time stays', '{"time":12}', '{"time":12}'],
    ['a text stays', '{"time":"0"}', '{"time":"0"}'],
    ['a time inside data stays', '{"data":{"time":0},"mid":"time"}', '{"data":{"time":0},"mid":"time"}'],
    ['a string that looks like it stays', '{"a":"\\"time\\":0","b":"{time:0"}', '{"a":"\\"time\\":0","b":"{time:0"}'],
    ['a list stays', '["time",0]', '["time",0]'],
    ['half a message stays', '{"time":', '{"time":'],
  ])('%s', (_name, before, after) => {
    expect(stamped(before)).toBe(after);
  });

  test('whatever stands around it stays byte for byte', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (object, spaced) => {
        const text = JSON.stringify({ ...object, time: 0 }, null, spaced ? 2 : 0);
        const after = stamped(text);
        expect(JSON.parse(after)).toEqual({ ...JSON.parse(text), time: 1_763_600_000 });
        expect(after.length - text.length).toBe(9);
      }),
    );
  });

  test('any bytes at all: no throw, and no change without a time', () => {
    fc.assert(
      fc.property(fc.uint8Array(), input => {
        expect(stampedBytes(input).length).toBeGreaterThanOrEqual(input.length);
      }),
    );
  });

  test('a hundred thousand levels cost nothing but their length', () => {
    const deep = `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)},"time":0}`;
    expect(stamped(deep).endsWith('"time":1763600000}')).toBe(true);
  });
});
