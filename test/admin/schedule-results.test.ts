import { expect, test } from 'vitest';
import type { BoxAdmin, Role } from '../../src/admin/index.ts';
import { scheduleResultsResource } from '../../src/admin/schedule-results.ts';
import type { CalendarKind } from '../../src/attendance/index.ts';
import { monthFilters } from '../../src/platform/day-figures.ts';
import type { Shift } from '../../src/platform/shifts.ts';
import { anAdminApi, anIdentity } from '../support/admin.ts';
import { anAttendanceBox, aSite } from '../support/attendance.ts';
import { aDayShift, aNightShift } from '../support/plans.ts';

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
    ...aSite.departments!,
    { ext_id: 'd2', name: 'Night shift', p_ext_id: 'd1' },
    { ext_id: 'd3', name: 'Office', p_ext_id: '0' },
  ],
  employees: [person(1, 'd1'), person(2, 'd1'), person(3, 'd2'), person(4, 'd3')],
};
const week = (code: string) => [code, code, code, code, code, null, null];

/** Assembly works days, the night shift below it nights; nothing is planned for the office. */
interface Change {
  readonly calendar?: Readonly<Record<string, CalendarKind>>;
  readonly clock?: 'as_said' | 'corrected';
}

async function aBox({ calendar = {}, clock: counted = 'as_said' }: Change = {}) {
  const box = await anAttendanceBox({ site });
  const { store, clock } = box.gateway;
  const by = { at: clock.now(), by: 'anna' };
  const plan = async (shift: Shift, department: string) => {
    await store.write.putShift({ shift, ...by });
    const target = { kind: 'department', extId: department } as const;
    const rule = { target, cycle: week(shift.code), anchor: '2025-01-06', from: '2025-01-01', to: null };
    await store.write.putRosterRule({ id: null, rule, ...by });
  };
  await plan(aDayShift(), 'd1');
  await plan(aNightShift(), 'd2');
  const reports = box.reports({
    rules: { clock: counted, nightOvertime: 'work_date', version: '1.2.3' },
    calendar: async () => new Map(Object.entries(calendar)),
  });
  const scheduleResults = scheduleResultsResource.running({
    reports,
    store,
    clock,
    site: { name: 'My site', timezone: 'Asia/Shanghai' },
  });
  const ask = async (query: string, role: Role = 'viewer') => {
    const api = anAdminApi({ scheduleResults } as BoxAdmin, anIdentity(role));
    const answer = await api.request(`/attendance/results?${query}`);
    return { status: answer.status, json: JSON.parse(await answer.text()) };
  };
  const punches = async (extId: string, ...moments: string[]) => {
    for (const moment of moments) await box.punch(extId, secondsOf(moment));
  };
  return Object.assign(box, { ask, punches, scheduleReports: reports });
}

test('each person has the days of the schedule of the nearest department, and a night is one day', async () => {
  await using box = await aBox();
  await box.punches('e1', '2025-11-17T08:52:10', '2025-11-17T18:03:00', '2025-11-18T09:06:00', '2025-11-18T18:00:00');
  await box.punches('e3', '2025-11-17T21:50:00', '2025-11-18T06:04:00', '2025-11-19T05:50:00');
  const { json } = await box.ask('from=2025-11-17&to=2025-11-18');
  expect(json).toMatchObject({ from: '2025-11-17', to: '2025-11-18', time_zone: 'Asia/Shanghai', cursor: null });
  const [one, two, three, four] = json.rows;
  expect(one).toMatchObject({ ext_id: 'e1', mobile: '138****0000', sums: { days: { planned: 2, worked: 2 } } });
  expect(one.days[0].segments[0]).toMatchObject({ state: 'ok', in: { at: secondsOf('2025-11-17T08:52:10') } });
  expect(one.sums).toMatchObject({ counts: { late: 1 }, minutes: { worked: 954, planned: 960, late: 6 } });
  expect(two.days.map((day: { state: string }) => day.state)).toEqual(['absent', 'absent']);
  expect(three.days[0]).toMatchObject({ shift: 'night', state: 'ok', minutes: { worked: 480 } });
  expect(three.days[1]).toMatchObject({ state: 'missing_in' });
  expect(four.days.map((day: { state: string }) => day.state)).toEqual(['none', 'none']);
});

