import fc from 'fast-check';
import { expect, test } from 'vitest';
import { actionTable, defaultActions } from '../../src/platform/actions.ts';
import {
  parseAccessReport,
  parseCheckinReport,
  parseFeatureReport,
  parsePersonSyncResult,
} from '../../src/platform/reports.ts';

const checkin = (change: object = {}) => ({
  records: [{ ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000, ...change }],
});

test('a check-in report is read, milliseconds as seconds', () => {
  const read = parseCheckinReport(checkin({ check_time: 1_763_600_000_500, check_data: { device_name: 'gate' } }));
  expect(read).toMatchObject({
    ok: true,
    value: { records: [{ extId: 'e1', checkTime: 1_763_600_000, checkData: { device_name: 'gate' } }] },
  });
});

test('numbers of people are folded as for callers', () => {
  const typed = '\u3000１００１\u200b ';
  expect(parseCheckinReport(checkin({ ext_id: typed }))).toMatchObject({ value: { records: [{ extId: '1001' }] } });
  expect(parseCheckinReport(checkin({ ext_id: ' ', employee_num: typed }))).toMatchObject({
    value: { records: [{ extId: '', employeeNum: '1001' }] },
  });
  const access = { records: [{ ext_id: typed, check_type: 'card', check_time: 1, check_result: 0 }] };
  expect(parseAccessReport(access)).toMatchObject({ value: { records: [{ extId: '1001' }] } });
  const card = { ext_id: typed, feature_type: 'card', values: [typed] };
  expect(parseFeatureReport(card)).toMatchObject({ value: { extId: '1001', values: ['1001'] } });
  expect(parsePersonSyncResult({ failed: [{ ext_id: typed, feature_type: 'fa' }] })).toMatchObject({
    value: { failed: [{ extId: '1001' }] },
  });
});

test.each(['fa', 'fp', 'pass', 'card', 'app_scan', 'gps', 'wifi', 'out_work', 'reissue', 'flexible'])(
  'check type %s is taken',
  type => {
    expect(parseCheckinReport(checkin({ check_type: type })).ok).toBe(true);
  },
);

test.each([
  ['no list', {}, 'records: must be a list'],
  ['no person', checkin({ ext_id: undefined }), 'records[0].ext_id: is missing, and employee_num too'],
  ['an unknown type', checkin({ check_type: 'nose' }), 'records[0].check_type: must be one of fa, fp'],
  ['a time that is a word', checkin({ check_time: 'noon' }), 'records[0].check_time: must be a time in seconds'],
  ['an id of 33 characters', checkin({ ext_id: 'x'.repeat(33) }), 'records[0].ext_id: at most 32 characters'],
  ['a record that is a word', { records: ['x'] }, 'records[0]: must be an object'],
])('a report with %s is refused by the name of the field', (_name, data, message) => {
  const read = parseCheckinReport(data as Record<string, unknown>);
  expect(read).toMatchObject({ ok: false, refusal: { code: 'bad_data', detail: expect.stringContaining(message) } });
});

test('a Chinese name of 32 characters fits where 32 are allowed', () => {
  expect(parseCheckinReport(checkin({ ext_id: '门'.repeat(32) })).ok).toBe(true);
});

test('a capture loses its data-URL prefix and line breaks, and a result of any number is kept', () => {
  const read = parseAccessReport({
    records: [
      {
        ext_id: 'e1',
        check_type: 'card',
        check_time: 1,
        check_result: 42,
        capture_img: 'data:image/png;base64,AAA\nBBB',
      },
    ],
  });
  expect(read).toMatchObject({ ok: true, value: { records: [{ checkResult: 42, captureImg: 'AAABBB', doorId: '' }] } });
});

test('a feature report names the person, and a sync result those that failed', () => {
  expect(
    parseFeatureReport({ ext_id: 'e1', feature_type: 'fa', feature_alg: 'base64', values: ['AAA'], abnormal: [true] }),
  ).toMatchObject({
    ok: true,
    value: { values: ['AAA'], abnormal: [true] },
  });
  expect(parseFeatureReport({ feature_type: 'fa', values: [] })).toMatchObject({
    ok: false,
    refusal: { detail: 'ext_id: is missing' },
  });
  expect(parsePersonSyncResult({ failed: [{ ext_id: 'e1', feature_type: 'fp' }] })).toMatchObject({ ok: true });
});

test('any data at all is read or refused, never thrown at', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('records', 'values', 'failed', 'ext_id'), fc.jsonValue()), data => {
      for (const parse of [parseCheckinReport, parseAccessReport, parseFeatureReport, parsePersonSyncResult])
        parse(data);
    }),
  );
});

test('a site renames an action code', () => {
  const actions = actionTable({ ...defaultActions, checkin_report: 41 });
  expect([actions.nameOf(41), actions.nameOf(2001), actions.nameOf(null), actions.codeOf('checkin_report')]).toEqual([
    'checkin_report',
    undefined,
    undefined,
    41,
  ]);
});

test('an action that is off has no code, and no code has its name; one may be left to the cloud', () => {
  const actions = actionTable({
    ...defaultActions,
    time_sync: 'off',
    checkin_report: { code: 41, answered_by: 'cloud' },
  });
  expect([actions.codeOf('time_sync'), actions.nameOf(1002), actions.nameOf(null)]).toEqual([
    null,
    undefined,
    undefined,
  ]);
  expect([actions.codeOf('checkin_report'), actions.nameOf(41)]).toEqual([41, 'checkin_report']);
  expect([actions.isAnsweredByCloud('checkin_report'), actions.isAnsweredByCloud('activate')]).toEqual([true, false]);
});
