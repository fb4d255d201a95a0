import { expect, test } from 'vitest';
import { addDays } from '../../../src/runtime/calendar-date.ts';
import { realClock } from '../../../src/runtime/real-world.ts';
import { dayOf, wallTime } from '../../../src/runtime/wall-time.ts';
import { aClient, deviceId, type HttpAnswer, signInEverybody, type Way } from '../../support/every-caller.ts';
import { aBoxWithEveryListener } from '../../support/every-listener.ts';
import { append, registered } from '../../support/store.ts';
import { punch } from '../../support/terminal.ts';
import { afternoonZone } from '../../support/working-day.ts';

const zone = afternoonZone(realClock.now());
const today = dayOf(realClock.now(), zone);
const month = today.day.slice(0, 7);
/** An instant of this month that is over. */
const checkedAt = Math.floor(realClock.now() / 1000) - 60;
const person = { mobile: '13800000000', department: { ext_id: 'd1' } };

/** A box over TLS with two employees, who have a check-in each; the clerk, and a phone for each. */
async function anOffice(env: NodeJS.ProcessEnv = {}) {
  await using parts = new AsyncDisposableStack();
  const { box, target } = parts.use(await aBoxWithEveryListener({ GATEHOUSE_SITE__TIMEZONE: zone, ...env }));
  const site = {
    departments: [{ ext_id: 'd1', name: 'Assembly' }],
    employees: [
      { ext_id: 'e1', name: 'Li Mei', employee_num: '1001', ...person },
      { ext_id: 'e2', name: 'Zhang San', employee_num: '1002', ...person },
    ],
    shifts: [{ code: 'day', name: 'Day', times: ['08:00-17:00'] }],
    schedules: [{ who: 'site', cycle: ['day'], anchor: '2026-01-01', from: '2026-01-01' }],
  };
  const applied = await box.admin.apply({ site: site as never, prune: false, dryRun: false });
  if (!applied.ok) throw new Error(JSON.stringify(applied));
  const { deviceNo } = await registered(box.store, deviceId);
  for (const [mid, extId] of [
    ['m1', 'e1'],
    ['m2', 'e2'],
  ] as const)
    await append(box.store, {
      ...{ deviceNo, channel: 'device', receivedAt: realClock.now(), marks: {}, logPath: '' },
      payload: Buffer.from(punch(deviceId, mid, extId, checkedAt)),
    });
  const client = parts.use(aClient(target('https')));
  const origin = `https://${box.addresses.https}`;
  const fromHere = { origin, 'sec-fetch-site': 'same-origin' };
  const ask = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    client.ask({
      ...{ method, path },
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const credentials = await signInEverybody(box);
  const as = (way: Way) => (method: string, path: string, body?: object) => ask(method, path, way(path), body);
  const staff = as(credentials.staff[0]!);
  const codeOf = async (extId: string): Promise<string> =>
    json(await staff('POST', '/admin/v1/access-codes', { ext_ids: [extId] })).codes[0].code;
  const open = (code: string, headers: Record<string, string> = fromHere) =>
    ask('POST', '/admin/v1/own-page/session', headers, { code });
  const running = parts.move();
  return {
    ...{ box, https: target('https'), ask, staff, codeOf, open, fromHere, credentials },
    viewer: as(credentials.viewer[0]!),
    /** Opens the page of a person in a new browser. */
    async phone(extId: string) {
      const cookie = (await open(await codeOf(extId))).headers['set-cookie']![0]!.split(';')[0]!;
      return Object.assign(
        as(() => ({ ...fromHere, cookie })),
        { cookie },
      );
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: each test reads the answer of another call.
const json = (answer: HttpAnswer): any => JSON.parse(answer.body);

test('a code from the clerk opens the page once, and the browser that used it stays signed in', async () => {
  await using office = await anOffice();
  const code = await office.codeOf('e1');
  expect(code).toMatch(/^[A-HJKMNP-Z2-9]{4}(-[A-HJKMNP-Z2-9]{4}){2}$/);
  expect(json(await office.viewer('GET', '/admin/v1/people/e1/access'))).toMatchObject({ sessions: 0, seen_at: null });
  // As people type it.
  const opened = await office.open(` ${code.toLowerCase().replaceAll('-', ' ')} `);
  expect(opened.status, opened.body).toBe(200);
  const [set] = opened.headers['set-cookie']!;
  expect(set).toMatch(/^__Host-gatehouse-me=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  const cookie = set!.split(';')[0]!;
  expect(json(await office.ask('GET', '/admin/v1/own-page/person', { cookie }))).toEqual({
    ...{ name: 'Li Mei', employee_num: '1001', department: 'Assembly' },
  });
  expect(json(await office.viewer('GET', '/admin/v1/people/e1/access'))).toMatchObject({
    ...{ code_ends_at: null, sessions: 1 },
  });
  const again = await office.open(code);
  expect([again.status, json(again).title]).toEqual([401, 'wrong_code']);
});

test('without a code nothing is shown, and the pages of staff are not opened by it', async () => {
  await using office = await anOffice();
  expect((await office.ask('GET', '/admin/v1/own-page/person', {})).status).toBe(401);
  expect((await office.ask('GET', `/admin/v1/own-page/month?month=${month}`, office.fromHere)).status).toBe(401);
  const phone = await office.phone('e1');
  expect((await phone('GET', '/admin/v1/people/e1')).status).toBe(401);
  expect((await phone('GET', '/admin/v1/attendance/results')).status).toBe(401);
  // Nor the page by the session of staff.
  expect((await office.staff('GET', '/admin/v1/own-page/person')).status).toBe(401);
});

test('a month has the own check-ins with their receipts, and none of anybody else', async () => {
  await using office = await anOffice();
  const [mei, zhang] = [await office.phone('e1'), await office.phone('e2')];
  const punchesOf = async (phone: typeof mei): Promise<{ punch_id: number; at: number }[]> =>
    json(await phone('GET', `/admin/v1/own-page/month?month=${month}`)).days.flatMap(
      (day: { punches: [] }) => day.punches,
    );
  const [own, ...more] = await punchesOf(mei);
  expect([own?.at, more]).toEqual([checkedAt, []]);
  const [others] = await punchesOf(zhang);
  expect(others?.punch_id).not.toBe(own?.punch_id);
  const receipt = await mei('GET', `/admin/v1/own-page/receipts/${own!.punch_id}`);
  expect(json(receipt)).toMatchObject({ kind: 'checkin', device_id: deviceId, at_device: { time: checkedAt } });
  const refused = await zhang('GET', `/admin/v1/own-page/receipts/${own!.punch_id}`);
  expect([refused.status, json(refused).title]).toEqual([404, 'unknown']);
});

test('a missing check-in is asked for, waits for staff in any case, and counts when it is approved', async () => {
  await using office = await anOffice();
  const mei = await office.phone('e1');
  const time = wallTime(zone)
    .text(checkedAt - 60)
    .replace(' ', 'T')
    .slice(0, 16);
  const asked = await mei('POST', '/admin/v1/own-page/corrections', { time, reason: 'The terminal was dark' });
  expect(json(asked)).toMatchObject({ state: 'asked' });
  const { id } = json(asked);
  const day = dayOf((checkedAt - 60) * 1000, zone).day;
  const listed = async () => json(await mei('GET', `/admin/v1/own-page/requests?from=${day}&to=${day}`)).corrections;
  expect(await listed()).toMatchObject([
    { id, state: 'asked', asked_by: 'employee e1', reason: 'The terminal was dark' },
  ]);
  expect(json(await office.staff('POST', `/admin/v1/attendance/corrections/${id}/approve`))).toMatchObject({
    state: 'approved',
  });
  expect(await listed()).toMatchObject([{ id, state: 'approved', decided_by: 'the-staff' }]);
  const late = await mei('POST', `/admin/v1/own-page/corrections/${id}/withdraw`);
  expect([late.status, json(late).title]).toEqual([409, 'not_waiting']);
  const entries = json(await office.viewer('GET', '/admin/v1/audit?limit=50')).rows;
  const did = entries.filter((one: { actor: string }) => one.actor === 'employee e1');
  expect(did.map(({ role }: { role: string }) => role)).toEqual(['', '']);
});

test('where a second person has to approve, one of staff is enough for what an employee asked for', async () => {
  await using office = await anOffice({ GATEHOUSE_ATTENDANCE__CORRECTIONS__SECOND_PERSON: 'true' });
  const mei = await office.phone('e1');
  const time = wallTime(zone)
    .text(checkedAt - 60)
    .replace(' ', 'T')
    .slice(0, 16);
  const { id } = json(await mei('POST', '/admin/v1/own-page/corrections', { time, reason: 'dark' }));
  const approved = await office.staff('POST', `/admin/v1/attendance/corrections/${id}/approve`);
  expect(json(approved)).toMatchObject({ state: 'approved' });
});

test('a month that is over is confirmed as it was shown, and staff see whether it has changed since', async () => {
  await using office = await anOffice();
  const mei = await office.phone('e1');
  const last = addDays(`${month}-01`, -1).slice(0, 7);
  const path = `/admin/v1/own-page/months/${last}/confirm`;
  const shown = async () => json(await mei('GET', `/admin/v1/own-page/month?month=${last}`));
  const seen = async () => json(await office.viewer('GET', `/admin/v1/people/e1/confirmations/${last}`)).confirmed;
  const before = await shown();
  expect([before.confirmed, await seen()]).toEqual([null, null]);
  expect((await mei('POST', path, { digest: before.digest })).status).toBe(200);
  expect((await shown()).confirmed).toMatchObject({ is_current: true });
  expect(await seen()).toMatchObject({ is_current: true });

  const items = [{ ext_id: 'e1', time: `${last}-20T08:00` }];
  await office.staff('POST', '/admin/v1/attendance/corrections', { kind: 'add', items, reason: 'on paper' });
  const after = await shown();
  expect([after.confirmed.is_current, (await seen()).is_current]).toEqual([false, false]);
  const old = await mei('POST', path, { digest: before.digest });
  expect([old.status, json(old).title]).toEqual([409, 'changed']);
  expect((await mei('POST', path, { digest: after.digest })).status).toBe(200);
  expect(await seen()).toMatchObject({ is_current: true });

  const { digest } = json(await mei('GET', `/admin/v1/own-page/month?month=${month}`));
  const early = await mei('POST', `/admin/v1/own-page/months/${month}/confirm`, { digest });
  expect([early.status, json(early).title]).toEqual([409, 'not_over']);
});

test('leave is asked for, withdrawn by whoever asked alone, and tells nothing of the requests of others', async () => {
  await using office = await anOffice();
  const [mei, zhang] = [await office.phone('e1'), await office.phone('e2')];
  const leave = { from: '2030-01-07T00:00', to: '2030-01-09T00:00', kind: 'annual', reason: 'a wedding' };
  const { id } = json(await mei('POST', '/admin/v1/own-page/leaves', leave));
  const span = '/admin/v1/own-page/requests?from=2030-01-01&to=2030-01-31';
  expect(json(await mei('GET', span)).leaves).toMatchObject([{ id, state: 'asked', ext_id: 'e1', kind: 'annual' }]);
  expect(json(await zhang('GET', span)).leaves).toEqual([]);
  const answers = await Promise.all([id, id + 1].map(no => zhang('POST', `/admin/v1/own-page/leaves/${no}/withdraw`)));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
  expect(answers[0]!.status).toBe(409);
  expect((await mei('POST', `/admin/v1/own-page/leaves/${id}/withdraw`)).status).toBe(200);
  expect(json(await mei('GET', span)).leaves).toMatchObject([{ id, state: 'withdrawn' }]);
  // What staff has entered stays.
  const entered = { ...leave, ext_id: 'e1', state: 'asked' };
  const other = json(await office.staff('POST', '/admin/v1/schedules/leaves', entered));
  expect((await mei('POST', `/admin/v1/own-page/leaves/${other.id}/withdraw`)).status).toBe(409);
});

test('an employee whose ID changes still withdraws what was asked for before', async () => {
  await using office = await anOffice();
  const mei = await office.phone('e1');
  const time = wallTime(zone)
    .text(checkedAt - 60)
    .replace(' ', 'T')
    .slice(0, 16);
  const correction = json(await mei('POST', '/admin/v1/own-page/corrections', { time, reason: 'dark' }));
  const asked = { from: '2030-01-07T00:00', to: '2030-01-09T00:00', kind: 'annual', reason: 'a wedding' };
  const leave = json(await mei('POST', '/admin/v1/own-page/leaves', asked));
  const { rows } = await office.box.store.read.employees({ limit: 9, offset: 0 });
  const { id } = rows.find(({ extId }) => extId === 'e1')!;
  expect(await office.box.store.write.setEmployeeExt({ id, extId: 'e9', queue: null })).toMatchObject({ ok: true });
  for (const of of [`corrections/${correction.id}`, `leaves/${leave.id}`])
    expect((await mei('POST', `/admin/v1/own-page/${of}/withdraw`)).status).toBe(200);
});

test('a person has at most twenty requests of a kind waiting', async () => {
  await using office = await anOffice();
  const mei = await office.phone('e1');
  const asked = (day: number) => {
    const from = `2030-03-${String(day).padStart(2, '0')}T00:00`;
    return mei('POST', '/admin/v1/own-page/leaves', { from, to: from.replace('T00', 'T08'), kind: 'sick', reason: '' });
  };
  for (let day = 1; day <= 20; day++) expect((await asked(day)).status).toBe(200);
  const refused = await asked(21);
  expect([refused.status, json(refused).title]).toEqual([409, 'too_many']);
});

test('access ends by the clerk, with the last day of work, and when the person is deleted', async () => {
  await using office = await anOffice();
  const first = await office.phone('e1');
  const code = await office.codeOf('e1');
  expect((await office.staff('POST', '/admin/v1/people/e1/access/revoke')).status).toBe(200);
  expect((await first('GET', '/admin/v1/own-page/person')).status).toBe(401);
  expect((await office.open(code)).status).toBe(401);

  const second = await office.phone('e1');
  await office.staff('PUT', '/admin/v1/people/e1/employment', { from: null, to: '2020-01-01' });
  expect((await second('GET', '/admin/v1/own-page/person')).status).toBe(401);
  const gone = await office.staff('POST', '/admin/v1/access-codes', { ext_ids: ['e1'] });
  expect([gone.status, json(gone).detail]).toEqual([404, 'not there, or left: e1; no code was made']);

  const deleted = await office.phone('e2');
  expect((await office.staff('DELETE', '/admin/v1/people/e2')).status).toBe(200);
  expect((await deleted('GET', '/admin/v1/own-page/person')).status).toBe(401);
});

test('whoever signs out needs a new code', async () => {
  await using office = await anOffice();
  const third = await office.phone('e2');
  expect((await third('DELETE', '/admin/v1/own-page/session')).status).toBe(200);
  expect((await third('GET', '/admin/v1/own-page/person')).status).toBe(401);
});

test('a page of another site can neither open a page nor ask for anything in somebody’s name', async () => {
  await using office = await anOffice();
  const code = await office.codeOf('e1');
  const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect((await office.open(code, elsewhere)).status).toBe(403);
  const { cookie } = await office.phone('e2');
  const asked = { time: '2026-11-02T08:00', reason: 'x' };
  expect((await office.ask('POST', '/admin/v1/own-page/corrections', { ...elsewhere, cookie }, asked)).status).toBe(
    403,
  );
  expect((await office.ask('DELETE', '/admin/v1/own-page/session', { ...elsewhere, cookie })).status).toBe(403);
  expect((await office.ask('GET', '/admin/v1/own-page/person', { cookie })).status).toBe(200);
});

test('wrong codes of an address are slowed down after twenty, and a right one of another address is not', async () => {
  await using office = await anOffice();
  const guesses = await Promise.all(Array.from({ length: 24 }, (_, no) => office.open(`WRNG-WRNG-${2000 + no}`)));
  const statuses = guesses.map(({ status }) => status);
  expect(statuses.filter(status => status === 401)).toHaveLength(20);
  expect(guesses.find(({ status }) => status === 429)?.headers['retry-after']).toMatch(/^[12]$/);
  using other = aClient(office.https, '127.0.0.2');
  const right = await other.ask({
    ...{ method: 'POST', path: '/admin/v1/own-page/session' },
    headers: { ...office.fromHere, 'content-type': 'application/json' },
    body: JSON.stringify({ code: await office.codeOf('e1') }),
  });
  expect(right.status).toBe(200);
});
