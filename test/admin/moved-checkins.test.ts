import { readXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { correctionOperations, corrections } from '../../src/admin/corrections.ts';
import type { BoxAdmin, Role } from '../../src/admin/index.ts';
import { receiptsResource } from '../../src/admin/receipts.ts';
import { exportRows } from '../../src/admin/rows.ts';
import { serve } from '../../src/admin/serve.ts';
import { monthReportOperations, monthReports } from '../../src/admin/ui/month-reports.ts';
import { AttendanceResults, MonthClosings } from '../../src/attendance/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { anAdminApi, anIdentity } from '../support/admin.ts';
import { anAttendanceBox } from '../support/attendance.ts';
import { aNightShift } from '../support/plans.ts';

const secondsOf = (moment: string): number => Date.parse(`${moment}+08:00`) / 1000;
const timeZone = 'Asia/Shanghai';
const nights = ['night', 'night', 'night', 'night', null, null, null];

/**
 * e1 works nights from Monday to Thursday. The night of Wednesday, 29 October went on until two on
 * the next afternoon, four hours beyond the window of its shift; on Friday night e1 came as well.
 */
async function aBox({ secondPerson = false } = {}) {
  const box = await anAttendanceBox();
  const { store, clock, devices } = box.gateway;
  const by = { at: clock.now(), by: 'anna' };
  await store.write.putShift({ shift: aNightShift(), ...by });
  const rule = { target: { kind: 'site' }, cycle: nights, anchor: '2025-01-06', from: '2025-10-20', to: null } as const;
  await store.write.putRosterRule({ id: null, rule, ...by });
  for (const moment of ['2025-10-29T21:55:00', '2025-10-30T14:00:00', '2025-10-31T20:00:00', '2025-11-01T06:00:00'])
    await box.punch('e1', secondsOf(moment));
  const config = {
    site: { name: 'Plant 4', timezone: timeZone, locale: 'en' },
    attendance: { corrections: { second_person: secondPerson } },
  } as Parameters<typeof corrections>[0]['config'] & Parameters<typeof monthReports>[0]['config'];
  const rules = { clock: 'as_said', nightOvertime: 'work_date' } as const;
  const results = new AttendanceResults({
    ...{ store, clock, site: config.site, rules },
    isOnline: deviceNo => devices.isOnline(deviceNo),
    calendar: async () => new Map(),
  });
  const reports = box.reports({ site: config.site });
  const closings = new MonthClosings({
    ...{ work: reports, store, clock, log: silentLog, isRegion: false },
    ...{ site: config.site, wrongClocks: async () => [] },
  });
  const parts = { store, clock, config, results, reports, closings, log: silentLog };
  const audited: object[] = [];
  const call = (path: string, body?: object, name = 'mei', role: Role = 'staff') => {
    const identity = anIdentity(role, name);
    const api = anAdminApi({} as BoxAdmin, identity, app => {
      serve(app, correctionOperations, corrections(parts));
      serve(app, monthReportOperations, monthReports(parts));
    });
    const init = body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    };
    return [api.request(path, init), identity.audited] as const;
  };
  const ask = async (path: string, body?: object, name?: string, role?: Role) => {
    const [answered, of] = call(path, body, name, role);
    const answer = await answered;
    const json = JSON.parse(await answer.text());
    audited.push(...of);
    return { status: answer.status, json };
  };
  const dayOf = async (date: string) => {
    for await (const { days } of results.of({ from: date, to: date, extId: 'e1' })) {
      const { state, minutes, flags, punches } = days[0]!;
      const counts = punches.map(({ punch, role }) => `${punch.id} ${role}`);
      return { state, worked: minutes.worked, rest: minutes.overtimeRest, flags: flags.map(one => one.flag), counts };
    }
    return null;
  };
  const close = (month: string, force: string | null = 'test') =>
    closings.close({ month, department: null, by: 'anna', force });
  return Object.assign(box, { ask, call, audited, dayOf, close, config });
}

const move = (checkin: number, workDate: string) => ({
  kind: 'move_to',
  items: [{ ext_id: 'e1', checkin, work_date: workDate }],
  reason: 'the night went on',
});
const path = '/attendance/corrections';

