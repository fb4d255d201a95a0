import { createHash } from 'node:crypto';
import { readXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { wrongClockNames } from '../../../src/admin/clock.ts';
import { closingsResource } from '../../../src/admin/closings.ts';
import type { BoxAdmin, Role } from '../../../src/admin/index.ts';
import { scheduleResultsResource } from '../../../src/admin/schedule-results.ts';
import { serve } from '../../../src/admin/serve.ts';
import { closedMonthOperations, closedMonths } from '../../../src/admin/ui/closed-months.ts';
import { monthReportOperations, monthReports } from '../../../src/admin/ui/month-reports.ts';
import { monthToClose } from '../../../src/admin/ui/month-to-close.ts';
import { planPreviewOperations, planPreviews } from '../../../src/admin/ui/plan-previews.ts';
import { AttendanceResults, MonthClosings } from '../../../src/attendance/index.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { anAttendanceBox, aSite } from '../../support/attendance.ts';
import { HandClock } from '../../support/clock.ts';
import { aDayShift } from '../../support/plans.ts';

const secondsOf = (moment: string): number => Date.parse(`${moment}+08:00`) / 1000;
const dayMs = 24 * 3600_000;
const person = (no: number, department: string) => ({
  ...{ ext_id: `e${no}`, name: `Person ${no}`, mobile: '13800000000', employee_num: `10${no}` },
  department: { ext_id: department },
});
const site = {
  ...aSite,
  departments: [...aSite.departments!, { ext_id: 'd2', name: 'Office', p_ext_id: '0' }],
  employees: [person(1, 'd1'), person(2, 'd1'), person(3, 'd2')],
};
const week = ['day', 'day', 'day', 'day', 'day', null, null];
const timeZone = 'Asia/Shanghai';
/** A Friday. */
const friday = '2025-11-28';

/** Everybody works from Monday to Friday; e1 has checked in on two days of November; it is the 3rd of December. */
async function aBox({ secondPerson = false, today = '2025-12-03T10:00:00' } = {}) {
  const box = await anAttendanceBox({ site });
  const { store, clock, devices } = box.gateway;
  const by = { at: clock.now(), by: 'anna' };
  await store.write.putShift({ shift: aDayShift(), ...by });
  const rule = { target: { kind: 'site' }, cycle: week, anchor: '2025-01-06', from: '2025-11-17', to: null } as const;
  await store.write.putRosterRule({ id: null, rule, ...by });
  const punches = async (extId: string, ...moments: string[]) => {
    for (const moment of moments) await box.punch(extId, secondsOf(moment));
  };
  await punches('e1', '2025-11-17T08:52:00', '2025-11-17T18:03:00', `${friday}T08:58:00`);
  /** From the other terminal, which was offline until now. */
  const late = (extId: string, moment: string) =>
    box.report(
      { records: [{ ext_id: extId, check_type: 'fa', check_time: secondsOf(moment) }] },
      { deviceId: 'FACE-T1_A0002' },
    );
  // An hour at its end, in which devices go offline: two weeks of it take seconds.
  clock.set(secondsOf(today) * 1000 - 3600_000);
  await clock.advance(3600_000);
  const config = {
    site: { name: 'Plant 4', timezone: timeZone, locale: 'en' },
    attendance: { corrections: { second_person: secondPerson } },
  } as Parameters<typeof closingsResource.running>[0]['config'] & Parameters<typeof monthReports>[0]['config'];
  const rules = { clock: 'as_said', nightOvertime: 'work_date' } as const;
  const results = new AttendanceResults({
    ...{ store, clock, site: config.site, rules },
    isOnline: deviceNo => devices.isOnline(deviceNo),
    calendar: async () => new Map(),
  });
  const monthsAt = (now: HandClock) =>
    new MonthClosings({
      ...{ work: box.reports({ clock: now, site: config.site }), store, clock: now, log: silentLog },
      ...{ site: config.site, isRegion: false, wrongClocks: () => wrongClockNames(store) },
    });
  const months = monthsAt(clock);
  const reports = box.reports({ site: config.site });
  const parts = { store, clock, config, results, reports, closings: months, log: silentLog };
  const scheduleResults = scheduleResultsResource.running({ ...parts, site: config.site });
  const audited: object[] = [];
  const call = async (path: string, body?: object, name = 'mei', role: Role = 'staff') => {
    const identity = anIdentity(role, name, withinMs => store.whole(withinMs));
    const api = anAdminApi(
      { scheduleResults, closings: closingsResource.running(parts) } as BoxAdmin,
      identity,
      app => {
        serve(app, closedMonthOperations, closedMonths(parts));
        serve(app, monthReportOperations, monthReports(parts));
        serve(app, planPreviewOperations, planPreviews(parts));
      },
    );
    const init = body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    };
    const answer = await api.request(path, init);
    audited.push(...identity.audited);
    return answer;
  };
  const ask = async (path: string, body?: object, name?: string) => {
    const answer = await call(path, body, name);
    return { status: answer.status, json: JSON.parse(await answer.text()) };
  };
  const close = (change: object = {}) => ask('/attendance/closings', { month: '2025-11', ...change });
  const dayOf = async (extId: string, date: string) =>
    (await ask(`/attendance/results?person=${extId}&from=${date}&to=${date}`)).json.rows[0].days[0];
  const sheets = async (query = '') => {
    const file = await call(`/reports/month/month.xlsx?month=2025-11${query}`);
    const { sheets: found } = await readXlsx(new Uint8Array(await file.arrayBuffer()));
    return Object.fromEntries(found.map(({ name, rows }) => [name, rows as unknown[][]]));
  };
  const report = async (query?: string) =>
    Object.fromEntries((await sheets(query)).About!.map(([key, value]) => [key, value]));
  return {
    ...{ box, store, clock, months, monthsAt, call, ask, close, dayOf, sheets, report, late, audited },
    async [Symbol.asyncDispose]() {
      await months[Symbol.asyncDispose]();
      await box[Symbol.asyncDispose]();
    },
  };
}

