import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBoxWithEvents, type EventBox, pageOf } from '../support/event-box.ts';
import { aClient } from '../support/every-caller.ts';
import { aCoverageFolder } from '../support/modules-that-ran.ts';
import { BoxProcess } from '../support/program.ts';

/** Events over HTTP, on a box whose broker for programs is off. */

let box: EventBox;
beforeAll(async () => {
  box = await aBoxWithEvents();
});
afterAll(() => box?.[Symbol.asyncDispose]());

test('a program reads check-ins page by page, each once and in order, without the broker', async () => {
  const token = await box.program('till', 'checkins/#');
  await box.punches(7);
  const first = pageOf(await box.get('/events?kind=checkins&limit=3', token));
  expect(first).toMatchObject({ more: true, epoch: box.box.store.epoch });
  expect(first.rows).toMatchObject([{ previous: 0, name: 'Wang Fang', department: 'Assembly', known: true }, {}, {}]);
  const rest = pageOf(await box.get(`/events?kind=checkins&after=${first.through}`, token));
  expect(rest.more).toBe(false);
  const rows = [...first.rows, ...rest.rows];
  expect(rows.map(({ previous }) => previous)).toEqual([0, ...rows.slice(0, -1).map(({ seq }) => seq)]);
  expect(rows).toHaveLength(7);
  const none = pageOf(await box.get(`/events?kind=checkins&after=${rest.through}`, token));
  expect(none).toEqual({ rows: [], through: rest.through, more: false, epoch: rest.epoch });
});

test('what was received since a moment is found without reading what was before', async () => {
  const token = await box.program('shift', 'checkins/#');
  await box.punches(2);
  const all = pageOf(await box.get('/events?kind=checkins', token)).rows as unknown as { received_at: number }[];
  const since = all.at(-2)!.received_at;
  const page = pageOf(await box.get(`/events?kind=checkins&since=${since}`, token));
  expect(page.rows).toEqual(all.filter(({ received_at }) => received_at >= since));
  const later = pageOf(await box.get(`/events?kind=checkins&since=${Date.now() + 60_000}`, token));
  expect(later).toMatchObject({ rows: [], through: (all.at(-1) as { seq?: number }).seq });
});

test('a program whose token does not cover a whole kind is refused, and told the topic', async () => {
  const fence = await box.program('fence', 'access/#', `checkins/${box.deviceId}`);
  const refused = await box.get('/events?kind=checkins', fence);
  expect(refused.status).toBe(403);
  expect(JSON.parse(refused.body)).toMatchObject({ title: 'bad_topic', detail: expect.stringContaining('checkins/#') });
  expect((await box.get('/events?kind=access', fence)).status).toBe(200);
  const all = await box.program('everything', '#');
  for (const kind of ['checkins', 'access', 'logs'])
    expect((await box.get(`/events?kind=${kind}`, all)).status).toBe(200);
});

test('who read events of people is written down, once a minute; logs are not of people', async () => {
  const token = await box.program('reader', '#');
  await box.punches(1);
  await box.logs('{"log":"door ajar"}');
  for (let look = 0; look < 3; look++) await box.get('/events?kind=checkins', token);
  expect(pageOf(await box.get('/events?kind=logs', token)).rows).toHaveLength(1);
  const entries = await box.box.store.read.auditEntries({ limit: 50, actor: 'token reader' });
  expect(entries[0]).toMatchObject({ role: 'events', action: 'GET /events', subject: 'checkins', outcome: 'done' });
  expect(entries.every(({ subject }) => subject === 'checkins')).toBe(true);
});

test('a token of role events opens no other route of the admin API', async () => {
  const headers = { authorization: `Bearer ${await box.program('curious', '#')}`, 'content-type': 'application/json' };
  using client = aClient(box.https);
  const letIn: string[] = [];
  for (const { method, path } of box.box.served.https.routes()) {
    if (!path.startsWith('/admin/v1') || path.startsWith('/admin/v1/session') || method === 'ALL') continue;
    const { status } = await client.ask({
      method,
      path,
      headers,
      ...(/GET|DELETE/.test(method) ? {} : { body: '{}' }),
    });
    if (status !== 403 && status !== 401) letIn.push(`${method} ${path.replace('/admin/v1', '')} ${status}`);
  }
  // Without a kind, which is 400 behind the door; what is asked before anybody is known; the rest is
  // no route.
  expect(letIn).toEqual(expect.arrayContaining(['GET /events 400']));
  expect(letIn.filter(route => !/^GET \/events|^POST \/(first-account|own-page\/session)/.test(route))).toEqual([]);
});

test('a box loads nothing of events before somebody asks, and the broker not even then', async () => {
  const loadedBy = async (act: (asked: BoxProcess) => Promise<unknown>) => {
    await using folder = await aCoverageFolder();
    await using asked = await BoxProcess.start({}, {}, { NODE_V8_COVERAGE: folder.path });
    await act(asked);
    expect(await asked.stop(), asked.stderr).toBe(0);
    const all = await folder.modulesThatRan();
    expect(all).toContain('src/box/listeners.ts');
    return all.filter(module => /src\/events\/|node_modules\/aedes-persistence/.test(module)).sort();
  };
  expect(await loadedBy(async () => {})).toEqual([]);
  const asked = await loadedBy(async running => {
    const token = (await running.ask('token', 'create', '--role', 'viewer')).trim();
    const { port } = new URL(`https://${running.addresses.https}`);
    using client = aClient({ address: `127.0.0.1:${port}`, ca: await running.ask('trust', 'export') });
    const headers = { authorization: `Bearer ${token}` };
    const answer = await client.ask({ method: 'GET', path: '/admin/v1/events?kind=access', headers });
    expect(answer.status).toBe(200);
  });
  expect(asked).toContain('src/events/record-events.ts');
  expect(asked.filter(module => /broker|persistence/.test(module))).toEqual([]);
});
