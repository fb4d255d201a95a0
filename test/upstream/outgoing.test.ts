import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { actionTable, defaultActions } from '../../src/platform/actions.ts';
import { codeToForward, parseEnvelope } from '../../src/platform/envelope.ts';
import type { DeviceNo, JournalRecord, Seq } from '../../src/store/index.ts';
import { type Form, outgoing } from '../../src/upstream/outgoing.ts';
import { leavingWithout } from '../../src/upstream/staying-features.ts';
import { type Outgoing, payloadOf } from '../../src/upstream/transport.ts';

const at = 1_763_600_000_000;
const aMessage = (json: string, code?: number | undefined): JournalRecord => ({
  seq: 1 as Seq,
  deviceNo: 1 as DeviceNo,
  channel: 'device',
  receivedAt: at,
  logPath: '',
  marks: {},
  code,
  payload: Buffer.from(json),
});
/** The payload, and not where it stands. */
function asText(record: Outgoing) {
  const { bytes, start, end, ...others } = record;
  return { ...others, payload: Buffer.from(payloadOf(record)).toString() };
}
/** What the gateway stores with it. */
const codeOf = (json: string): number | undefined => {
  const read = parseEnvelope(Buffer.from(json));
  return read.ok ? codeToForward(read.value) : undefined;
};
const featuresStay = leavingWithout(actionTable(defaultActions));

/** Values as devices write them, and as none should. */
const time = fc.constantFrom(
  '0',
  '-0',
  '0.0',
  '0e7',
  '1763600000',
  '1763600000123',
  '"0"',
  '"1763600000"',
  '1e-400',
  '[]',
);
const action = fc.constantFrom(
  '2001',
  '2003',
  '2002',
  '2101',
  '9999',
  '"2003"',
  '2.003e3',
  '[2003]',
  'true',
  'null',
  '-1',
  '1e12',
  '0',
);
const data = fc.constantFrom(
  '{}',
  '{"feature_type":"fa","values":["secret"]}',
  '{"feature_type":"card","values":["1"]}',
  '{"records":[{"capture_img":"secret"}]}',
  '{"time":0,"action":2001}',
);
const member = fc.oneof(
  time.map(value => `"time":${value}`),
  action.map(value => `"action": ${value}`),
  data.map(value => `"data":${value}`),
  fc.constantFrom('"mid":"7"', '"\\u0074ime":0', '"act\\u0069on":2003', '"x":{"time":0}'),
);
const json = fc.array(member, { maxLength: 7 }).map(members => `{${members.join(',')}}`);

const trueTime = () => null;

describe('a message whose code stands beside it in the journal', () => {
  test('goes up as one whose JSON is read: the same bytes, and nothing that stays at the site', () => {
    let known = 0;
    fc.assert(
      fc.property(json, fc.boolean(), fc.constantFrom<Form>('stamped', 'verbatim'), (text, stays, form) => {
        const code = codeOf(text);
        if (code !== undefined) known++;
        const leaving = stays ? featuresStay : null;
        const [read, told] = [aMessage(text), aMessage(text, code)].map(record =>
          asText(outgoing(record, { leaving, trueTime }, form)),
        );
        const { action: fromJson, ...other } = read!;
        expect({ ...told!, action: fromJson }).toEqual({ ...other, action: fromJson });
        // The JSON is read only as far as its digits are plain.
        if (fromJson !== undefined) expect(told!.action).toBe(fromJson);
      }),
      { numRuns: 5000 },
    );
    expect(known).toBeGreaterThan(100);
  });

  test('is not read again: the code decides', () => {
    const record = asText(outgoing(aMessage('{"time":0,"action":5}', 7), { leaving: null, trueTime }));
    expect(record).toMatchObject({ action: 7, payload: '{"time":0,"action":5}' });
  });
});

test('payloads share buffers and keep their bytes, and a large one has its own', () => {
  const texts = Array.from({ length: 400 }, (_, index) => String(index % 10).repeat(index % 50 === 7 ? 9000 : index));
  const records = texts.map(text =>
    outgoing({ ...aMessage(text), channel: 'log', logPath: 'FT1/A1' }, { leaving: null, trueTime }),
  );
  expect(records.map(record => asText(record).payload)).toEqual(texts);
  const buffers = new Set(records.map(({ bytes }) => bytes));
  expect(buffers.size).toBeLessThan(20);
  for (const { bytes, start, end } of records) if (end - start === 9000) expect(bytes.length).toBeLessThan(20_000);
});

test.each([
  ['{"action":2001,"time":1763600000}', 2001],
  ['{"action":"2001","time":"1763600000"}', 2001],
  ['{"action":0,"time":1}', 0],
  ['{"action":4294967295,"time":1}', 4294967295],
  // To be stamped, perhaps.
  ['{"action":2001,"time":0}', undefined],
  ['{"action":2001}', undefined],
  // Odd ones.
  ['{"action":4294967296,"time":1}', undefined],
  ['{"action":-1,"time":1}', undefined],
  ['{"action":1.5,"time":1}', undefined],
  ['{"action":true,"time":1}', undefined],
  ['{"time":1}', undefined],
])('the code of %s is %s', (json, code) => {
  expect(codeOf(json)).toBe(code);
});