test('a check-in that is moved counts on the other date; the undo puts it back', async () => {
  await using box = await aBox();
  expect(await box.dayOf('2025-10-29')).toMatchObject({ state: 'missing_out', worked: 0, counts: ['1 in'] });
  expect(await box.dayOf('2025-10-30')).toMatchObject({ state: 'absent', counts: ['2 unplaced'] });
  expect((await box.ask(path, move(2, '2025-10-29'))).json).toEqual({ id: 1, state: 'approved' });
  expect(await box.dayOf('2025-10-29')).toMatchObject({ state: 'ok', worked: 480, counts: ['1 in', '2 out'] });
  expect(await box.dayOf('2025-10-30')).toMatchObject({ state: 'absent', counts: [] });
  expect((await box.ask(`${path}?person=e1`)).json.rows).toMatchObject([
    { id: 1, kind: 'move_to', checkin: 2, work_date: '2025-10-29', reason: 'the night went on', undone: false },
  ]);
  expect((await box.ask(`${path}/1/undo`, { reason: 'it did not' }, 'wang')).json).toEqual({
    id: 2,
    state: 'approved',
  });
  expect(await box.dayOf('2025-10-29')).toMatchObject({ state: 'missing_out' });
  expect(await box.dayOf('2025-10-30')).toMatchObject({ counts: ['2 unplaced'] });
  expect(box.audited).toMatchObject([
    { subject: 'correction 1 approved: e1: 2025-10-30 14:00:00 → counts on 2025-10-29; the night went on' },
    { subject: 'correction 2 approved: undoes correction 1 (e1: 2025-10-30 14:00:00); it did not' },
  ]);
});

test('the preview shows both dates as they are and as they would be, and stores nothing', async () => {
  await using box = await aBox();
  const asked = { ext_id: 'e1', checkin: 2, work_date: '2025-10-29' };
  const { json } = await box.ask('/attendance/previews/move', asked);
  expect(json.days).toMatchObject([
    {
      date: '2025-10-29',
      before: { state: 'missing_out', minutes: { worked: 0 } },
      after: { state: 'ok', minutes: { worked: 480, overtime_workday: 480 } },
    },
    { date: '2025-10-30', before: { state: 'absent' }, after: { state: 'absent' } },
  ]);
  expect((await box.ask(path)).json.rows).toEqual([]);
  expect(await box.dayOf('2025-10-29')).toMatchObject({ state: 'missing_out' });
});

test('work on a day off over midnight is one span once its end is moved', async () => {
  await using box = await aBox();
  expect(await box.dayOf('2025-10-31')).toMatchObject({ rest: 0, flags: ['missing_out'], counts: ['3 in'] });
  await box.ask(path, move(4, '2025-10-31'));
  expect(await box.dayOf('2025-10-31')).toMatchObject({ rest: 600, flags: [], counts: ['3 in', '4 out'] });
});

test('where a second person has to approve, nothing moves before, and both dates say so', async () => {
  await using box = await aBox({ secondPerson: true });
  expect((await box.ask(path, move(2, '2025-10-29'))).json).toEqual({ id: 1, state: 'asked' });
  for (const date of ['2025-10-29', '2025-10-30'])
    expect(await box.dayOf(date)).toMatchObject({ flags: ['correction_asked'] });
  expect((await box.ask(`${path}/1/approve`, {})).json).toMatchObject({ status: 409, title: 'same_person' });
  expect((await box.ask(`${path}/1/approve`, {}, 'wang')).json).toEqual({ id: 1, state: 'approved' });
  expect(await box.dayOf('2025-10-29')).toMatchObject({ state: 'ok', flags: [] });
  expect(box.audited.at(-1)).toMatchObject({
    subject: 'correction 1: asked → approved (e1: 2025-10-30 14:00:00 → counts on 2025-10-29)',
  });
});

test('a closed month refuses a move, its approval and its undo, from either side of it', async () => {
  await using box = await aBox({ secondPerson: true });
  await box.ask(path, move(2, '2025-10-29'));
  await box.ask(path, move(4, '2025-10-31'));
  await box.ask(`${path}/1/approve`, {}, 'wang');
  await box.ask(`${path}/1/undo`, { reason: 'it was another' });
  expect(await box.close('2025-10')).toMatchObject({ ok: true });
  const closed = { status: 409, title: 'closed' };
  // Number 4 came on 1 November; the date that it would count on is closed.
  for (const [what, body] of [
    ['', move(1, '2025-10-30')],
    ['/2/approve', {}],
    ['/3/approve', {}],
    ['/1/undo', { reason: 'once more' }],
  ] as const)
    expect([what, (await box.ask(`${path}${what}`, body, 'wang')).json]).toMatchObject([what, closed]);
  const preview = { ext_id: 'e1', checkin: 1, work_date: '2025-10-30' };
  expect((await box.ask('/attendance/previews/move', preview)).json).toMatchObject(closed);
  expect((await box.ask(`${path}/2/refuse`, {}, 'wang')).json).toMatchObject({ state: 'refused' });
});

