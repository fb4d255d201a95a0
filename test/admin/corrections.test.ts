import { expect, test } from 'vitest';
import { correctionOperations, corrections } from '../../src/admin/corrections.ts';
import type { BoxAdmin, Role } from '../../src/admin/index.ts';
import { exportRows } from '../../src/admin/rows.ts';
import { serve } from '../../src/admin/serve.ts';
import { AttendanceResults } from '../../src/attendance/index.ts';
import { anAdminApi, anIdentity } from '../support/admin.ts';
import { anAttendanceBox } from '../support/attendance.ts';

/** 2025-11-20 08:53:20 at the site. */
const came = 1_763_600_000;

/** A box with one check-in of e1, at the time at which its clock stands. */
async function aBox({ secondPerson = false, timezone = 'Asia/Shanghai' } = {}) {
  const box = await anAttendanceBox();
  const { store, clock, devices } = box.gateway;
  await box.caller.run('checkin_query_init');
  await box.punch('e1', came);
  const config = {
    site: { name: 'My site', timezone, locale: 'en' },
    attendance: { corrections: { second_person: secondPerson } },
  } as Parameters<typeof corrections>[0]['config'];
  const results = new AttendanceResults({
    ...{ store, clock, site: config.site, rules: { clock: 'as_said', nightOvertime: 'work_date' } },
    isOnline: deviceNo => devices.isOnline(deviceNo),
    calendar: async () => new Map(),
  });
  const running = corrections({ store, clock, config, results });
  const audited: object[] = [];
  const ask = async (name: string, method: string, path: string, body?: object, role: Role = 'staff') => {
    const identity = anIdentity(role, name);
    const answer = await anAdminApi({} as BoxAdmin, identity, app => serve(app, correctionOperations, running)).request(
      `/attendance/corrections${path}`,
      {
        method,
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      },
    );
    audited.push(...identity.audited);
    return { status: answer.status, json: JSON.parse(await answer.text()) };
  };
  const exported = async () => {
    const rows: Record<string, unknown>[] = [];
    for await (const row of exportRows(store, 'checkins', {}, 'Asia/Shanghai')) rows.push(row);
    return rows;
  };
  return Object.assign(box, { ask, audited, exported, results });
}
const add = (time: string, reason = 'forgot') => ({ kind: 'add', items: [{ ext_id: 'e1', time }], reason });

test('an added check-in is handed out once, after what a caller has got, as a supplement card', async () => {
  await using box = await aBox();
  const before = await box.caller.walk();
  expect(before.records).toHaveLength(1);
  expect((await box.ask('mei', 'POST', '', add('2025-11-20T08:00'))).json).toEqual({ id: 1, state: 'approved' });
  const after = await box.caller.walk(before.nextId);
  expect(after.records).toEqual([
    {
      id: '2',
      user_id: '1',
      ext_id: 'e1',
      terminal_id: 'apply',
      check_type: 'reissue',
      check_time: Date.parse('2025-11-20T08:00:00+08:00') / 1000,
      check_data: { employee_num: '1001', dept_name: 'Assembly', member_name: 'Li Mei', dept_id: '2' },
    },
  ]);
  expect((await box.caller.walk(after.nextId)).records).toEqual([]);
  expect(box.audited).toContainEqual(
    expect.objectContaining({
      actor: 'mei',
      action: 'POST /attendance/corrections',
      subject: 'correction 1 approved: e1: none → 2025-11-20 08:00:00; forgot',
      outcome: 'done',
    }),
  );
});

