import { expect, test } from 'vitest';
import type { BoxAdmin } from '../../src/admin/index.ts';
import { exportRows } from '../../src/admin/rows.ts';
import { scheduleResultsResource } from '../../src/admin/schedule-results.ts';
import { access } from '../../src/admin/ui/access.ts';
import { days } from '../../src/admin/ui/attendance-days.ts';
import { peopleBulk } from '../../src/admin/ui/people-bulk.ts';
import { peopleChanges } from '../../src/admin/ui/people-changes.ts';
import { AttendanceResults } from '../../src/attendance/index.ts';
import type { Shift } from '../../src/platform/shifts.ts';
import { anAdminApi, anIdentity } from '../support/admin.ts';
import { anAttendanceBox, aSite } from '../support/attendance.ts';
import { aDayShift, aNightShift } from '../support/plans.ts';
import { applied } from '../support/store.ts';

const zone = 'Asia/Shanghai';
const noonOf = (date: string): number => Date.parse(`${date}T12:00:00+08:00`);
const secondsOf = (moment: string): number => Date.parse(`${moment}+08:00`) / 1000;
const person = (no: number, department: string) => ({
  ext_id: `e${no}`,
  name: `Person ${no}`,
  mobile: '13800000000',
  employee_num: `10${no}`,
  department: { ext_id: department },
});
const site = {
  ...aSite,
  departments: [
    { ext_id: '0', name: 'Plant' },
    { ext_id: 'a', name: 'Division A', p_ext_id: '0' },
    { ext_id: 'b', name: 'Division B', p_ext_id: '0' },
    { ext_id: 'd1', name: 'Days', p_ext_id: 'a' },
    { ext_id: 'd2', name: 'Nights', p_ext_id: 'b' },
  ],
  employees: [person(1, 'd1'), person(2, 'd1'), person(3, 'd2')],
};
const week = (code: string) => [code, code, code, code, code, null, null];

/** Division A works days and division B nights; the box is set to noon of 2025-11-13. */
async function aBox() {
  const box = await anAttendanceBox({ site });
  const { store, clock, devices } = box.gateway;
  const plan = async (shift: Shift, department: string) => {
    const by = { at: clock.now(), by: 'anna' };
    await store.write.putShift({ shift, ...by });
    const target = { kind: 'department', extId: department } as const;
    const rule = { target, cycle: week(shift.code), anchor: '2025-01-06', from: '2025-01-01', to: null };
    await store.write.putRosterRule({ id: null, rule, ...by });
  };
  await plan(aDayShift(), 'a');
  await plan(aNightShift(), 'b');
  const results = new AttendanceResults({
    ...{ store, clock, site: { timezone: zone } },
    rules: { clock: 'as_said', nightOvertime: 'work_date' },
    isOnline: deviceNo => devices.isOnline(deviceNo),
    calendar: async () => new Map(),
  });
  const parts = { store, clock, results, attendance: box.attendance, config: { site: { timezone: zone } } };
  const admin = scheduleResultsResource.running({
    reports: box.reports(),
    store,
    clock,
    site: { name: 'Plant', timezone: zone },
  });
  const ask = async (query: string) => {
    const api = anAdminApi({ scheduleResults: admin } as BoxAdmin, anIdentity('staff'));
    const answer = await api.request(`/attendance/results?${query}`);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { rows: Row[] }).rows;
  };
  const at = { at: noonOf('2025-11-13'), queue: null };
  const move = (extId: string, department: string, since?: string) =>
    store.write.putEmployee({ extId, department: { extId: department, since }, ...at });
  const put = (extId: string, parent: string, since?: string) =>
    store.write.putDepartment({ extId, name: extId, parentExtId: parent, since, ...at });
  const november = () => ask('from=2025-11-01&to=2025-11-30');
  const [bulk, changes] = [peopleBulk(parts), peopleChanges(parts)];
  const config = { site: { name: 'Plant', timezone: zone } } as Parameters<typeof days>[0]['config'];
  const shown = days({ ...parts, config, services: { days: async () => [] } });
  const passages = access({ ...parts, config });
  return Object.assign(box, { store, ask, move, put, at, november, bulk, changes, days: shown, access: passages });
}

interface Row {
  readonly ext_id: string;
  readonly department_ext_id: string;
  readonly days: readonly { readonly date: string; readonly shift: string | null; readonly state: string }[];
  readonly sums: { readonly days: { readonly planned: number } };
}