test('a filter lists people with such a day, page by page, and the figures count them', async () => {
  await using box = await aBox();
  await box.punches('e1', '2025-11-17T08:52:10', '2025-11-17T18:03:00', '2025-11-18T09:06:00', '2025-11-18T18:00:00');
  await box.punches('e2', '2025-11-17T08:50:00', '2025-11-17T18:00:00', '2025-11-18T09:20:00', '2025-11-18T18:00:00');
  const found = async (show: string, more = ''): Promise<string[]> => {
    const { json } = await box.ask(`from=2025-11-17&to=2025-11-18&with=marks&show=${show}${more}`);
    return json.rows.map((row: { ext_id: string }) => row.ext_id);
  };
  expect(await found('late')).toEqual(['e1', 'e2']);
  expect(await found('absent')).toEqual(['e3']);
  expect(await found('review')).toEqual(['e3']);
  expect(await found('late,absent')).toEqual(['e1', 'e2', 'e3']);
  expect(await found('leave')).toEqual([]);
  const query = 'from=2025-11-17&to=2025-11-18&with=marks&show=absent,late&limit=2';
  const { cursor } = (await box.ask(query)).json;
  expect((await box.ask(`${query}&cursor=${cursor}`)).json).toMatchObject({ rows: [{ ext_id: 'e3' }], cursor: null });
  expect((await box.ask('show=tall')).status).toBe(400);
  // In the whole month each of them was absent on some day.
  expect(await box.scheduleReports.figures({ month: '2025-11' })).toMatchObject({
    ...{ people: 4, open: 4, planned: true },
    counts: { review: 3, absent: 3, late: 2, missing_in: 0, leave: 0 },
  });
  expect(await box.scheduleReports.figures({ month: '2025-11', departmentExtId: 'd3' })).toMatchObject({
    ...{ people: 1, planned: false },
    counts: { review: 0 },
  });
});

test('a very short stay is to be reviewed, and its mark says why', async () => {
  await using box = await aBox();
  for (const day of ['17', '18', '19', '20', '21'])
    await box.punches('e1', `2025-11-${day}T${day === '18' ? '17:40:00' : '08:52:10'}`, `2025-11-${day}T18:03:00`);
  const span = 'from=2025-11-17&to=2025-11-21&department=d1';
  const { rows } = (await box.ask(`${span}&with=marks&show=review`)).json;
  const reviewed = rows.find((row: { ext_id: string }) => row.ext_id === 'e1');
  expect(reviewed.marks.filter((mark: { flags?: [] }) => mark.flags)).toMatchObject([
    { date: '2025-11-18', flags: [{ flag: 'very_short' }] },
  ]);
});

test('after each change the figures of a month are those of the people that each filter lists', async () => {
  await using box = await aBox();
  const { store, clock } = box.gateway;
  const by = () => ({ at: clock.now(), by: 'anna' });
  const listed = async (departmentExtId: string | undefined) => {
    const found = { ...Object.fromEntries(monthFilters.map(filter => [filter, 0])) };
    for (const filter of monthFilters) {
      const asked = { from: '2025-11-01', to: '2025-11-30', departmentExtId, byDepartment: true, show: [filter] };
      const ids = new Set<number>();
      for await (const { person } of box.scheduleReports.people({ ...asked, detail: 'days' })) ids.add(person.place.id);
      found[filter] = ids.size;
    }
    return found;
  };
  const figures: string[] = [];
  const compare = async (change: string) => {
    for (const departmentExtId of [undefined, 'd1', 'd2', 'd3']) {
      const { counts } = await box.scheduleReports.figures({ month: '2025-11', departmentExtId });
      expect(counts, `${change}: ${departmentExtId}`).toEqual(await listed(departmentExtId));
      figures.push(JSON.stringify(counts));
    }
  };
  const workdays = ['03', '04', '05', '06', '07', '10', '11', '12', '13', '14', '17', '18', '19'];
  const each = (no: number) => workdays.flatMap(day => [`2025-11-${day}T08:5${no}:00`, `2025-11-${day}T18:0${no}:59`]);
  await compare('nothing');
  await box.punches('e1', ...each(1));
  await box.punches('e2', ...each(2));
  await compare('check-ins');
  await box.punches('e1', '2025-11-20T09:20:00', '2025-11-08T10:00:00');
  await compare('a late start of the day under way, and one on a Saturday');
  const asked = { reason: 'forgotten', ...by(), approve: false };
  const items = [{ extId: 'e2', at: secondsOf('2025-11-18T20:00:00') }];
  const added = await store.write.askCorrection({ ...asked, kind: 'add', items });
  await compare('a correction that waits');
  const decided = { state: 'approved', by: 'bo', at: clock.now(), twoPersons: true } as const;
  await store.write.decideCorrection({ id: added.ok ? added.id : 0, ...decided });
  await compare('a correction');
  const leave = { from: '2025-11-12T00:00', to: '2025-11-12T12:00', kind: 'annual', paid: true, reason: '' };
  await store.write.putLeave({ id: null, leave: { extId: 'e1', ...leave, state: 'approved' }, ...by() });
  await compare('a leave of the morning');
  const rule = { cycle: week('night'), anchor: '2025-01-06', from: '2025-11-14', to: null };
  await store.write.putRosterRule({ id: null, rule: { target: { kind: 'person', extId: 'e2' }, ...rule }, ...by() });
  await compare('a plan of nights');
  await store.write.putShift({
    shift: aDayShift({ kind: 'flexible', flexLate: 30, validFrom: '2025-11-17' }),
    ...by(),
  });
  await compare('flexible hours');
  const moved = { department: { extId: 'd2', since: '2025-11-11' }, at: clock.now(), queue: null };
  await store.write.putEmployee({ extId: 'e1', ...moved });
  await compare('a move to another department');
  await store.write.setEmployment({ employment: { extId: 'e3', from: null, to: '2025-11-07' } });
  await compare('somebody who has left');
  clock.set(Date.parse('2025-12-09T12:00:00+08:00'));
  await compare('the month is over');
  const closing = { month: '2025-11', by: 'anna', force: 'a test', wrongClocks: [], instead: null };
  await box.scheduleReports.close({ ...closing, department: { extId: 'd1', name: 'Assembly' } });
  await compare('a closing of some');
  await store.write.putEmployee({ extId: 'e2', ...moved, department: { extId: 'd3', since: '2025-12-01' } });
  await box.punches('e2', '2025-11-06T12:00:00');
  await compare('a late check-in, and a move, of somebody whose month is closed');
  await store.write.deleteEmployee({ extId: 'e2', at: clock.now(), queue: null });
  await compare('a deletion');
  expect(new Set(figures).size).toBeGreaterThan(10);
});

