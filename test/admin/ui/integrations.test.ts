import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { BoxAdmin, PageParts, Role } from '../../../src/admin/index.ts';
import { serve } from '../../../src/admin/serve.ts';
import { systemLogResource } from '../../../src/admin/system-log.ts';
import { callerOperations, callers } from '../../../src/admin/ui/callers.ts';
import { commission, commissionOperations } from '../../../src/admin/ui/commission.ts';
import { integrations, integrationsOperations } from '../../../src/admin/ui/integrations.ts';
import { logOperations, logs } from '../../../src/admin/ui/logs.ts';
import { defaultActions } from '../../../src/platform/actions.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import { RecentLines } from '../../../src/runtime/recent-lines.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { HandClock } from '../../support/clock.ts';

const now = 1_763_600_000_000;
const clock = new HandClock(now);
const held = {
  attendance_callers: [
    { app_key: 'payroll', name: 'Payroll' },
    { app_key: 'canteen', name: '' },
  ],
  apps: [{ app_id: 'portal', name: '' }],
};

/** A box with two callers, and what was applied to it. */
const registration = {
  discovery: 'qr',
  network_configuration: 'bluetooth',
  network_configuration_flow: 'hold the key',
  app_supported: true,
  attributes: { colour: 'grey' },
};

const systemLog = new RecentLines(clock);

