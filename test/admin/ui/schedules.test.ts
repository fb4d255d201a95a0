import { expect, test } from 'vitest';
import type { PageParts, Role } from '../../../src/admin/index.ts';
import { serve } from '../../../src/admin/serve.ts';
import { employmentOperations, employments } from '../../../src/admin/ui/employment.ts';
import { people, peopleOperations } from '../../../src/admin/ui/people-lists.ts';
import { planPreviewOperations, planPreviews } from '../../../src/admin/ui/plan-previews.ts';
import { scheduleOperations, schedules } from '../../../src/admin/ui/schedules.ts';
import { AttendanceResults } from '../../../src/attendance/index.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { anAttendanceBox, aSite } from '../../support/attendance.ts';

const site = {
  ...aSite,
  employees: ['e1', 'e2'].map(id => ({ ext_id: id, name: `Person ${id}`, mobile: '', department: { ext_id: 'd1' } })),
};

/** The routes over a real store of a site in Shanghai, whose calendar has one holiday. */
async function aBox() {
  const box = await anAttendanceBox({ site });
  const { store, clock } = box.gateway;
  const parts = {
    store,
    clock,
    attendance: box.attendance,
    services: {
      days: async (days: readonly string[]) =>
        days.map(day => ({
          ...{ day, type: day === '2026-10-01' ? 'BREAK' : 'WORK' },
          ...{ name: day === '2026-10-01' ? '国庆节' : '', source: 'built-in' },
        })),
    },
    config: { site: { name: 'My site', timezone: 'Asia/Shanghai', locale: 'en' }, features: { upstream: 'on' } },
    upstream: { standsAlone: false },
    results: new AttendanceResults({
      ...{ store, clock, site: { timezone: 'Asia/Shanghai' }, isOnline: () => true },
      rules: { clock: 'as_said', nightOvertime: 'work_date' },
      calendar: async () => new Map(),
    }),
  } as unknown as PageParts;
  const identities = new Map<Role, ReturnType<typeof anIdentity>>();
  const ask = async (role: Role, method: string, path: string, body?: unknown) => {
    const identity = identities.get(role) ?? anIdentity(role);
    identities.set(role, identity);
    const answer = await anAdminApi({} as never, identity, app => {
      serve(app, scheduleOperations, schedules(parts));
      serve(app, planPreviewOperations, planPreviews(parts));
      serve(app, employmentOperations, employments(parts));
      serve(app, peopleOperations, people(parts));
    }).request(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: each test reads the answer of another operation.
    return { status: answer.status, json: (await answer.json()) as any };
  };
  return Object.assign(box, { ask, audited: (role: Role) => identities.get(role)!.audited });
}

const day = {
  ...{ name: 'Day', valid_from: '0000-01-01', kind: 'fixed', late_grace: 5, early_grace: 5, flex_late: 0 },
  ...{ flex_early: 0, late_off_late_on: [], required_minutes: 0, counting: 'first_last' },
  segments: [{ on: 540, off: 1080, before: 180, after: 360, need_in: true, need_out: true }],
  breaks: [{ from: 720, to: 780, paid: false }],
  overtime: { before: false, after: true, min: 30, step: 30 },
};
const week = {
  ...{ cycle: ['day', 'day', 'day', 'day', 'day', null, null], anchor: '2026-11-16', from: '2026-11-16', to: null },
};

test('a shift is added, planned for the site, and changed from a date on; the audit log has what was and what is', async () => {
  await using box = await aBox();
  expect((await box.ask('viewer', 'PUT', '/schedules/shifts/day', day)).status).toBe(403);
  expect((await box.ask('staff', 'PUT', '/schedules/shifts/day', day)).json).toEqual({ done: true });
  const target = { kind: 'site' };
  const { json } = await box.ask('staff', 'POST', '/schedules/rosters', { ...week, target });
  const later = { ...day, valid_from: '2026-12-01', late_grace: 10 };
  expect((await box.ask('staff', 'PUT', '/schedules/shifts/day', later)).status).toBe(200);
  const changed = { ...week, cycle: ['day', null], target };
  expect((await box.ask('staff', 'PUT', `/schedules/rosters/${json.id}`, changed)).status).toBe(200);
  const plans = (await box.ask('viewer', 'GET', '/schedules?past=true')).json;
  expect(plans.shifts).toEqual([
    { ...day, code: 'day' },
    { ...later, code: 'day' },
  ]);
  expect(plans.rosters).toMatchObject([{ id: json.id, name: '', cycle: ['day', null], recorded_by: 'mei' }]);
  expect(box.audited('staff').map(entry => (entry as { subject: string }).subject)).toEqual([
    'shift day: Day 09:00-18:00 break 12:00-13:00 grace 5/5',
    'assignment of the site: day day day day day off off from 2026-11-16',
    'shift day from 2026-12-01: Day 09:00-18:00 break 12:00-13:00 grace 5/5 → Day 09:00-18:00 break 12:00-13:00 grace 10/5',
    'assignment of the site: day day day day day off off from 2026-11-16 → day off from 2026-11-16',
  ]);
});

test('before it is saved, a plan that reaches into the past says how many days of how many people change', async () => {
  await using box = await aBox();
  await box.ask('staff', 'PUT', '/schedules/shifts/day', day);
  // The clock stands at 08:53 on Thursday, 20 November 2025.
  const roster = { ...week, anchor: '2025-11-17', from: '2025-11-17', target: { kind: 'site' } };
  const preview = async (body: object) => (await box.ask('staff', 'POST', '/schedules/previews/roster', body)).json;
  expect(await preview({ ...roster, id: null })).toEqual({ days: 6, people: 2, since: '2025-11-17', cut: false });
  expect(await preview({ ...roster, id: null, from: '2025-11-20' })).toMatchObject({ days: 0, people: 0 });
  const { id } = (await box.ask('staff', 'POST', '/schedules/rosters', roster)).json;
  expect(await preview({ ...roster, id })).toMatchObject({ days: 0, people: 0 });
  const one = { ...roster, target: { kind: 'person', ext_id: 'e1' }, cycle: [null], id: null };
  expect(await preview(one)).toMatchObject({ days: 3, people: 1 });
  const shorter = { ...day, code: 'day', segments: [{ ...day.segments[0], off: 1020 }] };
  const { json } = await box.ask('staff', 'POST', '/schedules/previews/shift', shorter);
  expect(json).toEqual({ days: 6, people: 2, since: '2025-08-20', cut: false });
  expect((await box.ask('viewer', 'GET', '/schedules')).json.shifts).toHaveLength(1);
});

test('a plan that cannot be is refused by name, with the place and the remedy', async () => {
  await using box = await aBox();
  const two = [day.segments[0], { ...day.segments[0], on: 1000, off: 1200 }];
  const wrong = await box.ask('staff', 'PUT', '/schedules/shifts/day', { ...day, segments: two });
  expect(wrong).toMatchObject({
    status: 422,
    json: {
      title: 'plan_refused',
      detail: 'shift day: segments[1].on 16:40 is before the end of segments[0] 18:00: segments must not overlap',
      problems: [{ path: ['segments', 1, 'on'] }],
    },
  });
  const target = { kind: 'person', ext_id: 'e9' };
  expect((await box.ask('staff', 'POST', '/schedules/rosters', { ...week, target })).json.detail).toBe(
    'assignment of person e9: no person has the ID e9; assignment of person e9: no such shift',
  );
  expect((await box.ask('staff', 'DELETE', '/schedules/shifts/day')).status).toBe(404);
  expect((await box.ask('staff', 'PUT', '/schedules/rosters/7', { ...week, target })).status).toBe(404);
});

test('the calendar has the national days of a month, and what the site says of them', async () => {
  await using box = await aBox();
  const open = { date: '2026-10-01', target: { kind: 'department', ext_id: 'd1' }, what: { kind: 'workday' } };
  const { json } = await box.ask('staff', 'POST', '/schedules/calendar', { ...open, reason: 'a large order' });
  const { days } = (await box.ask('viewer', 'GET', '/schedules/calendar?month=2026-10')).json;
  expect(days).toHaveLength(31);
  expect(days[0]).toMatchObject({
    ...{ date: '2026-10-01', break: true, holiday: '国庆节', published: true },
    own: [{ id: json.id, name: 'Assembly', what: { kind: 'workday' }, reason: 'a large order' }],
  });
  expect(days[1]).toMatchObject({ break: false, holiday: '', own: [] });
  expect((await box.ask('staff', 'DELETE', `/schedules/calendar/${json.id}`)).status).toBe(200);
  expect((await box.ask('staff', 'DELETE', `/schedules/calendar/${json.id}`)).status).toBe(404);
});

test('who has left is listed apart, and viewers see no leave', async () => {
  await using box = await aBox();
  const put = (body: object) => box.ask('staff', 'PUT', '/people/e1/employment', body);
  expect((await put({ from: '2020-01-02', to: '2020-01-01' })).status).toBe(422);
  expect((await put({ from: null, to: '2020-01-01' })).status).toBe(200);
  const ids = async (employed: string) =>
    (await box.ask('viewer', 'GET', `/people?employed=${employed}`)).json.rows.map(
      (row: { ext_id: string; employed_to: string | null }) => [row.ext_id, row.employed_to],
    );
  expect(await ids('now')).toEqual([['e2', null]]);
  expect(await ids('no%20more')).toEqual([['e1', '2020-01-01']]);
  expect((await box.ask('viewer', 'GET', '/people')).json.rows).toHaveLength(2);
  expect((await box.ask('viewer', 'GET', '/people/e1/employment')).json).toEqual({
    ...{ from: null, to: '2020-01-01', earlier: [] },
  });
  expect((await box.ask('viewer', 'GET', '/schedules/leaves')).status).toBe(403);
  expect(box.audited('staff').at(-1)).toMatchObject({ subject: 'employment of e1: always → … to 2020-01-01' });
});

test('a leave is asked for, approved, and withdrawn', async () => {
  await using box = await aBox();
  const leave = { ext_id: 'e1', from: '2026-11-16T09:00', to: '2026-11-16T12:00', kind: 'sick', state: 'asked' };
  const { json } = await box.ask('staff', 'POST', '/schedules/leaves', leave);
  const decide = (state: string) => box.ask('staff', 'POST', `/schedules/leaves/${json.id}/decision`, { state });
  expect((await decide('approved')).status).toBe(200);
  expect((await decide('refused')).status).toBe(422);
  const rows = async (query: string) => (await box.ask('staff', 'GET', `/schedules/leaves?${query}`)).json.rows;
  expect(await rows('person=e1&from=2026-11-16&to=2026-11-16')).toMatchObject([
    { id: json.id, name: 'Person e1', state: 'approved', decided_by: 'mei', paid: true },
  ]);
  expect(await rows('state=asked')).toEqual([]);
  expect((await decide('withdrawn')).status).toBe(200);
  expect((await box.ask('staff', 'POST', '/schedules/leaves', { ...leave, from: '2026-11-16 09:00' })).status).toBe(
    400,
  );
});