test('people are listed in pages that go on where they ended, of a department with those below it', async () => {
  await using box = await aBox();
  const query = 'month=2025-11&department=d1&with=sums&limit=2';
  const { rows, cursor } = (await box.ask(query)).json;
  expect(rows).toMatchObject([{ ext_id: 'e1', days: [] }, { ext_id: 'e2' }]);
  const next = (await box.ask(`${query}&cursor=${cursor}`)).json;
  expect(next).toMatchObject({ rows: [{ ext_id: 'e3' }], cursor: null });
});

test('a person can be asked for, with what became of every punch', async () => {
  await using box = await aBox({ calendar: { '2025-11-18': 'legal_holiday' } });
  await box.punches('e1', '2025-11-17T05:50:00', '2025-11-17T18:00:00', '2025-11-18T09:00:00', '2025-11-18T12:00:00');
  const { json } = await box.ask('person=e1&from=2025-11-17&to=2025-11-18&with=punches', 'admin');
  const [row] = json.rows;
  expect(row.mobile).toBe('13800000000');
  expect(row.days[0]).toMatchObject({
    state: 'missing_in',
    punches: [
      { role: 'unplaced', reason: 'before_window', minutes: 10, device: 'North gate' },
      { role: 'out', segment: 0, at: secondsOf('2025-11-17T18:00:00') },
    ],
  });
  expect(row.days[1]).toMatchObject({ kind: 'legal_holiday', state: 'extra', minutes: { overtime_holiday: 180 } });
  expect((await box.ask('person=nobody')).status).toBe(404);
});

test('a list of many people can have a mark for each day, without what is 0 or empty', async () => {
  await using box = await aBox();
  const shift = aDayShift();
  const [segment] = shift.segments;
  const halves = [
    { ...segment!, on: 540, off: 720, after: 30 },
    { ...segment!, on: 840, off: 1080, before: 60 },
  ];
  await box.gateway.store.write.putShift({
    ...{ at: box.gateway.clock.now(), by: 'anna' },
    shift: { ...shift, validFrom: '2025-11-19', breaks: [], segments: halves },
  });
  await box.punches('e1', '2025-11-17T09:06:00', '2025-11-17T18:00:00', '2025-11-18T08:58:00');
  await box.punches('e1', '2025-11-19T08:58:00', '2025-11-19T12:01:00');
  const { json } = await box.ask('from=2025-11-16&to=2025-11-19&with=marks&department=d1');
  const workday = { kind: 'workday' };
  expect(json.rows[0]).toMatchObject({ ext_id: 'e1', days: [] });
  expect(json.rows[0].marks).toEqual([
    { date: '2025-11-16', kind: 'rest', state: 'off' },
    { date: '2025-11-17', ...workday, state: 'ok', minutes: { late: 6 } },
    { date: '2025-11-18', ...workday, state: 'missing_out' },
    { date: '2025-11-19', ...workday, state: 'absent', segments: [{ state: 'ok' }, { state: 'absent' }] },
  ]);
});

