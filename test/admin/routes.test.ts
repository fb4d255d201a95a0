import { expect, test } from 'vitest';
import type { AttendanceReport, BoxAdmin, BoxStatus, Role } from '../../src/admin/index.ts';
import { StoreError } from '../../src/store/index.ts';
import { anAdminApi, anIdentity } from '../support/admin.ts';

const aStatus: BoxStatus = {
  running: true,
  version: '1',
  timezone: 'Asia/Shanghai',
  standing: [],
  mirror: null,
  line: { state: 'none', since: null, why: '', next_try_at: null },
  outbox: { waiting: 0, oldest_at: null, parked: 0, per_second: 0, catch_up_s: 0 },
  devices: {
    ...{ known: 1, online: 1, refused: 0, held_back: 0, people_data_waits: 0, unreadable: [] },
    states: { online: 1, held_back: 0, refused: 0, elsewhere: 0, silent: 0, never: 0, blocked: 0 },
  },
  disk: {
    used_bytes: 1,
    free_bytes: 2,
    size_bytes: 3,
    room_bytes: 2,
    bytes_per_day: null,
    days_left: null,
    inodes: null,
    is_low: false,
    state: 'ok',
    why: '',
    flush_ms: null,
    dropped: {},
    unreadable: null,
    unwritable: false,
  },
  tables: { behind_records: 0, behind_ms: 0, held_back: false },
  wear: null,
  database: [],
  warnings: [],
  statement: null,
  backup: { last_at: null, verified_at: null, restore_tried_at: null, next_at: null, failures: [] },
  refusals: [],
};
const anOrganization: AttendanceReport = {
  authority: 'box',
  people: 0,
  departments: 1,
  initialized_at: null,
  unresolved: { records: 0, people: [] },
  wrong_clocks: [],
  mirror: null,
  writes: { waiting: 0, refused: [] },
  conflicts: [],
  uncertain_matches: { total: 0, rows: [] },
  missing: { total: 0, rows: [] },
  erasures: [],
  refused_calls: [],
};
const aLog = {
  ...{ device_id: 'FACE-T1_A0001', model: 'FT1', sn: 'A0001', received_at: 1 },
  ...{ truncated: false, repaired: false, clamped: false },
};
const aGrant = { id: 1, client_id: 'canteen', user: 'mei', scope: 'openid', made_at: 1, used_at: 2 };
const aSession = { user: 'mei', opened_at: 1, seen_at: 2, address: '192.168.1.9', agent: 'Firefox' };

/** Answers that are easy to tell apart; a test replaces what it looks at. */
const anAdmin = (more: Partial<BoxAdmin> = {}): BoxAdmin =>
  ({
    status: { report: async () => aStatus },
    devices: { list: async () => ({ devices: [], cursor: null }) },
    apply: async () => ({ ok: true, changes: [] }),
    site: async ({ withSecrets }) => (withSecrets ? { products: [{ product_id: 'A', product_key: 'k' }] } : {}),
    async *rows() {
      for (let seq = 1; seq <= 450; seq++) yield { ...aLog, seq, text: `log ${seq}` };
    },
    attendance: {
      report: async () => anOrganization,
      sync: async () => ({ mirror: null }),
      settleRefused: async ({ id }) => ({ found: id === 1 }),
      dismissConflict: async ({ id }) => ({ found: id === 1 }),
    },
    services: {
      report: async () => ({ waiting: { files: 1, messages: 2, refused: 3 }, refused_calls: [], marked_calls: [] }),
    },
    grants: {
      list: async ({ user } = {}) => ({ grants: user === 'nobody' ? [] : [aGrant] }),
      revoke: async ({ id }) => ({ found: id === 1 }),
    },
    sessions: {
      list: async ({ name }) => ({ sessions: [{ ...aSession, user: name }] }),
      end: async () => ({ count: 2 }),
    },
    parked: { list: async () => ({ parked: [] }), sendAgain: async () => ({ count: 3 }) },
    [Symbol.asyncDispose]: async () => {},
    ...more,
  }) as BoxAdmin;