test('a move into a month that waits for approval is in the way of closing that month', async () => {
  await using box = await aBox({ secondPerson: true });
  await box.ask(path, move(4, '2025-10-31'));
  const outcome = await box.close('2025-10', null);
  expect(outcome).toMatchObject({
    ok: false,
    inTheWay: expect.arrayContaining([{ what: 'corrections', count: 1, days: [] }]),
  });
});

test.each([
  ['of nobody', { ...move(2, '2025-10-29'), items: [{ ext_id: 'e9', checkin: 2, work_date: '2025-10-29' }] }, 404],
  ['to a date that is far away', move(2, '2025-11-10'), 404],
  ['to the date on which it counts already', move(1, '2025-10-29'), 409],
  ['to no date', { ...move(2, '2025-10-29'), items: [{ ext_id: 'e1', checkin: 2 }] }, 422],
  ['to a date that is none', move(2, '2025-09-31'), 400],
])('a move %s is refused', async (_, body, status) => {
  await using box = await aBox();
  expect((await box.ask(path, body)).status).toBe(status);
  expect((await box.ask(path)).json.rows).toEqual([]);
});

test('a check-in is moved once; what is set aside cannot be moved; an added one can', async () => {
  await using box = await aBox();
  await box.ask(path, move(2, '2025-10-29'));
  expect((await box.ask(path, move(2, '2025-10-31'))).json).toMatchObject({ title: 'already' });
  await box.ask(path, { kind: 'set_aside', items: [{ ext_id: 'e1', checkin: 4 }], reason: 'not hers' });
  expect((await box.ask(path, move(4, '2025-10-31'))).json).toMatchObject({ title: 'set_aside' });
  await box.ask(path, { kind: 'add', items: [{ ext_id: 'e1', time: '2025-10-31T10:30' }], reason: 'forgot' });
  await box.ask(path, move(5, '2025-10-30'));
  expect(await box.dayOf('2025-10-30')).toMatchObject({ counts: ['5 out'] });
  expect((await box.ask(`${path}/3/undo`, { reason: 'she was not there' })).status).toBe(200);
  expect(await box.dayOf('2025-10-30')).toMatchObject({ counts: ['5 set_aside'] });
});

test('every export says to which date a check-in was moved, and so does its receipt', async () => {
  await using box = await aBox();
  await box.ask(path, move(2, '2025-10-29'));
  const rows: Record<string, unknown>[] = [];
  for await (const row of exportRows(box.gateway.store, 'checkins', {}, 'Asia/Shanghai')) rows.push(row);
  expect(rows).toMatchObject([
    { id: 1, set_aside: false },
    { id: 2, set_aside: false, work_date: '2025-10-29', reason: 'the night went on' },
    { id: 3 },
    { id: 4 },
  ]);
  expect(rows[0]).not.toHaveProperty('work_date');
  const receipts = receiptsResource.running({ store: box.gateway.store });
  expect(await receipts.receipt({ checkin: 2 })).toMatchObject({
    correction: { id: 1, set_aside: false, work_date: '2025-10-29', reason: 'the night went on' },
  });
  expect(await receipts.receipt({ checkin: 1 })).toMatchObject({ correction: null });
  const answer = await box.call('/reports/month/month.xlsx?month=2025-10')[0];
  const book = await readXlsx(new Uint8Array(await answer.arrayBuffer()));
  const [header, ...cells] = book.sheets.find(({ name }) => name === 'Check-ins')!.rows as string[][];
  const column = (name: string) => header!.indexOf(name);
  const moved = cells.filter(row => row[column('Moved to this date')] === 'yes');
  expect(moved.map(row => [row[column('Work date')], row[column('Reason for the correction')]])).toEqual([
    ['2025-10-29', 'the night went on'],
  ]);
});