test('what arrives after a closing stays out of its figures, and is listed with what it would change', async () => {
  await using box = await aBox();
  expect(await box.dayOf('e1', friday)).toMatchObject({ state: 'missing_out', minutes: { worked: 0 } });
  const closed = await box.close();
  expect(closed.json).toMatchObject({
    ...{ month: '2025-11', scope: null, revision: 1, state: 'closed', closed_by: 'mei', forced: null, people: 3 },
    ...{ late: 0, rules: '1.2.3', time_zone: timeZone },
    in_the_way: [
      { what: 'missing_checkins', count: 1 },
      { what: 'absences', count: 28 },
    ],
  });
  expect(box.audited).toContainEqual(
    expect.objectContaining({
      action: 'POST /attendance/closings',
      subject: `month 2025-11, the whole site, revision 1, 3 people, hash ${closed.json.hash}`,
    }),
  );
  await box.late('e1', `${friday}T18:04:00`);
  expect(await box.dayOf('e1', friday)).toMatchObject({ state: 'missing_out', minutes: { worked: 0 } });
  expect((await box.ask('/attendance/results?month=2025-11')).json.rows).toMatchObject([
    { ext_id: 'e1', closed: 1, sums: { counts: { missing_out: 1 }, minutes: { worked: 480 } } },
    { ext_id: 'e2', closed: 1 },
    { ext_id: 'e3', closed: 1 },
  ]);
  const about = await box.report();
  expect(about).toMatchObject({
    State: 'closed, all employees, revision 1 (1.2.3, Asia/Shanghai)',
    'Closed at': '2025-12-03 10:00:00 by mei',
    'Closing hash (SHA-256)': closed.json.hash,
    'Changes since closing (days)': 1,
    'Includes records up to number': box.store.journal.lastSeq,
  });
  expect((await box.sheets()).Changes).toMatchObject([
    ['Kind', 'Name', 'Employee ID', 'Date', 'Before', 'After', 'Noticed at'],
    [
      ...['since closing', 'Person 1', 'e1', friday],
      ...['missing out, 08:58––, worked 0 min', 'on time, 08:58–18:04, worked 480 min'],
      '2025-12-03 10:00:00',
    ],
  ]);
  expect((await box.ask('/attendance/closings?month=2025-11')).json.rows).toMatchObject([{ late: 1 }]);
  expect((await box.ask('/attendance/closings/1/changes?kind=late')).json.rows).toMatchObject([
    {
      ...{ ext_id: 'e1', name: 'Person 1', date: friday },
      was: { state: 'missing_out', worked: 0, times: [{ in: secondsOf(`${friday}T08:58:00`), out: null }] },
      now: { state: 'ok', worked: 480 },
    },
  ]);
});