/** Which shifts are planned for a person, from when to when, in which department. */
const shiftsOf = (rows: readonly Row[], extId: string): string[] =>
  rows
    .filter(row => row.ext_id === extId)
    .map(({ department_ext_id: department, days }) => {
      const codes = [...new Set(days.flatMap(({ shift }) => shift ?? []))];
      return `${department} ${days[0]!.date} to ${days.at(-1)!.date}: ${codes.join(', ')}`;
    });

test('a transfer changes no day before it, and the month lists the person under each department for its days', async () => {
  await using box = await aBox();
  await box.punch('e1', secondsOf('2025-11-12T08:52:10'));
  await box.punch('e1', secondsOf('2025-11-12T18:03:00'));
  const before = (await box.november()).find(row => row.ext_id === 'e1')!;
  expect(before.days[11]).toMatchObject({ date: '2025-11-12', shift: 'day', state: 'ok' });
  await box.move('e1', 'd2');
  const rows = await box.november();
  expect(shiftsOf(rows, 'e1')).toEqual(['d1 2025-11-01 to 2025-11-12: day', 'd2 2025-11-13 to 2025-11-30: night']);
  expect(rows.find(row => row.ext_id === 'e1')!.days).toEqual(before.days.slice(0, 12));
  // Of one department, of a division above it, and of nobody else.
  expect(shiftsOf(await box.ask('month=2025-11&department=a'), 'e1')).toEqual(['d1 2025-11-01 to 2025-11-12: day']);
  expect(shiftsOf(await box.ask('month=2025-11&department=d2'), 'e1')).toEqual(['d2 2025-11-13 to 2025-11-30: night']);
  expect(shiftsOf(await box.ask('month=2025-12&department=d1'), 'e1')).toEqual([]);
  // One who is asked for by name comes once, with all days.
  const [whole, ...none] = await box.ask('month=2025-11&person=e1');
  expect([whole!.days.length, whole!.department_ext_id, none]).toEqual([30, 'd2', []]);
});

test('pages of a month have as many people as were asked for, each once or under each department', async () => {
  await using box = await aBox();
  await box.move('e1', 'd2');
  const query = 'month=2025-11&limit=2&with=sums';
  const rows = await box.ask(query);
  expect(rows.map(({ ext_id, department_ext_id: of }) => `${ext_id} ${of}`)).toEqual(['e2 d1', 'e1 d1', 'e1 d2']);
});

test('a move is dated otherwise: earlier, later, and taken back', async () => {
  await using box = await aBox();
  await box.move('e1', 'd2', '2025-11-03');
  expect(shiftsOf(await box.november(), 'e1')).toEqual([
    'd1 2025-11-01 to 2025-11-02: ',
    'd2 2025-11-03 to 2025-11-30: night',
  ]);
  await box.move('e1', 'd2', '2025-11-10');
  expect(shiftsOf(await box.november(), 'e1')).toEqual([
    'd1 2025-11-01 to 2025-11-09: day',
    'd2 2025-11-10 to 2025-11-30: night',
  ]);
  await box.move('e1', 'd1', '2025-11-10');
  expect(shiftsOf(await box.november(), 'e1')).toEqual(['d1 2025-11-01 to 2025-11-30: day']);
});

test('a department that moves takes its people along from that day on', async () => {
  await using box = await aBox();
  await box.put('d1', 'b', '2025-11-10');
  const rows = await box.ask('month=2025-11&person=e2');
  expect(rows[0]!.days.filter(({ shift }) => shift === 'day').map(({ date }) => date)).toHaveLength(5);
  expect(rows[0]!.days[9]).toMatchObject({ date: '2025-11-10', shift: 'night' });
  expect(shiftsOf(await box.ask('month=2025-11&department=a'), 'e2')).toEqual(['d1 2025-11-01 to 2025-11-09: day']);
  expect(shiftsOf(await box.ask('month=2025-11&department=b'), 'e2')).toEqual(['d1 2025-11-10 to 2025-11-30: night']);
});

