import { expect, test } from 'vitest';
import type { BoxAdmin, PageParts } from '../../../src/admin/index.ts';
import { scheduleResultsResource } from '../../../src/admin/schedule-results.ts';
import { serve } from '../../../src/admin/serve.ts';
import { employmentOperations, employments } from '../../../src/admin/ui/employment.ts';
import { people, peopleOperations } from '../../../src/admin/ui/people-lists.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { anAttendanceBox, aPullingTerminal } from '../../support/attendance.ts';
import { aDayShift } from '../../support/plans.ts';

/** The routes over a real store, where Li Mei works days. It is 20 November 2025, 08:53. */
async function aBox() {
  const box = await anAttendanceBox();
  const { store, clock } = box.gateway;
  const by = { at: clock.now(), by: 'anna' };
  await store.write.putShift({ shift: aDayShift(), ...by });
  const days = { cycle: ['day', 'day', 'day', 'day', 'day', null, null], anchor: '2024-01-01', from: '2024-01-01' };
  await store.write.putRosterRule({ id: null, rule: { target: { kind: 'site' }, ...days, to: null }, ...by });
  const reports = box.reports({ isOnline: () => true });
  const parts = {
    ...{ store, clock, attendance: box.attendance, upstream: { standsAlone: false } },
    config: { site: { name: 'My site', timezone: 'Asia/Shanghai', locale: 'en' }, features: { upstream: 'on' } },
  } as unknown as PageParts;
  const scheduleResults = scheduleResultsResource.running({ ...parts, reports, site: parts.config.site });
  const identity = anIdentity('staff');
  const api = anAdminApi({ scheduleResults } as BoxAdmin, identity, app => {
    serve(app, employmentOperations, employments(parts));
    serve(app, peopleOperations, people(parts));
  });
  const ask = async (method: string, path: string, body?: object) => {
    const sent = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const answer = await api.request(path, { method, ...sent });
    // biome-ignore lint/suspicious/noExplicitAny: each test reads the answer of another operation.
    return { status: answer.status, json: (await answer.json()) as any };
  };
  return Object.assign(box, {
    ask,
    audited: identity.audited,
    get: async () => (await ask('GET', '/people/e1/employment')).json,
    put: (body: object) => ask('PUT', '/people/e1/employment', body),
    month: async (month: string) => (await ask('GET', `/attendance/results?person=e1&month=${month}`)).json.rows[0],
    listed: async (employed: string) =>
      (await ask('GET', `/people?employed=${employed}`)).json.rows.map((row: { ext_id: string }) => row.ext_id),
  });
}

const first = { from: '2024-01-10', to: '2025-06-30' };

test('a return keeps the first stint: no day before it changes', async () => {
  await using box = await aBox();
  await box.put(first);
  for (const moment of ['2025-05-12T08:52:00', '2025-05-12T18:03:00', '2025-10-31T08:55:00'])
    await box.punch('e1', Date.parse(`${moment}+08:00`) / 1000);
  const months = ['2024-01', '2025-05', '2025-07', '2025-10'];
  const before = await Promise.all(months.map(month => box.month(month)));
  expect(before[1].sums).toMatchObject({ days: { planned: 22, worked: 1 }, minutes: { worked: 480 } });

  expect((await box.put({ from: '2025-11-03', to: null })).status).toBe(200);
  expect(await Promise.all(months.map(month => box.month(month)))).toEqual(before);
  expect(await box.get()).toEqual({ from: '2025-11-03', to: null, earlier: [first] });
  const november: { kind: string }[] = (await box.month('2025-11')).days;
  expect(november.slice(0, 4).map(({ kind }) => kind)).toEqual(['not_employed', 'not_employed', 'workday', 'workday']);
  const gap = (await box.ask('GET', '/attendance/results?person=e1&from=2025-10-31&to=2025-10-31&with=punches')).json;
  expect(gap.rows[0].days[0]).toMatchObject({ kind: 'not_employed', punches: [{ reason: 'after_leaving' }] });
  expect(box.audited.at(-1)).toMatchObject({
    subject: 'employment of e1: 2024-01-10 to 2025-06-30 → 2024-01-10 to 2025-06-30, 2025-11-03 to …',
  });
});