test('a check-in that is set aside stays in the API and in every export, where it is marked', async () => {
  await using box = await aBox();
  const aside = { kind: 'set_aside', items: [{ ext_id: 'e1', checkin: 1 }], reason: 'not hers' };
  expect((await box.ask('mei', 'POST', '', aside)).status).toBe(200);
  expect((await box.caller.walk()).records).toMatchObject([{ id: '1', check_type: 'fa', check_time: came }]);
  expect(await box.exported()).toMatchObject([{ id: 1, source: 'device', set_aside: true, reason: 'not hers' }]);
  expect((await box.ask('mei', 'POST', '', aside)).json).toMatchObject({ status: 409, title: 'already' });
  expect((await box.ask('wang', 'POST', '/1/undo', { reason: 'it was her' })).json).toEqual({
    id: 2,
    state: 'approved',
  });
  expect(await box.exported()).toMatchObject([{ set_aside: false }]);
  expect((await box.ask('li', 'GET', '?person=e1', undefined, 'viewer')).json.rows).toMatchObject([
    { id: 2, kind: 'undo', reverses: 1, asked_by: 'wang', name: 'Li Mei', checkin: 1, at: came },
    { id: 1, kind: 'set_aside', undone: true, reason: 'not hers', asked_by: 'mei' },
  ]);
  expect(box.audited).toContainEqual(
    expect.objectContaining({
      actor: 'wang',
      subject: 'correction 2 approved: undoes correction 1 (e1: 2025-11-20 08:53:20); it was her',
    }),
  );
});

test('one correction of many people is undone as one', async () => {
  await using box = await aBox();
  await box.caller.call('/v2.0/employee', {
    ...{ employee_ext_id: 'e2', name: 'Wang', mobile: '1', employee_num: '1002', department_infos: [{ ext_id: 'd1' }] },
  });
  const items = ['e1', 'e2'].map(ext_id => ({ ext_id, time: '2025-11-20T08:00' }));
  await box.ask('mei', 'POST', '', { kind: 'add', items, reason: 'the terminal was down' });
  expect(await box.exported()).toMatchObject([{ id: 1 }, { source: 'added' }, { source: 'added', ext_id: 'e2' }]);
  await box.ask('mei', 'POST', '/1/undo', { reason: 'it was up' });
  expect((await box.exported()).map(row => row.set_aside)).toEqual([false, true, true]);
});

test('where a second person has to approve, it counts only after that, and not by who asked', async () => {
  await using box = await aBox({ secondPerson: true });
  expect((await box.ask('mei', 'POST', '', add('2025-11-20T08:00'))).json).toEqual({ id: 1, state: 'asked' });
  expect(await box.exported()).toHaveLength(1);
  expect((await box.ask('mei', 'POST', '/1/approve')).json).toMatchObject({ status: 409, title: 'same_person' });
  expect((await box.ask('wang', 'POST', '/1/withdraw')).json).toMatchObject({ status: 409, title: 'not_asker' });
  expect((await box.ask('li', 'POST', '/1/approve', undefined, 'viewer')).status).toBe(403);
  expect((await box.ask('wang', 'POST', '/1/approve')).json).toEqual({ id: 1, state: 'approved' });
  expect((await box.ask('wang', 'POST', '/1/refuse')).json).toMatchObject({ status: 409, title: 'decided' });
  expect(await box.exported()).toMatchObject([{ id: 1 }, { id: 2, source: 'added', reason: 'forgot' }]);
  const waiting = (await box.ask('mei', 'POST', '', add('2025-11-20T08:30'))).json;
  expect((await box.ask('mei', 'GET', '?state=asked')).json).toMatchObject({
    second_person: true,
    rows: [{ id: waiting.id, state: 'asked', checkin: null }],
  });
  expect((await box.ask('mei', 'POST', `/${waiting.id}/withdraw`)).json).toMatchObject({ state: 'withdrawn' });
  expect(box.audited).toContainEqual(
    expect.objectContaining({ actor: 'wang', subject: 'correction 1: asked → approved (e1: 2025-11-20 08:00:00)' }),
  );
});