test('the month before is one to close where months were closed, until something of it is closed', async () => {
  await using box = await aBox();
  expect(await monthToClose(box.store, '2025-12-03')).toBe(null);
  await box.close();
  expect(await monthToClose(box.store, '2025-12-03')).toBe(null);
  expect(await monthToClose(box.store, '2026-01-01')).toBe('2025-12');
  // The first month that was closed: before it the site did not close any, and may not have been.
  expect(await monthToClose(box.store, '2025-11-30')).toBe(null);
  await box.ask('/attendance/closings/1/reopen', { reason: 'Punches came late' });
  expect(await monthToClose(box.store, '2025-12-03')).toBe('2025-11');
});

test('the hash of a closing is that of its file, and shows a change of what is stored', async () => {
  await using box = await aBox();
  const { hash } = (await box.close()).json;
  const file = await (await box.call('/reports/closings/1', undefined, 'li', 'viewer')).text();
  expect(createHash('sha256').update(file).digest('hex')).toBe(hash);
  const lines = file
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(lines[0]).toMatchObject({
    month: '2025-11',
    revision: 1,
    previous: null,
    scope: null,
    shifts: [{ code: 'day' }],
  });
  expect(lines.slice(1, -1).map(({ person: { extId } }) => extId)).toEqual(['e1', 'e2', 'e3']);
  expect(lines.at(-1)).toEqual({
    people: 3,
    corrections: 0,
    wrong_clocks: expect.any(Array),
    in_the_way: expect.any(Array),
  });
  expect((await box.ask('/attendance/closings/1/verify')).json).toEqual({ holds: true, hash, found: hash });
  expect(box.audited).toContainEqual(expect.objectContaining({ subject: 'month 2025-11, the whole site, revision 1' }));
});

test('a roster that is recorded after the closing changes no closed day, and its preview says so', async () => {
  await using box = await aBox();
  await box.close();
  const cycle = Array.from({ length: 7 }, () => null);
  const roster = {
    target: { kind: 'person', ext_id: 'e1' },
    cycle,
    anchor: '2025-11-17',
    from: '2025-11-17',
    to: null,
  };
  const preview = await box.ask('/schedules/previews/roster', { id: null, ...roster });
  // Two days of December are over.
  expect(preview.json).toMatchObject({ days: 2, people: 1 });
  const rule = { ...roster, target: { kind: 'person', extId: 'e1' } as const };
  await box.store.write.putRosterRule({ id: null, rule, at: box.clock.now(), by: 'anna' });
  expect(await box.dayOf('e1', '2025-11-17')).toMatchObject({ state: 'ok', kind: 'workday', minutes: { worked: 480 } });
  expect(await box.dayOf('e1', '2025-12-01')).toMatchObject({ state: 'off' });
  await box.months.noteLate();
  const { rows } = (await box.ask('/attendance/closings/1/changes?kind=late')).json;
  expect(rows).toHaveLength(10);
  expect(rows[0]).toMatchObject({ date: '2025-11-17', was: { state: 'ok' }, now: { state: 'extra' } });
});

