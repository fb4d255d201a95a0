import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BoxReport, boxReportBytesMax, parseBoxReport } from '../../src/platform/box-report.ts';

const whole: BoxReport = {
  at: 1_763_600_000_000,
  version: '1.4.0',
  environment: 'test',
  outbox: { waiting: 3, oldest_at: 1_763_599_999_000, parked: 1 },
  disk: { state: 'ok', used_bytes: 1, free_bytes: 2, low: false },
  clock_synchronized: true,
  update: { found: 0, outcome: 'failed', to: '1.5.0', why: 'no room', code: 'update_no_room', params: { needed: 700 } },
  devices: { known: 3, online: 2, refused: 0 },
};
const refusalOf = (value: unknown) => {
  const parsed = parseBoxReport(typeof value === 'string' ? value : JSON.stringify(value));
  return parsed.ok ? null : parsed.refusal.detail;
};

test('a report comes back as it was written, whatever a newer box says beside it', () => {
  expect(parseBoxReport(JSON.stringify({ ...whole, humidity: 7 }))).toEqual({ ok: true, value: whole });
});

test('what an older box does not say is null', () => {
  expect(parseBoxReport('{"at": 1, "version": "1"}')).toEqual({
    ok: true,
    value: {
      ...{ at: 1, version: '1', environment: null, outbox: null, disk: null },
      ...{ clock_synchronized: null, update: null, devices: null },
    },
  });
});

test.each([
  ['no JSON', '{', 'not JSON'],
  ['a list', [], 'the body: must be an object'],
  ['no time', { ...whole, at: undefined }, 'at: must be a whole number from 0'],
  ['a time below 0', { ...whole, at: -1 }, 'at: must be a whole number from 0'],
  ['a version that is a number', { ...whole, version: 1 }, 'version: must be a text'],
  ['a part of the wrong kind', { ...whole, disk: 'full' }, 'disk: must be an object'],
  [
    'a field of a part',
    { ...whole, outbox: { ...whole.outbox, waiting: '3' } },
    'outbox.waiting: must be a whole number from 0',
  ],
  [
    'too large a number',
    { ...whole, devices: { ...whole.devices, known: 1e300 } },
    'devices.known: must be a whole number from 0',
  ],
])('%s is refused by name', (_, value, detail) => {
  expect(refusalOf(value)).toBe(detail);
});

test('texts are cut, and what would move the cursor of a terminal or turn a line of text around becomes a space', () => {
  const parsed = parseBoxReport(
    JSON.stringify({
      ...whole,
      version: `1\u001b[2J\u202e2`,
      environment: 'elsewhere',
      update: { ...whole.update, why: 'x'.repeat(5000) },
    }),
  );
  expect(parsed).toMatchObject({
    ok: true,
    value: { version: '1 [2J 2', environment: null, update: { why: 'x'.repeat(300) } },
  });
});

test('a report that is read never takes more than a few kilobytes, and no text makes the reader throw', () => {
  const part = fc.oneof(fc.string({ maxLength: 2000 }), fc.integer(), fc.constant(null), fc.object({ maxDepth: 2 }));
  const bodies = fc.record({
    at: fc.nat(),
    version: fc.string({ maxLength: 9999 }),
    outbox: part,
    disk: part,
    update: part,
  });
  fc.assert(
    fc.property(
      fc.oneof(
        bodies.map(one => JSON.stringify(one)),
        fc.json(),
        fc.string(),
      ),
      text => {
        const parsed = parseBoxReport(text);
        if (parsed.ok) expect(JSON.stringify(parsed.value).length).toBeLessThan(boxReportBytesMax);
      },
    ),
  );
});
