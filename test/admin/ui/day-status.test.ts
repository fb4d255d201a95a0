import { expect, test } from 'vitest';
import { correctionOperations, corrections } from '../../../src/admin/corrections.ts';
import { serve } from '../../../src/admin/serve.ts';
import { dayArrivalOperations, dayArrivalsOf } from '../../../src/admin/ui/day-arrivals.ts';
import { type DayStatusReport, dayStatuses, dayStatusOperations } from '../../../src/admin/ui/day-status.ts';
import type { AttendanceResults } from '../../../src/attendance/index.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { anAttendanceBox, aSite } from '../../support/attendance.ts';
import { aDayShift, aNightShift } from '../../support/plans.ts';

const secondsOf = (moment: string): number => Date.parse(`${moment}+08:00`) / 1000;
const person = (no: number, department: string) => ({
  ...{ ext_id: `e${no}`, name: `Person ${no}`, mobile: '13800000000', employee_num: `10${no}` },
  department: { ext_id: department },
});
const plant = (people: ReturnType<typeof person>[]) => ({
  ...aSite,
  departments: [
    ...aSite.departments!,
    { ext_id: 'd2', name: 'Night crew', p_ext_id: '0' },
    { ext_id: 'd3', name: 'Office', p_ext_id: '0' },
  ],
  employees: people,
});
/** A Thursday. */
const today = '2025-11-20';