test.each([
  ['without a reason', { ...add('2025-11-20T08:00'), reason: ' ' }, 400],
  ['at no time', { kind: 'add', items: [{ ext_id: 'e1' }], reason: 'x' }, 422],
  ['at a time that is none', add('2025-11-31T08:00'), 422],
  ['in the future', add('2099-01-01T08:00'), 422],
  ['of nobody', { kind: 'add', items: [{ ext_id: 'e9', time: '2025-11-20T08:00' }], reason: 'x' }, 404],
  ['of a check-in of nobody', { kind: 'set_aside', items: [{ ext_id: 'e1', checkin: 7 }], reason: 'x' }, 404],
])('a correction %s is refused, and nothing is changed', async (_, body, status) => {
  await using box = await aBox();
  expect((await box.ask('mei', 'POST', '', body)).status).toBe(status);
  expect((await box.ask('mei', 'GET', '')).json.rows).toEqual([]);
  expect(await box.exported()).toHaveLength(1);
});

test('a time that comes twice is added as the one that is meant, and one that is skipped is not', async () => {
  await using box = await aBox({ timezone: 'Europe/Berlin' });
  const added = async (time: string) => (await box.ask('mei', 'POST', '', add(time))).json;
  expect(await added('2025-10-26T02:30')).toMatchObject({
    title: 'twice',
    detail: '02:30 came twice on 2025-10-26: write 2025-10-26T02:30+02:00 or 2025-10-26T02:30+01:00',
  });
  expect(await added('2025-03-30T02:30')).toMatchObject({
    title: 'skipped',
    detail: '02:30 did not exist on 2025-03-30: the clocks were set forward over it',
  });
  expect(await added('2025-10-26T03:30+02:00')).toMatchObject({
    title: 'offset',
    detail: 'no clock of the site showed this: write 2025-10-26T03:30+01:00',
  });
  for (const time of ['2025-10-26T02:30+02:00', '2025-10-26T02:30+01:00', '2025-10-26T03:30+01:00'])
    expect(await added(time)).toMatchObject({ state: 'approved' });
  const times = (await box.ask('mei', 'GET', '')).json.rows.map(({ at }: { at: number }) => at);
  const said = ['2025-10-26T02:30Z', '2025-10-26T01:30Z', '2025-10-26T00:30Z'];
  expect(times).toEqual(said.map(time => Date.parse(time) / 1000));
  expect(box.audited).toContainEqual(
    expect.objectContaining({
      subject: 'correction 2 approved: e1: none → 2025-10-26 02:30:00 +01:00; forgot',
    }),
  );
});

test.each(['2025-02-30', '2025-13-01', '2025-11-00'])('%s is no day, in each place that takes one', async day => {
  await using box = await aBox();
  const move = { ext_id: 'e1', checkin: 1, work_date: day };
  const answers = [
    await box.ask('mei', 'GET', `?from=${day}`),
    await box.ask('mei', 'GET', `?to=${day}`),
    await box.ask('mei', 'POST', '', { kind: 'move_to', items: [move], reason: 'night' }),
    await box.ask('mei', 'POST', '', add(`${day}T08:00`)),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 422]);
});

test('corrections stay with a person who gets another external id, and who was unknown for a while', async () => {
  await using box = await aBox();
  await box.ask('mei', 'POST', '', { kind: 'set_aside', items: [{ ext_id: 'e1', checkin: 1 }], reason: 'not hers' });
  await box.ask('mei', 'POST', '', add('2025-11-20T08:00'));
  const { json } = await box.ask('mei', 'GET', '');
  expect(json.rows).toHaveLength(2);
  const call = await box.caller.call('/v2.0/employee/ext', { id: '1', ext_id: 'e7' });
  expect(call.code).toBe(0);
  expect(await box.exported()).toMatchObject([
    { id: 1, ext_id: 'e7', set_aside: true },
    { id: 2, ext_id: 'e7', source: 'added' },
  ]);
  expect((await box.ask('mei', 'GET', '?person=e7')).json.rows).toMatchObject([{ checkin: 2 }, { checkin: 1 }]);
});