test('the days in a department that was deleted since stay as they were, under its name', async () => {
  await using box = await aBox();
  await box.move('e1', 'd2');
  await box.move('e2', 'd2');
  expect(await box.store.write.deleteDepartment({ extId: 'd1', queue: null })).toMatchObject({ ok: true });
  const rows = await box.november();
  expect(shiftsOf(rows, 'e1')).toEqual(['d1 2025-11-01 to 2025-11-12: day', 'd2 2025-11-13 to 2025-11-30: night']);
  expect(shiftsOf(await box.ask('month=2025-11&department=d1'), 'e2')).toHaveLength(1);
});

test('whoever was added and moved on one day stood nowhere else before', async () => {
  await using box = await aBox();
  const added = { extId: 'e9', name: 'New', mobile: '', employeeNum: '9', department: { extId: '0' } };
  await box.store.write.putEmployee({ ...added, ...box.at });
  await box.move('e9', 'd1');
  expect(shiftsOf(await box.november(), 'e9')).toEqual(['d1 2025-11-01 to 2025-11-30: day']);
});

test('before a move is saved, what it changes in days that are over is told, and it may not lie ahead', async () => {
  await using box = await aBox();
  const [department, day] = ['d2', '2025-11-17'];
  const move = { department, department_since: day, ext_ids: ['e1', 'e2', 'e3'] };
  // Monday to Wednesday of two people: the box's day is Thursday the 20th.
  expect(await box.bulk.preview(move)).toEqual({ days: 6, people: 2, since: day, cut: false });
  expect(await box.changes.previewDepartment({ ext_id: 'd1', parent: 'b', parent_since: day })).toMatchObject({
    days: 6,
    people: 2,
  });
  expect(shiftsOf(await box.november(), 'e1')).toEqual(['d1 2025-11-01 to 2025-11-30: day']);
  await box.bulk.change(move);
  expect(shiftsOf(await box.november(), 'e1')).toEqual([
    'd1 2025-11-01 to 2025-11-16: day',
    'd2 2025-11-17 to 2025-11-30: night',
  ]);
  const later = { message: expect.stringMatching(/^2025-11-21: a transfer cannot be dated after today/) };
  await expect(box.bulk.change({ ...move, department_since: '2025-11-21' })).rejects.toMatchObject(later);
});

test('a change of many is undone as if nobody had moved', async () => {
  await using box = await aBox();
  const { id } = await box.bulk.change({ department: 'd2', department_since: '2025-11-03', ext_ids: ['e1'] });
  await box.bulk.undo({ id: id! });
  expect(shiftsOf(await box.november(), 'e1')).toEqual(['d1 2025-11-01 to 2025-11-30: day']);
});

test('what the cloud moves changes no day before either', async () => {
  await using box = await aBox();
  const root = { id: '500', pid: '', name: 'Plant', extId: '0' };
  const below = (id: string, extId: string) => ({ id, pid: '500', name: extId, extId });
  const departments = [root, below('501', 'a'), below('502', 'b')];
  const mirror = (departmentId: string, date: string) => {
    const facts = { name: 'Cloud', mobile: '', employeeNum: '8', departmentId };
    const employees = [{ id: '9', extId: 'e8', ...facts }];
    return box.store.write.mirrorOrganization({ departments, employees, at: noonOf(date) });
  };
  await mirror('501', '2025-11-03');
  await mirror('502', '2025-11-10');
  expect(shiftsOf(await box.november(), 'e8')).toEqual([
    'a 2025-11-01 to 2025-11-09: day',
    'b 2025-11-10 to 2025-11-30: night',
  ]);
});

test('days and months of a department list who was there then', async () => {
  await using box = await aBox();
  await box.move('e1', 'd2');
  const names = ({ rows }: { rows: readonly { ext_id: string }[] }) => rows.map(({ ext_id }) => ext_id).join(' ');
  const dayOf = async (department: string, day: string) =>
    names(await box.days.dayPeople({ day, which: 'missing', department, limit: 9 }));
  await box.punch('e1', secondsOf('2025-11-03T09:00:00'));
  await box.punch('e2', secondsOf('2025-11-03T09:00:00'));
  await box.store.catchUp();
  expect([await dayOf('d1', '2025-11-12'), await dayOf('a', '2025-11-12'), await dayOf('d2', '2025-11-12')]).toEqual([
    ...['e2 e1', 'e2 e1', ''],
  ]);
  expect([await dayOf('d1', '2025-11-13'), await dayOf('d2', '2025-11-13')]).toEqual(['e2', 'e1']);
  const month = async (department: string) =>
    names(await box.days.monthPeople({ month: '2025-11', department, limit: 9 }));
  expect([await month('d1'), await month('d2')]).toEqual(['e2 e1', 'e1 e3']);
});