/** Assembly works from nine from Monday to Friday, the night crew from 22:00 each night; the office has no plan. */
async function aBox(people: ReturnType<typeof person>[], { planned = true } = {}) {
  const box = await anAttendanceBox({ site: plant(people) });
  const { store, clock } = box.gateway;
  const by = { at: clock.now(), by: 'anna' };
  const plan = async (extId: string, cycle: readonly (string | null)[]) => {
    const target = { kind: 'department', extId } as const;
    const rule = { target, cycle, anchor: '2025-01-06', from: '2025-01-01', to: null };
    await store.write.putRosterRule({ id: null, rule, ...by });
  };
  await store.write.putShift({ shift: aDayShift(), ...by });
  await store.write.putShift({ shift: aNightShift(), ...by });
  if (planned) {
    await plan('d1', ['day', 'day', 'day', 'day', 'day', null, null]);
    await plan('d2', ['night']);
  }
  const config = {
    site: { name: 'My site', timezone: 'Asia/Shanghai', locale: 'en' },
    attendance: { corrections: { second_person: false } },
  } as Parameters<typeof corrections>[0]['config'];
  const parts = { store, clock, config, reports: box.reports(), results: {} as AttendanceResults };
  const api = anAdminApi({} as never, anIdentity('staff'), app => {
    serve(app, dayStatusOperations, dayStatuses(parts));
    serve(app, dayArrivalOperations, dayArrivalsOf(parts as never));
    serve(app, correctionOperations, corrections(parts));
  });
  const ask = async (path: string, body?: object) => {
    const answer = await api.request(path, {
      ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: read by the tests.
    return (await answer.json()) as any;
  };
  const status = (query = ''): Promise<DayStatusReport> => ask(`/attendance/day/status?day=${today}${query}`);
  const at = (moment: string) => clock.set(secondsOf(moment) * 1000);
  const punch = (extId: string, moment: string) => box.punch(extId, secondsOf(moment));
  return Object.assign(box, { ask, status, at, punchAt: punch });
}

const statusesOf = ({ rows }: DayStatusReport) =>
  Object.fromEntries(rows.map(({ ext_id, status }) => [ext_id, status]));

test('people stand where the schedules and their check-ins put them, trouble first', async () => {
  await using box = await aBox([1, 2, 3, 4].map(no => person(no, 'd1')).concat(person(5, 'd3')));
  const { store, clock } = box.gateway;
  const leave = { extId: 'e4', from: `${today}T00:00`, to: '2025-11-21T00:00', kind: 'annual', paid: true, reason: '' };
  await store.write.putLeave({ id: null, leave: { ...leave, state: 'approved' }, at: clock.now(), by: 'mei' });
  box.at(`${today}T14:00:00`);
  await box.punchAt('e1', `${today}T08:44:00`);
  await box.punchAt('e2', `${today}T09:20:00`);
  await box.punchAt('e5', `${today}T10:00:00`);
  const report = await box.status();
  expect(report.rows.map(({ ext_id, status }) => `${ext_id} ${status}`)).toEqual([
    ...['e3 absent', 'e2 late', 'e1 present', 'e4 leave', 'e5 none'],
  ]);
  expect(report).toMatchObject({
    planned: true,
    counts: { absent: 1, late: 1, present: 1, leave: 1, none: 1, expected: 0, missing: 0, off: 0 },
    shifts: [{ code: 'day', name: 'Day', counts: { absent: 1, late: 1, present: 1 } }],
    departments: [{ ext_id: 'd1' }, { ext_id: 'd3', name: 'Office' }],
  });
  expect(report.rows[0]).toMatchObject({ missing: [`${today}T09:00:00`], first: null });
  expect(report.rows[1]).toMatchObject({
    late: 20,
    first: { at: secondsOf(`${today}T09:20:00`), device: 'North gate' },
  });
  expect(report.rows.at(-1)).toMatchObject({ first: { at: secondsOf(`${today}T10:00:00`) }, shift: null });
  expect(statusesOf(await box.status('&status=absent,late'))).toEqual({ e3: 'absent', e2: 'late' });
});

test('a night belongs to its day: whoever went home this morning is expected tonight, and not here', async () => {
  await using box = await aBox([person(1, 'd2'), person(2, 'd2')]);
  box.at(`${today}T14:00:00`);
  await box.punchAt('e1', '2025-11-19T21:52:00');
  await box.punchAt('e1', `${today}T06:03:00`);
  expect(await box.status()).toMatchObject({ counts: { expected: 2, present: 0, absent: 0 } });
  const yesterday = await box.ask('/attendance/day/status?day=2025-11-19');
  expect(statusesOf(yesterday)).toEqual({ e1: 'present', e2: 'absent' });
  expect(yesterday.rows[0].missing).toEqual(['2025-11-19T22:00:00', `${today}T06:00:00`]);
  box.at(`${today}T22:30:00`);
  expect(await box.status()).toMatchObject({ counts: { expected: 0, absent: 2 } });
});

test('Today and the page of the day count the same arrivals, also of those who come early', async () => {
  await using box = await aBox([1, 2, 3].map(no => person(no, 'd1')).concat(person(4, 'd2'), person(5, 'd2')));
  box.at(`${today}T21:40:00`);
  await box.punchAt('e1', `${today}T08:44:00`);
  await box.punchAt('e1', `${today}T18:02:00`);
  await box.punchAt('e2', `${today}T09:20:00`);
  await box.punchAt('e4', `${today}T21:35:00`);
  const { counts } = await box.status();
  const { now, expected, arrived } = await box.ask(`/day/arrivals?day=${today}`);
  expect(now).toEqual({ due: 4, came: 3, late: 1 });
  // The picture of the day adds up the parts until now.
  const soFar = (parts: readonly number[]) => parts.slice(0, 4 * 21 + 3).reduce((sum, one) => sum + one, 0);
  expect({ due: soFar(expected), came: soFar(arrived) }).toEqual({ due: 4, came: 3 });
  const came = counts.present + counts.late + counts.missing;
  expect({ due: came + counts.absent, came, late: counts.late }).toEqual(now);
});

test('where nobody has a schedule nobody is absent', async () => {
  await using box = await aBox([person(1, 'd1'), person(2, 'd1')], { planned: false });
  box.at(`${today}T14:00:00`);
  await box.punchAt('e1', `${today}T08:44:00`);
  expect(await box.status()).toMatchObject({ planned: false, counts: { none: 2, absent: 0 } });
  expect(await box.ask(`/day/arrivals?day=${today}`)).toMatchObject({ expected: null, now: null });
});

test('eighty punches that a dead terminal missed are added by one correction, and taken back by one', async () => {
  const people = Array.from({ length: 100 }, (_, index) => person(index + 1, 'd1'));
  await using box = await aBox(people);
  const punches = (from: number, to: number, day: string, deviceId: string) =>
    box.report(
      {
        records: people
          .slice(from, to)
          .map(({ ext_id }) => ({ ext_id, check_type: 'fa', check_time: secondsOf(`${day}T08:50:00`) })),
      },
      { deviceId },
    );
  box.at(`${today}T09:30:00`);
  await punches(0, 80, '2025-11-19', 'FACE-T1_A0002');
  await punches(80, 100, '2025-11-19', 'FACE-T1_A0001');
  await punches(80, 98, today, 'FACE-T1_A0001');
  const all = await box.status('&limit=10');
  expect(all.counts).toMatchObject({ absent: 82, present: 18 });
  expect(all.terminals).toMatchObject([
    { device_id: 'FACE-T1_A0002', people: 80 },
    { device_id: 'FACE-T1_A0001', people: 2 },
  ]);
  const dead = await box.status('&terminal=FACE-T1_A0002&status=absent,missing&limit=60');
  expect(dead).toMatchObject({ total: 80, counts: { absent: 80 } });
  const rest = await box.status(`&terminal=FACE-T1_A0002&status=absent,missing&limit=60&cursor=${dead.cursor}`);
  expect(rest).toMatchObject({ cursor: null });
  const found = [...dead.rows, ...rest.rows];
  expect(new Set(found.map(({ ext_id }) => ext_id)).size).toBe(80);
  const items = found.flatMap(({ ext_id, missing }) => missing.map(time => ({ ext_id, time })));
  expect(items).toHaveLength(80);
  const { id } = await box.ask('/attendance/corrections', { kind: 'add', items, reason: 'Terminal was out of order' });
  expect((await box.status()).counts).toMatchObject({ absent: 2, present: 98 });
  await box.ask(`/attendance/corrections/${id}/undo`, { reason: 'Added by mistake' });
  expect((await box.status()).counts).toMatchObject({ absent: 82, present: 18 });
});