test('a month is not closed while something is in the way, unless somebody says why', async () => {
  await using box = await aBox({ today: '2025-11-28T20:00:00' });
  const ask = { reason: 'forgot', by: 'li', at: box.clock.now(), approve: false };
  const items = [{ extId: 'e2', at: secondsOf('2025-11-17T18:00:00') }];
  await box.store.write.askCorrection({ ...ask, kind: 'add', items });
  await box.late('nobody', '2025-11-18T08:00:00');
  const refused = await box.close();
  expect(refused).toMatchObject({ status: 409, json: { title: 'in_the_way' } });
  expect(refused.json.detail).toMatch(/^2025-11 was not closed: 3 workdays have not ended yet; 1 workdays are pending/);
  expect(refused.json.problems).toMatchObject([
    { what: 'days_to_come', count: 3, days: [{ ext_id: 'e1', name: 'Person 1', date: friday }, {}, {}] },
    { what: 'days_not_known', count: 1 },
    { what: 'absences' },
    { what: 'corrections', count: 1 },
    { what: 'unknown_checkins', count: 1 },
  ]);
  expect((await box.ask('/attendance/closings')).json.rows).toEqual([]);
  const forced = await box.close({ force: 'wages are due' });
  expect(forced.json).toMatchObject({
    ...{ forced: 'wages are due', revision: 1 },
    in_the_way: [
      ...[{ count: 3 }, { what: 'days_not_known' }, { what: 'absences' }],
      ...[{ what: 'corrections' }, { what: 'unknown_checkins' }],
    ],
  });
  expect(await box.report()).toMatchObject({
    'Closed early': 'wages are due',
    'Unsettled at closing': expect.stringMatching(
      /^workdays not ended: 3; workdays pending: 1; absences: \d+; corrections awaiting approval: 1; check-ins from unknown IDs: 1$/,
    ),
  });
});

test('missing check-ins and absences are listed before a month is closed with them', async () => {
  await using box = await aBox();
  const refused = await box.close({ review: true });
  expect(refused).toMatchObject({ status: 409, json: { title: 'in_the_way' } });
  expect(refused.json.problems).toMatchObject([
    { what: 'missing_checkins', count: 1, days: [{ ext_id: 'e1', name: 'Person 1', date: friday }] },
    { what: 'absences', count: 28, days: [{ ext_id: 'e1', date: '2025-11-18' }, {}, {}, {}, {}] },
  ]);
  expect((await box.ask('/attendance/closings')).json.rows).toEqual([]);
  // Somebody has seen them: no reason is needed, and the closing says what it was closed with.
  expect((await box.close()).json).toMatchObject({
    forced: null,
    in_the_way: [{ what: 'missing_checkins' }, { what: 'absences' }],
  });
});

test('a month that is opened again is closed as revision 2, which lists what differs', async () => {
  await using box = await aBox();
  const first = (await box.close()).json;
  await box.late('e1', `${friday}T18:04:00`);
  expect((await box.close()).json).toMatchObject({ status: 409, title: 'closed' });
  const reopened = await box.ask('/attendance/closings/1/reopen', { reason: 'a terminal was offline' });
  expect(reopened.json).toMatchObject({
    state: 'reopened',
    reopening: { reason: 'a terminal was offline', asked_by: 'mei', by: 'mei' },
  });
  expect(await box.dayOf('e1', friday)).toMatchObject({ state: 'ok', minutes: { worked: 480 } });
  expect(await box.report()).toMatchObject({ State: 'not closed' });
  const second = (await box.close()).json;
  expect(second).toMatchObject({ revision: 2, revised: 1, late: 0 });
  expect(second.hash).not.toBe(first.hash);
  expect((await box.ask(`/attendance/closings/${second.id}/changes?kind=revision`)).json.rows).toMatchObject([
    { ext_id: 'e1', date: friday, was: { state: 'missing_out', worked: 0 }, now: { state: 'ok', worked: 480 } },
  ]);
  // The first one is kept as it was.
  expect((await box.ask('/attendance/closings/1/verify')).json).toMatchObject({ holds: true, hash: first.hash });
  const [head] = (await (await box.call(`/reports/closings/${second.id}`)).text()).split('\n');
  expect(JSON.parse(head!)).toMatchObject({ revision: 2, previous: first.hash });
});