function aBox(role: Role, more: Partial<Record<keyof BoxAdmin, unknown>> = {}) {
  const applied: { site: Record<string, unknown>; prune: boolean }[] = [];
  const admin = {
    site: async () => held,
    apply: async (input: (typeof applied)[number]) => {
      applied.push(input);
      return { ok: true, changes: [] };
    },
    naming: { report: async () => ({ products: [] }) },
    systemLog: systemLogResource.running({ systemLog }),
    ...more,
  } as unknown as BoxAdmin;
  const parts = {
    admin,
    clock,
    config: {
      box: { product_id: 'GATEHOUSE', device_sn: '1' },
      site: { name: 'P', timezone: 'UTC' },
      provisioning: {},
      actions: defaultActions,
    },
    isOnline: () => true,
    store: {
      directory: {
        product: (id: string) => (id === 'FACE-T1' ? { registration } : undefined),
        device: () => undefined,
      },
      health: () => ({ dropped: { 'disk full: oldest logs': 3 } }),
      read: {
        attendanceCaller: async (key: string) => (key === 'payroll' ? { secret: 's3cret', name: '' } : null),
        app: async (id: string) => (id === 'portal' ? { key: 'k3y', name: '' } : null),
        logTail: async () => ({ rows: [], before: 7, newest: 9 }),
      },
    },
  } as unknown as PageParts;
  const identity = anIdentity(role);
  const app = anAdminApi(admin, identity, to => {
    serve(to, integrationsOperations, integrations(parts));
    serve(to, callerOperations, callers(parts));
    serve(to, commissionOperations, commission(parts));
    serve(to, logOperations, logs(parts));
  });
  const ask = async (path: string, body?: unknown) => {
    const answer = await app.request(path, {
      ...(body === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await answer.text();
    return { status: answer.status, text, json: JSON.parse(text) };
  };
  return { ask, applied, audited: identity.audited };
}

test('a new caller gets a secret that is made here, and is written down without it', async () => {
  const { ask, applied, audited } = aBox('admin');
  const { status, json } = await ask('/integrations/callers', { kind: 'attendance', id: 'shop', name: 'Shop' });
  expect([status, json]).toEqual([
    200,
    { kind: 'attendance', id: 'shop', secret: expect.stringMatching(/^[0-9a-f]{32}$/) },
  ]);
  expect(applied).toEqual([
    {
      site: { attendance_callers: [{ app_key: 'shop', app_secret: json.secret, name: 'Shop' }] },
      prune: false,
      dryRun: false,
    },
  ]);
  expect(audited).toMatchObject([
    { action: 'POST /integrations/callers', subject: 'attendance shop', outcome: 'done' },
  ]);
  expect(JSON.stringify(audited)).not.toContain(json.secret);
});

test('an id that is taken, and a sign-in without an address to come back to, are refused', async () => {
  const { ask, applied } = aBox('admin');
  expect((await ask('/integrations/callers', { kind: 'services', id: 'portal' })).json).toMatchObject({
    status: 422,
    title: 'exists',
  });
  for (const redirect_uris of [[], ['javascript:alert(1)'], ['/relative']])
    expect((await ask('/integrations/callers', { kind: 'oauth', id: 'new', redirect_uris })).json).toMatchObject({
      status: 422,
      title: 'redirect_uris',
    });
  expect(applied).toEqual([]);
});

test('a new secret keeps the rest of the caller; removing one keeps the others', async () => {
  const { ask, applied } = aBox('admin');
  const { json } = await ask('/integrations/callers/rotate', { kind: 'attendance', id: 'payroll' });
  await ask('/integrations/callers/remove', { kind: 'attendance', id: 'payroll' });
  expect(applied).toMatchObject([
    { site: { attendance_callers: [{ app_key: 'payroll', name: 'Payroll', app_secret: json.secret }] }, prune: false },
    { site: { attendance_callers: [{ app_key: 'canteen' }] }, prune: true },
  ]);
  expect(applied[1]!.site.attendance_callers).toHaveLength(1);
  for (const what of ['rotate', 'remove'])
    expect((await ask(`/integrations/callers/${what}`, { kind: 'oauth', id: 'payroll' })).status).toBe(404);
});

test('a call is signed as SPEC 5.6 and 5.7 say, over the path without its query, and the secret is masked', async () => {
  const { ask, audited } = aBox('admin');
  const md5 = (text: string) => createHash('md5').update(text).digest('hex');
  const attendance = await ask('/integrations/sign', {
    kind: 'attendance',
    id: 'payroll',
    path: '/v2.0/employee/query?x=1',
  });
  expect(attendance.json.headers).toEqual({
    'App-Key': 'payroll',
    'App-Timestamp': String(now),
    'App-Sig': md5(`/v2.0/employee/query${now}payrolls3cret`),
  });
  expect(attendance.json.parts.map((part: { text: string }) => part.text).join('')).toBe(
    `/v2.0/employee/query${now}payroll********`,
  );
  const service = await ask('/integrations/sign', { kind: 'services', id: 'portal', path: '/api/1.0.0/holiday' });
  const { nonce, sig } = service.json.headers;
  expect(sig).toBe(md5(`app_id=portal&app_key=k3y&nonce=${nonce}&timestamp=${now}`));
  expect(`${attendance.text}${service.text}`).not.toMatch(/s3cret|k3y/);
  expect(audited).toMatchObject([
    { subject: 'attendance payroll /v2.0/employee/query?x=1' },
    { subject: 'services portal /api/1.0.0/holiday' },
  ]);
  expect((await ask('/integrations/sign', { kind: 'services', id: 'nobody', path: '/x' })).status).toBe(404);
  expect((await ask('/integrations/sign', { kind: 'services', id: 'portal', path: 'x y' })).status).toBe(400);
});

test('only an admin makes secrets and signs; staff and viewers are refused', async () => {
  for (const role of ['viewer', 'staff'] as const) {
    const { ask, applied } = aBox(role);
    const of = { kind: 'attendance', id: 'payroll' };
    for (const path of ['', '/rotate', '/remove'])
      expect((await ask(`/integrations/callers${path}`, of)).status).toBe(403);
    expect((await ask('/integrations/sign', { ...of, path: '/v2.0/employee/query' })).status).toBe(403);
    expect(applied).toEqual([]);
  }
});

test('a code is read for whoever may look, and one that is none is refused with its reason', async () => {
  const { ask } = aBox('viewer');
  const read = (text: string) => ask(`/qr-read?text=${encodeURIComponent(text)}`);
  expect((await read('https://q.example.com/app/com_x/d/FACE-T1_A1/activate?product=FACE-T1&status=-1')).json).toEqual({
    form: '1',
    device_id: 'FACE-T1_A1',
    product_id: 'FACE-T1',
    model: null,
    status: -1,
    product_known: true,
    registration,
  });
  expect((await read('https://q.example.com/app/com_x/d/OTHER_A1/activate?product=OTHER')).json).toMatchObject({
    product_known: false,
    registration: null,
  });
  expect((await read('lunch')).json).toMatchObject({ status: 422, title: 'qr_no_address' });
  expect((await ask('/qr-read')).status).toBe(400);
});

test('an unknown device has no logs, and dropped records are counted', async () => {
  const { ask } = aBox('viewer');
  expect((await ask('/ui/logs?device_id=FACE-T1_A9')).json).toEqual({ rows: [], before: null, newest: 0, dropped: 3 });
  expect((await ask('/ui/logs')).json).toEqual({ rows: [], before: 7, newest: 9, dropped: 3 });
  expect((await ask('/ui/logs?limit=501')).status).toBe(400);
  expect((await ask('/ui/system-log?level=loud')).status).toBe(400);
});

test('a line of the log has its text in English, with code and values for other languages', async () => {
  const { ask } = aBox('viewer');
  systemLog.beside(silentLog).warn({ seq: 3 }, 'device_refused', { why: 'too large', why_code: '' });
  expect((await ask('/ui/system-log')).json.lines).toEqual([
    {
      ...{ no: 1, at: clock.now(), level: 'warn', part: '' },
      ...{ message: 'refused: too large', fields: ['seq=3'] },
      ...{ code: 'device_refused', params: { why: 'too large', why_code: '' } },
    },
  ]);
});
