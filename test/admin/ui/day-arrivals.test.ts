import { expect, test } from 'vitest';
import { serve } from '../../../src/admin/serve.ts';
import { dayArrivalOperations, dayArrivalsOf } from '../../../src/admin/ui/day-arrivals.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { anAttendanceBox, aSite } from '../../support/attendance.ts';
import { aDayShift } from '../../support/plans.ts';

const person = (no: number, department: string) => ({
  ...{ ext_id: `e${no}`, name: `Person ${no}`, mobile: '', department: { ext_id: department } },
});
const site = {
  ...aSite,
  departments: [...aSite.departments!, { ext_id: 'd3', name: 'Office', p_ext_id: '0' }],
  employees: [person(1, 'd1'), person(2, 'd1'), person(3, 'd1'), person(4, 'd3')],
};
const monday = '2025-11-17';
const secondsOf = (time: string): number => Date.parse(`${monday}T${time}+08:00`) / 1000;
const quarter = (time: string): number => (secondsOf(time) - secondsOf('00:00:00')) / 900;

/** Assembly works from nine from Monday to Friday; nothing is planned for the office. */
async function aBox() {
  const box = await anAttendanceBox({ site });
  const { store, clock } = box.gateway;
  const by = { at: clock.now(), by: 'anna' };
  await store.write.putShift({ shift: aDayShift(), ...by });
  const cycle = ['day', 'day', 'day', 'day', 'day', null, null];
  const target = { kind: 'department', extId: 'd1' } as const;
  const rule = { target, cycle, anchor: '2025-01-06', from: '2025-01-01', to: null };
  await store.write.putRosterRule({ id: null, rule, ...by });
  const config = { site: { name: 'My site', timezone: 'Asia/Shanghai', locale: 'en' } } as never;
  const running = dayArrivalsOf({ reports: box.reports(), clock, config });
  const api = anAdminApi({} as never, anIdentity('viewer'), app => serve(app, dayArrivalOperations, running));
  const ask = async (day: string) => {
    const answer = await api.request(`/day/arrivals?day=${day}`);
    // biome-ignore lint/suspicious/noExplicitAny: read by the tests.
    return { status: answer.status, json: (await answer.json()) as any };
  };
  return Object.assign(box, { ask });
}

test('people are expected when their shift begins, and arrive with the punch that is the start of it', async () => {
  await using box = await aBox();
  await box.punch('e1', secondsOf('08:44:00'));
  await box.punch('e1', secondsOf('18:02:00'));
  await box.punch('e2', secondsOf('09:20:00'));
  await box.punch('e4', secondsOf('10:00:00'));
  const { expected, arrived } = (await box.ask(monday)).json;
  expect(expected).toHaveLength(96);
  expect(expected[quarter('09:00:00')]).toBe(3);
  expect(expected.reduce((sum: number, one: number) => sum + one)).toBe(3);
  expect(arrived[quarter('08:30:00')]).toBe(1);
  expect(arrived[quarter('09:15:00')]).toBe(1);
  expect(arrived.reduce((sum: number, one: number) => sum + one)).toBe(2);
});

test('on a day for which nobody is planned there is nothing to compare with', async () => {
  await using box = await aBox();
  expect((await box.ask('2025-11-16')).json).toMatchObject({ expected: null, arrived: null });
});

test('a day that has not come is refused', async () => {
  await using box = await aBox();
  expect((await box.ask('2099-01-01')).status).toBe(422);
});