test('where a second person approves corrections, one approves that a month is opened again', async () => {
  await using box = await aBox({ secondPerson: true });
  await box.close();
  const reason = { reason: 'a terminal was offline' };
  expect((await box.ask('/attendance/closings/1/reopen', reason)).json).toMatchObject({ state: 'reopen_asked' });
  expect((await box.ask('/attendance/closings/1/reopen', reason)).json).toMatchObject({ title: 'already' });
  expect((await box.ask('/attendance/results?month=2025-11')).json.rows[0]).toMatchObject({ closed: 1 });
  expect((await box.ask('/attendance/closings/1/reopen/approve', {})).json).toMatchObject({ title: 'same_person' });
  expect((await box.ask('/attendance/closings/1/reopen/approve', {}, 'wang')).json).toMatchObject({
    state: 'reopened',
    reopening: { asked_by: 'mei', by: 'wang' },
  });
  expect((await box.call('/attendance/closings', { month: '2025-11' }, 'li', 'viewer')).status).toBe(403);
});

test('a department is closed by itself, and the site with everybody who is still open', async () => {
  await using box = await aBox();
  expect((await box.close({ department: 'd1' })).json).toMatchObject({
    people: 2,
    scope: { ext_id: 'd1', name: 'Assembly' },
  });
  const closedOf = async () =>
    (await box.ask('/attendance/results?month=2025-11&with=sums')).json.rows.map(
      (row: { closed: number }) => row.closed,
    );
  expect(await closedOf()).toEqual([1, 1, null]);
  expect((await box.report()).State).toBe('closed, Assembly, revision 1 (1.2.3, Asia/Shanghai)');
  expect((await box.close({ department: 'd9' })).status).toBe(404);
  expect((await box.close()).json).toMatchObject({ people: 1, scope: null });
  expect(await closedOf()).toEqual([1, 1, 1]);
  expect((await box.close({ department: 'd2' })).json).toMatchObject({ status: 409, title: 'nobody' });
});

test('who was deleted, or has moved to another department, keeps the closed figures where they were', async () => {
  await using box = await aBox();
  await box.close({ department: 'd1' });
  await box.store.write.putEmployee({
    ...{ extId: 'e2', name: 'Person 2', mobile: '1', employeeNum: '102', department: { extId: 'd2' } },
    ...{ at: box.clock.now(), queue: null },
  });
  await box.store.write.deleteEmployee({ extId: 'e1', at: box.clock.now(), queue: null });
  const rowsOf = async (query: string) => (await box.ask(`/attendance/results?month=2025-11${query}`)).json.rows;
  expect(await rowsOf('&department=d1')).toMatchObject([
    { ext_id: 'e2', department: 'Assembly', closed: 1 },
    { ext_id: 'e1', name: 'Person 1', department: 'Assembly', closed: 1, sums: { minutes: { worked: 480 } } },
  ]);
  expect(await rowsOf('&department=d2')).toMatchObject([{ ext_id: 'e3', closed: null }]);
  expect(await rowsOf('&person=e1')).toMatchObject([{ ext_id: 'e1', closed: 1 }]);
  expect((await box.sheets('&department=d1')).Summary).toHaveLength(3);
});