test('what arrives later, and a plan that changes later, is in the next answer', async () => {
  await using box = await aBox();
  const { store, clock } = box.gateway;
  await box.punches('e1', '2025-11-17T08:58:00');
  const state = async () => (await box.ask('person=e1&from=2025-11-17&to=2025-11-17')).json.rows[0].days[0];
  expect(await state()).toMatchObject({ state: 'missing_out' });
  await box.punches('e1', '2025-11-17T18:00:00');
  expect(await state()).toMatchObject({ state: 'ok' });
  const leave = {
    extId: 'e1',
    from: '2025-11-17T00:00',
    to: '2025-11-18T00:00',
    kind: 'annual',
    paid: true,
    reason: '',
  };
  const recorded = { at: clock.now(), by: 'anna' };
  await store.write.putLeave({ id: null, leave: { ...leave, state: 'approved' }, ...recorded });
  expect(await state()).toMatchObject({ state: 'leave', minutes: { leave: 480 }, flags: [{ flag: 'on_leave' }] });
  await store.write.setEmployment({ employment: { extId: 'e1', from: '2025-11-18', to: null } });
  expect(await state()).toMatchObject({ state: 'not_employed' });
});

test('a correction counts once it is approved, and shows where it waits', async () => {
  await using box = await aBox();
  const { store, clock } = box.gateway;
  await box.punches('e1', '2025-11-17T08:40:00', '2025-11-17T08:58:00');
  const day = async () => (await box.ask('person=e1&from=2025-11-17&to=2025-11-17&with=punches')).json.rows[0].days[0];
  const asked = { reason: 'forgotten', by: 'anna', at: clock.now(), approve: false };
  const added = [{ extId: 'e1', at: secondsOf('2025-11-17T18:00:00') }];
  const add = await store.write.askCorrection({ ...asked, kind: 'add', items: added });
  expect(await day()).toMatchObject({ state: 'missing_out', flags: [{ flag: 'correction_asked' }] });
  const id = add.ok ? add.id : 0;
  await store.write.decideCorrection({ id, state: 'approved', by: 'bo', at: clock.now(), twoPersons: true });
  const complete = await day();
  expect(complete).toMatchObject({ state: 'ok', flags: [], segments: [{ out: { source: 'added' } }] });
  const checkInId = complete.punches[0].punch_id;
  const early = [{ extId: 'e1', checkInId }];
  const aside = await store.write.askCorrection({ ...asked, kind: 'set_aside', items: early, approve: true });
  expect(await day()).toMatchObject({
    segments: [{ in: { at: secondsOf('2025-11-17T08:58:00') } }],
    punches: [{ punch_id: checkInId, role: 'set_aside', correction_id: aside.ok && aside.id }, {}, { source: 'added' }],
  });
});

test('nobody is absent while the terminal that the person uses is silent, for 24 hours', async () => {
  await using box = await aBox();
  const { clock } = box.gateway;
  clock.set(secondsOf('2025-11-17T18:05:00') * 1000);
  await box.punches('e1', '2025-11-17T08:52:00', '2025-11-17T18:03:00');
  const states = async () => {
    const { rows } = (await box.ask('person=e1&from=2025-11-17&to=2025-11-19')).json;
    return rows[0].days.map((day: { state: string }) => day.state);
  };
  const goesTo = (moment: string) => clock.advance(secondsOf(moment) * 1000 - clock.now());
  await goesTo('2025-11-19T08:00:00');
  expect(await states()).toEqual(['ok', 'not_known_yet', 'to_come']);
  const [row] = (await box.ask('person=e1&from=2025-11-18&to=2025-11-18')).json.rows;
  expect(row.days[0].segments[0].waits_for).toEqual({
    device_id: 'FACE-T1_A0001',
    device: 'North gate',
    since: secondsOf('2025-11-17T18:05:00') * 1000,
  });
  await goesTo('2025-11-20T00:00:00');
  expect(await states()).toEqual(['ok', 'absent', 'not_known_yet']);
});

test('a span has two ends, in order, and at most 62 days', async () => {
  await using box = await aBox();
  const why = async (query: string) => (await box.ask(query)).json.detail;
  expect(await why('from=2025-11-17')).toBe('write month=2026-11, or both from and to');
  expect(await why('from=2025-11-17&to=2025-11-16')).toBe('to 2025-11-16 lies before from 2025-11-17');
  expect(await why('from=2025-01-01&to=2025-12-31')).toBe('365 days: ask for at most 62 at once');
});