const ask = async (role: Role | null, path: string, body?: unknown, admin = anAdmin()) => {
  const answer = await anAdminApi(admin, anIdentity(role)).request(path, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await answer.text();
  return { status: answer.status, type: answer.headers.get('content-type'), text, json: () => JSON.parse(text) };
};

test('who may do what is decided in one place', async () => {
  expect((await ask(null, '/status')).status).toBe(401);
  expect((await ask('viewer', '/status')).json()).toEqual(aStatus);
  expect((await ask('viewer', '/parked/send-again', { seq: null })).status).toBe(403);
  expect((await ask('staff', '/site', { site: {} })).status).toBe(403);
  expect((await ask('admin', '/parked/send-again', { seq: null })).json()).toEqual({ count: 3 });
});

test('secrets of a site are for admins alone', async () => {
  expect((await ask('staff', '/site?with_secrets=true')).status).toBe(403);
  expect((await ask('staff', '/site')).json()).toEqual({});
  expect((await ask('admin', '/site?with_secrets=true')).json()).toHaveProperty('products');
});

test('errors are problem documents', async () => {
  const wrong = await ask('admin', '/parked/send-again', { seq: -1 });
  expect({ status: wrong.status, type: wrong.type }).toEqual({ status: 400, type: 'application/problem+json' });
  expect(wrong.json().detail).toMatch(/^seq: /);
  expect((await ask('admin', '/nothing')).json()).toMatchObject({ status: 404, title: 'Not found' });
  const full = anAdmin({
    status: { report: () => Promise.reject(new StoreError('disk_full', 'the disk is full: free some space')) },
  });
  expect((await ask('admin', '/status', undefined, full)).json()).toMatchObject({
    status: 503,
    detail: 'the disk is full: free some space',
  });
});

test('a site that is wrong is refused with the place of everything that is', async () => {
  const site = { products: [{ product_id: 'A B' }], emploees: [] };
  const { status, json } = await ask('admin', '/site', { site });
  expect(status).toBe(422);
  expect(json().problems).toEqual([
    { path: ['products', 0, 'product_id'], reason: expect.stringMatching(/^no product_id: /), at: 'value' },
    { path: ['emploees'], reason: 'unknown key; did you mean "employees"?', at: 'key' },
  ]);
});

test('an export has one object a line and ends with an empty line, so that an incomplete one is noticed', async () => {
  const { text, type } = await ask('viewer', '/export/logs');
  expect(type).toContain('application/x-ndjson');
  expect(text.endsWith('}\n\n')).toBe(true);
  expect(text.trim().split('\n')).toHaveLength(450);
});

test('logs come in pages with a cursor', async () => {
  const page = (await ask('viewer', '/logs?sn=A1')).json();
  expect(page.rows).toHaveLength(200);
  expect(page.cursor).toBe(200);
});

test('a refused write can be submitted again or removed from the list, a conflict removed; an unknown one is reported', async () => {
  expect((await ask('admin', '/attendance/refused-writes/1/again', {})).json()).toEqual({ found: true });
  expect((await ask('admin', '/attendance/refused-writes/2/dismiss', {})).json()).toEqual({ found: false });
  expect((await ask('admin', '/attendance/refused-writes/1/forget', {})).status).toBe(400);
  expect((await ask('admin', '/attendance/conflicts/1/dismiss', {})).json()).toEqual({ found: true });
  expect((await ask('admin', '/attendance/sync', {})).json()).toEqual({ mirror: null });
  for (const path of ['/attendance/refused-writes/1/again', '/attendance/conflicts/1/dismiss', '/attendance/sync'])
    expect((await ask('viewer', path, {})).status).toBe(403);
  expect((await ask('viewer', '/attendance')).status).toBe(200);
});

test('sessions and what people have allowed are listed for all roles, and ended by admins', async () => {
  expect((await ask('viewer', '/services')).json()).toMatchObject({ waiting: { files: 1 } });
  expect((await ask('viewer', '/grants?user=nobody')).json()).toEqual({ grants: [] });
  expect((await ask('viewer', '/grants')).json()).toEqual({ grants: [aGrant] });
  expect((await ask('viewer', '/users/%E6%9D%8E/sessions')).json()).toEqual({
    sessions: [{ ...aSession, user: '李' }],
  });
  expect((await ask('admin', '/grants/1/revoke', {})).json()).toEqual({ found: true });
  expect((await ask('admin', '/users/mei/sessions/end', {})).json()).toEqual({ count: 2 });
  for (const path of ['/grants/1/revoke', '/users/mei/sessions/end'])
    expect((await ask('staff', path, {})).status).toBe(403);
});

test('a body that is no JSON is refused in words by each route that takes JSON', async () => {
  const app = anAdminApi(anAdmin(), anIdentity('admin'));
  const { paths = {} } = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'admin', version: '1' } });
  const takesJson = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { requestBody?: { content?: object } }>)
      .filter(([, { requestBody }]) => requestBody?.content && 'application/json' in requestBody.content)
      .map(([method]) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, 'x') })),
  );
  expect(takesJson.length).toBeGreaterThan(10);
  const statuses: Record<string, number> = {};
  for (const { method, path } of takesJson) {
    const answer = await app.request(path, { method, body: 'x', headers: { 'content-type': 'text/plain' } });
    statuses[`${method} ${path}`] = answer.status;
  }
  expect(Object.entries(statuses).filter(([, status]) => status !== 400)).toEqual([]);
});