test('the present stint is corrected, left and taken back; the earlier ones stay', async () => {
  await using box = await aBox();
  await box.put(first);
  await box.put({ from: '2025-11-03', to: null });
  // A first day before the last one is no return.
  for (const stint of [
    { from: '2025-11-10', to: null },
    { from: '2025-11-10', to: '2025-11-14' },
  ]) {
    expect((await box.put(stint)).status).toBe(200);
    expect(await box.get()).toEqual({ ...stint, earlier: [first] });
  }
  expect(await box.listed('now')).toEqual([]);
  expect(await box.listed('no%20more')).toEqual(['e1']);
  await box.put({ from: '2025-12-01', to: null });
  const second = { from: '2025-11-10', to: '2025-11-14' };
  expect(await box.get()).toEqual({ from: '2025-12-01', to: null, earlier: [first, second] });
  // Counts as employed from the moment the return is entered.
  expect(await box.listed('now')).toEqual(['e1']);
  // The whole list says what it is: the return was a mistake.
  await box.put({ ...second, earlier: [first] });
  expect(await box.get()).toEqual({ ...second, earlier: [first] });
  await box.put({ from: null, to: null, earlier: [] });
  expect(await box.get()).toEqual({ from: null, to: null, earlier: [] });
});

test.each([
  [
    { from: '2025-06-30', to: null },
    ['from'],
    'begins on 2025-06-30, before the previous employment ends on 2025-06-30',
  ],
  [{ from: null, to: null }, ['from'], 'only the first period of employment may have no first day'],
  [{ from: '2025-11-03', to: '2025-11-02' }, ['to'], 'the last day is before the first day'],
  [
    { from: '2025-11-03', to: null, earlier: [{ from: '2024-01-10', to: null }] },
    ['earlier', 0, 'to'],
    'only the last period of employment may have no last day',
  ],
  [
    { from: '2025-11-03', to: null, earlier: [first, { from: null, to: '2025-09-30' }] },
    ['earlier', 1, 'from'],
    'only the first period of employment may have no first day',
  ],
])('stints that overlap, or are open where others follow, are refused: %j', async (body, path, reason) => {
  await using box = await aBox();
  await box.put({ from: '2025-08-01', to: null, earlier: [first] });
  const { status, json } = await box.put(body);
  expect({ status, problems: json.problems }).toMatchObject({
    status: 422,
    problems: [{ path, reason: expect.stringContaining(reason) }],
  });
  expect(await box.get()).toEqual({ from: '2025-08-01', to: null, earlier: [first] });
});

test('who is back is sent to the terminals, at once where the first day is still to come', async () => {
  await using box = await aBox();
  const { store } = box.gateway;
  const leave = () => store.write.leaveTerminals({ today: '2025-11-20', minute: 533, limit: 9 });
  const device = await aPullingTerminal(box);
  expect((await device.pulled())[0]).toMatchObject({ upsert: [{ ext_id: 'e1' }], remove: [] });
  await box.put(first);
  expect(await leave()).toBe(1);
  expect(await device.pulled()).toEqual([{ upsert: [], remove: ['e1'] }]);
  await box.put({ from: '2025-12-01', to: null });
  expect((await device.pulled())[0]).toMatchObject({ upsert: [{ ext_id: 'e1' }], remove: [] });
  expect(await leave()).toBe(0);
  // Taken back: the last day of the first stint is the last again.
  await box.put({ ...first, earlier: [] });
  expect(await leave()).toBe(1);
  expect(await device.pulled()).toEqual([{ upsert: [], remove: ['e1'] }]);
});