test('lists of check-ins and passages name the department of their day, and are filtered by it', async () => {
  await using box = await aBox();
  for (const [date, time] of [
    ['2025-11-02', '23:59:59'],
    ['2025-11-03', '00:00:00'],
    ['2025-11-10', '08:00:00'],
  ]) {
    await box.punch('e1', secondsOf(`${date}T${time}`));
    const passage = { door_id: 'D1', ext_id: 'e1', check_type: 'fa', check_data: {}, check_result: 0 };
    await box.report({ records: [{ ...passage, check_time: secondsOf(`${date}T${time}`) }] }, { action: 2002 });
  }
  await box.store.catchUp();
  // Nights from the 3rd on, days again from the 10th on; division B is closed on the 12th.
  await box.move('e1', 'd2', '2025-11-03');
  await box.move('e1', 'd1', '2025-11-10');
  await box.move('e3', 'd1', '2025-11-12');
  expect(await box.store.write.deleteDepartment({ extId: 'd2', queue: null })).toMatchObject({ ok: true });

  const listed = async (what: 'checkin-report' | 'access-report', filter = {}) => {
    const rows: string[] = [];
    for await (const row of exportRows(box.store, what, filter, zone)) {
      expect(row).not.toHaveProperty('stands');
      rows.push(String(row.department));
    }
    return rows.join(' ');
  };
  const november = { from: secondsOf('2025-11-01T00:00:00') * 1000, to: secondsOf('2025-12-01T00:00:00') * 1000 };
  for (const what of ['checkin-report', 'access-report'] as const) {
    expect(await listed(what)).toBe('Days Nights Days');
    expect(await listed(what, { department: 'd1' })).toBe('Days Days');
    expect(await listed(what, { department: 'b', ...november })).toBe('Nights');
    expect(await listed(what, { department: 'a', ...november })).toBe('Days Days');
    expect(await listed(what, { department: '0', to: Number.MAX_SAFE_INTEGER })).toBe('Days Nights Days');
  }
  const { rows } = await box.access.passages({ limit: 9 });
  expect(rows.map(({ department }) => department)).toEqual(['Days', 'Nights', 'Days']);
  const dayOf = async (day: string) =>
    (await box.days.dayPeople({ day, which: 'here', limit: 9 })).rows.map(row => row.department);
  expect([await dayOf('2025-11-03'), await dayOf('2025-11-10')]).toEqual([['Nights'], ['Days']]);
  const monthOf = async (department: string) => {
    const { rows } = await box.days.monthPeople({ month: '2025-11', department, limit: 9 });
    const [row] = rows.filter(({ ext_id }) => ext_id === 'e1');
    return [row?.department, row?.days.flatMap((count, day) => (count > 0 ? [day + 1] : []))];
  };
  expect(await monthOf('d1')).toEqual(['Days', [2, 10]]);
  expect(await monthOf('d2')).toEqual(['Nights', [3]]);
});

test('a site file dates a move, says the date back, and changes nothing when it is applied again', async () => {
  await using box = await aBox();
  const moved = [{ ...person(1, 'd2'), department_since: '2025-11-10' }];
  expect(await applied(box.store, { employees: moved })).toMatchObject([
    { key: 'e1', fields: ['department', 'department_since'] },
  ]);
  expect(shiftsOf(await box.november(), 'e1')).toHaveLength(2);
  expect(await applied(box.store, { employees: moved })).toEqual([]);
  expect(await applied(box.store, { employees: [person(1, 'd2')] })).toEqual([]);
  const written = (await box.store.read.site({ withSecrets: false })).employees!;
  expect(written.map(({ ext_id, department_since }) => [ext_id, department_since])).toEqual([
    ['e1', '2025-11-10'],
    ['e2', undefined],
    ['e3', undefined],
  ]);
  const ahead = [{ ...person(2, 'd2'), department_since: '2027-01-01' }];
  const write = { site: { employees: ahead }, prune: false, dryRun: false, at: noonOf('2025-11-20') };
  expect(await box.store.write.applySite(write)).toEqual({ notYet: [['employees', 0, 'department_since']] });
});