/** Moves e1 from d1 to d2 since the 17th. */
const moved = (box: Awaited<ReturnType<typeof aBox>>) =>
  box.store.write.putEmployee({
    ...{ extId: 'e1', department: { extId: 'd2', since: '2025-11-17' } },
    ...{ at: box.clock.now(), queue: null },
  });

test('who moved within a month is closed once, with its last department, and listed under both', async () => {
  await using box = await aBox();
  await moved(box);
  const rowsOf = async (query: string) =>
    (await box.ask(`/attendance/results?month=2025-11${query}`)).json.rows
      .map(
        (row: { ext_id: string; department_ext_id: string; closed: number | null; days: { date: string }[] }) =>
          `${row.ext_id} ${row.department_ext_id} ${row.closed} ${row.days[0]!.date} ${row.days.at(-1)!.date}`,
      )
      .sort();
  await box.close({ department: 'd1' });
  const first = ['e1 d1 1 2025-11-01 2025-11-16', 'e2 d1 1 2025-11-01 2025-11-30'];
  expect(await rowsOf('&department=d1')).toEqual([first[0]!.replace('d1 1', 'd1 null'), first[1]]);
  await box.close({ department: 'd2' });
  const second = ['e1 d2 1 2025-11-17 2025-11-30', 'e3 d2 1 2025-11-01 2025-11-30'];
  expect(await rowsOf('&department=d1')).toEqual(first);
  expect(await rowsOf('&department=d2')).toEqual(second);
  expect(await rowsOf('')).toEqual([...first, ...second].sort());
  const { Summary } = await box.sheets('&department=d1');
  expect(Summary!.slice(1).map(([number]) => number)).toEqual(['102', '101']);
  // Moved on since then, the department renumbered, the person deleted: what is closed stays under both.
  await box.store.write.putEmployee({ extId: 'e1', department: { extId: '0' }, at: box.clock.now(), queue: null });
  expect(await rowsOf('&department=d1')).toEqual(first);
  const tree = await box.store.read.departmentTree(9);
  const id = String(tree.find(({ extId }) => extId === 'd1')!.id);
  await box.store.write.setDepartmentExt({ id, extId: 'd7', queue: null });
  expect((await rowsOf('&department=d7')).map((row: string) => row.slice(0, 2))).toEqual(['e1', 'e2']);
  await box.store.write.deleteEmployee({ extId: 'e1', at: box.clock.now(), queue: null });
  expect(await rowsOf('&department=d2')).toEqual(second);
});

test('a move that is dated into a closed month changes no closed day, and is listed as late', async () => {
  await using box = await aBox();
  const rest = { target: { kind: 'department', extId: 'd2' }, cycle: [null], anchor: '2025-01-06' } as const;
  const rule = { ...rest, from: '2025-01-01', to: null };
  await box.store.write.putRosterRule({ id: null, rule, at: box.clock.now(), by: 'anna' });
  await box.close();
  const before = await box.dayOf('e1', friday);
  await moved(box);
  expect(await box.dayOf('e1', friday)).toEqual(before);
  await box.report();
  const { rows } = (await box.ask('/attendance/closings/1/changes?kind=late')).json;
  expect(rows.map(({ ext_id, date }: { ext_id: string; date: string }) => `${ext_id} ${date}`)).toContain(
    `e1 ${friday}`,
  );
});

test('a closed month of the past is removed after two years, and late changes are looked for three months long', async () => {
  await using box = await aBox();
  await box.close();
  await box.late('e1', `${friday}T18:04:00`);
  const inMonths = (months: number) => box.monthsAt(new HandClock(box.clock.now() + months * 31 * dayMs));
  await using after = inMonths(4);
  await after.noteLate();
  await after.retire();
  expect((await box.ask('/attendance/closings')).json.rows).toMatchObject([{ month: '2025-11', late: 0 }]);
  await using muchLater = inMonths(26);
  await muchLater.retire();
  expect((await box.ask('/attendance/closings')).json.rows).toEqual([]);
});
