import { expect, test } from 'vitest';
import type { BoxAdmin, Role } from '../../src/admin/index.ts';
import { exportRows } from '../../src/admin/rows.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import type { AuditNote } from '../../src/store/index.ts';
import { anAdminApi, anIdentity } from '../support/admin.ts';
import { HandClock } from '../support/clock.ts';
import { aProduct, append, applied, aStore, registered } from '../support/store.ts';
import { until } from '../support/until.ts';

const photo = Buffer.from('a face at the door').toString('base64');

/** The routes over a store with one passage that has a photo. */
async function aBox(
  role: Role,
  { clock = realClock, isAuditKept = false }: { clock?: Clock; isAuditKept?: boolean } = {},
) {
  const opened = await aStore({ clock });
  const { store } = opened;
  await applied(store, { products: [aProduct()] });
  const { deviceNo } = await registered(store);
  const record = { ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000, check_result: 0, capture_img: photo };
  const envelope = {
    mid: 'a',
    from: 'FACE-T1_A0001',
    to: 'system',
    time: 0,
    action: 2002,
    data: { records: [record] },
  };
  await append(store, {
    deviceNo,
    channel: 'device',
    receivedAt: 1_763_600_000_000,
    logPath: '',
    marks: {},
    payload: Buffer.from(JSON.stringify(envelope)),
  });
  await store.catchUp();
  const admin = {
    rows: (what, filter) => exportRows(store, what, filter, 'Asia/Shanghai'),
    site: options => store.read.site(options),
  } as Partial<BoxAdmin> as BoxAdmin;
  const identity = anIdentity(role);
  const kept = {
    audit: (entry: AuditNote) => store.audit.note(entry),
    auditRead: (entry: Omit<AuditNote, 'outcome' | 'read'>) => store.audit.noteRead(entry),
  };
  const app = anAdminApi(admin, isAuditKept ? { ...identity, ...kept } : identity);
  const get = async (path: string) => {
    const answer = await app.request(path);
    return { status: answer.status, text: await answer.text() };
  };
  return { get, store, audited: identity.audited, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

test.each(['viewer', 'staff', 'admin'] as const)('an export has no photo unless one is asked for (%s)', async role => {
  await using box = await aBox(role);
  for (const what of ['access', 'access-report', 'checkins', 'checkin-report']) {
    const { status, text } = await box.get(`/export/${what}`);
    expect(status).toBe(200);
    expect(text).not.toContain(photo);
    expect(text).not.toContain('capture_img');
  }
  expect((await box.get('/export/access?with_photos=false')).text).not.toContain(photo);
});

test('an export with photos is for staff, and is written down; a viewer is refused, and that is written down too', async () => {
  await using staff = await aBox('staff');
  expect((await staff.get('/export/access?with_photos=true')).text).toContain(photo);
  expect(staff.audited).toMatchObject([{ actor: 'mei', subject: 'access with photos', outcome: 'done', read: true }]);
  await using viewer = await aBox('viewer');
  const refused = await viewer.get('/export/access?with_photos=true');
  expect(refused.status).toBe(403);
  expect(refused.text).not.toContain(photo);
  expect(viewer.audited).toMatchObject([{ subject: 'access with photos', outcome: 'refused' }]);
});

test('exports of secrets, check-ins and access records are audited; reads of logs are not', async () => {
  await using box = await aBox('admin');
  await box.get('/site');
  await box.get('/export/logs');
  expect(box.audited).toEqual([]);
  await box.get('/site?with_secrets=true');
  await box.get('/export/checkins');
  await box.get('/export/access-report');
  expect(box.audited).toMatchObject([
    { action: 'GET /site', subject: 'with secrets', read: true },
    { subject: 'checkins', read: true },
    { subject: 'access-report', read: true },
  ]);
});

test('a program that pages through records all day is counted: two entries a minute, not one a page', async () => {
  const clock = new HandClock();
  await using box = await aBox('viewer', { clock, isAuditKept: true });
  const entries = () => box.store.read.auditEntries({ limit: 500, actor: 'mei' });
  const counted = async () => (await entries()).reduce((sum, { count }) => sum + count, 0);
  const minutes = 5;
  const pages = 60;
  for (let page = 1; page <= minutes * pages; page++) {
    expect((await box.get(`/export/checkins?cursor=${page}`)).status).toBe(200);
    await clock.advance(60_000 / pages);
  }
  await clock.advance(70_000);
  await until('all is counted', async () => (await counted()) === minutes * pages);
  expect((await entries()).length).toBeLessThanOrEqual(2 * (minutes + 1));
  expect((await entries())[0]).toMatchObject({ action: 'GET /export/:what', subject: 'checkins' });
});
