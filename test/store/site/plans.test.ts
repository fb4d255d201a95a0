import { expect, test } from 'vitest';
import type { SiteData } from '../../../src/store/index.ts';
import { applied, aStore } from '../../support/store.ts';

const site: SiteData = {
  departments: [{ ext_id: 'd1', name: 'Assembly' }],
  employees: [
    { ext_id: 'e 1', name: 'Li Mei', mobile: '', employee_num: '1001', department: { ext_id: 'd1' }, to: '2026-11-20' },
  ],
  shifts: [
    { code: 'day', name: 'Day', times: ['09:00–18:00'], breaks: ['12:00-13:00'], late_grace: 5 },
    { code: 'day', name: 'Day', from: '2026-12-01', times: ['08:30-17:30'] },
    { code: 'night', name: 'Night', times: [{ time: '22:00-06:00', before: 120 }], overtime: { min: 15 } },
    { code: 'office', name: 'Office', kind: 'free', required_minutes: 480 },
  ],
  schedules: [
    { who: 'site', shift: 'day', from: '2026-11-18' },
    { who: { department: 'd1' }, cycle: ['night', 'night', 'off'], anchor: '2026-11-17', from: '2026-11-16' },
    {
      who: { person: 'e 1' },
      week: ['day', 'off', 'day', 'off', 'day', 'off', 'off'],
      from: '2026-11-16',
      to: '2026-12-31',
    },
  ],
  calendar: [
    { date: '2026-10-10', what: { makeup: 'wednesday' }, reason: 'National Day' },
    { date: '2026-12-24', who: { person: 'e 1' }, what: { shift: 'night' } },
    { date: '2026-12-25', what: 'rest' },
  ],
};

test('plans of a site file are stored, written back, and change nothing when they are applied again', async () => {
  await using opened = await aStore();
  const { store } = opened;
  expect((await applied(store, site)).map(({ section, key }) => `${section} ${key}`)).toEqual([
    'departments d1',
    'employees e 1',
    'shifts day',
    'shifts day from 2026-12-01',
    'shifts night',
    'shifts office',
    'schedules site from 2026-11-18',
    'schedules department d1 from 2026-11-16',
    'schedules person e 1 from 2026-11-16',
    'calendar 2026-10-10 site',
    'calendar 2026-12-24 person e 1',
    'calendar 2026-12-25 site',
  ]);
  expect(await store.read.shifts()).toMatchObject([
    { code: 'day', validFrom: '0000-01-01', segments: [{ on: 540, off: 1080, before: 180 }], lateGrace: 5 },
    { code: 'day', validFrom: '2026-12-01', breaks: [], lateGrace: 0 },
    { code: 'night', segments: [{ on: 1320, off: 1800, before: 120, after: 360 }], overtime: { min: 15, step: 30 } },
    { code: 'office', kind: 'free', segments: [], requiredMinutes: 480 },
  ]);
  expect(await store.read.rosterRules({ limit: 9 })).toMatchObject([
    { target: { kind: 'site' }, cycle: ['day', 'day', 'day', 'day', 'day', null, null], anchor: '2026-11-16' },
    { target: { kind: 'department', extId: 'd1' }, cycle: ['night', 'night', null], anchor: '2026-11-17', to: null },
    { target: { kind: 'person', extId: 'e 1' }, to: '2026-12-31' },
  ]);
  const written = await store.read.site({ withSecrets: false });
  expect(written).toEqual({
    departments: site.departments,
    employees: [
      { ext_id: 'e 1', name: 'Li Mei', employee_num: '1001', department: { ext_id: 'd1' }, to: '2026-11-20' },
    ],
    shifts: [{ ...site.shifts![0], times: ['09:00-18:00'] }, ...site.shifts!.slice(1)],
    schedules: [
      { who: 'site', week: ['day', 'day', 'day', 'day', 'day', 'off', 'off'], from: '2026-11-18' },
      ...site.schedules!.slice(1),
    ],
    calendar: site.calendar,
  });
  for (const again of [site, written]) expect(await applied(store, again)).toEqual([]);
});

test('a shift is written as a whole: what the file leaves out has its default', async () => {
  await using opened = await aStore();
  const { store } = opened;
  await applied(store, { shifts: site.shifts! });
  const shorter = [{ code: 'day', name: 'Day', times: ['09:00-17:00'] }];
  expect(await applied(store, { shifts: shorter })).toMatchObject([
    { action: 'change', key: 'day', fields: ['times', 'breaks', 'late_grace'] },
  ]);
  expect((await store.read.shifts())[0]).toMatchObject({ breaks: [], lateGrace: 0 });
});

test('pruning removes plans that the file does not list, in the sections that it has', async () => {
  await using opened = await aStore();
  const { store } = opened;
  await applied(store, site);
  const rest = { schedules: site.schedules!.slice(0, 1), calendar: [] };
  expect((await applied(store, rest, { prune: true })).map(({ action, key }) => `${action} ${key}`)).toEqual([
    'remove department d1 from 2026-11-16',
    'remove person e 1 from 2026-11-16',
    'remove 2026-10-10 site',
    'remove 2026-12-24 person e 1',
    'remove 2026-12-25 site',
  ]);
  expect(await store.read.rosterRules({ limit: 9 })).toHaveLength(1);
  expect(await store.read.dayOverrides({ limit: 9 })).toEqual([]);
  expect(await store.read.shifts()).toHaveLength(4);
});

test('stints before the last one are in the site file; a file that does not list them leaves them alone', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const [{ to: _to, ...mei }] = site.employees as [NonNullable<SiteData['employees']>[number]];
  await applied(store, { ...site, employees: [{ ...mei, from: '2024-01-10', to: '2025-06-30' }] });
  const back = { ...mei, from: '2026-11-01' };
  expect(await applied(store, { employees: [back] }, { dryRun: true })).toMatchObject([
    { action: 'change', fields: ['from', 'to', 'earlier'] },
  ]);
  const written = async () => (await store.read.site({ withSecrets: false })).employees![0]!;
  // What is written back is the same for a box that knows nothing, or something else.
  const whole = {
    ...back,
    to: '2026-12-31',
    earlier: [{ to: '2023-03-31' }, { from: '2024-01-10', to: '2025-06-30' }],
  };
  await applied(store, { employees: [whole] });
  expect(await written()).toMatchObject({ from: '2026-11-01', to: '2026-12-31', earlier: whole.earlier });
  for (const employees of [[whole], [await written()], [{ ...back, from: '2024-01-10', to: '2025-06-30' }]])
    expect(await applied(store, { employees })).toEqual([]);
  expect(await applied(store, { employees: [{ ...whole, earlier: [] }] })).toMatchObject([{ fields: ['earlier'] }]);
  expect(await written()).not.toHaveProperty('earlier');
});

test('an employee of a file without dates keeps those that staff have entered', async () => {
  await using opened = await aStore();
  const { store } = opened;
  await applied(store, site);
  const [{ to: _to, ...mei }] = site.employees as [NonNullable<SiteData['employees']>[number]];
  expect(await applied(store, { employees: [mei] })).toEqual([]);
  expect(await applied(store, { employees: [{ ...mei, to: '' }] })).toMatchObject([{ fields: ['to'] }]);
  expect(await store.read.employments({ limit: 9 })).toEqual([]);
});
