import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/runtime/log.ts';
import { AuditLog } from '../../../src/store/domains/audit/log.ts';
import { type AuditNote, StoreError } from '../../../src/store/index.ts';
import { HandClock } from '../../support/clock.ts';
import { aStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const refusal = (change: Partial<AuditNote> = {}): AuditNote => ({
  actor: '',
  role: '',
  address: '192.0.2.66',
  action: 'GET /devices/:id',
  subject: 'Session ended',
  outcome: 'refused',
  ...change,
});
const change = (subject: string): AuditNote => ({
  actor: 'mei',
  role: 'admin',
  address: '192.0.2.7',
  action: 'PUT /users/wu',
  subject,
  outcome: 'done',
});

async function aLog() {
  const clock = new HandClock();
  const opened = await aStore({ clock });
  const entries = (actor?: string) => opened.store.read.auditEntries({ limit: 500, ...(actor ? { actor } : {}) });
  return { ...opened, clock, audit: opened.store.audit, entries };
}

test('two hundred refused calls with long paths are two entries: the first, and the count of the others when the minute is over', async () => {
  await using box = await aLog();
  for (let count = 0; count < 200; count++)
    await box.audit.note(refusal({ action: `GET /${'x'.repeat(15_000)}`, subject: 'y'.repeat(15_000) }));
  expect(await box.entries()).toHaveLength(1);
  await box.clock.advance(70_000);
  await until('it is counted', async () => (await box.entries()).length === 2);
  const [others, first] = await box.entries();
  expect(first).toMatchObject({ count: 1, lastAt: null });
  expect(others).toMatchObject({ count: 199, address: '192.0.2.66', lastAt: expect.any(Number) });
  expect(JSON.stringify(await box.entries()).length).toBeLessThan(2000);
  expect((await box.store.read.verifyAudit()).holds).toBe(true);
});

test('what was done is never folded; another address, another action, another minute are entries of their own', async () => {
  await using box = await aLog();
  for (let count = 0; count < 30; count++) await box.audit.note(change('wu'));
  expect(await box.entries('mei')).toHaveLength(30);
  await box.audit.note(refusal());
  await box.audit.note(refusal({ address: '192.0.2.67' }));
  await box.audit.note(refusal({ action: 'POST /tokens' }));
  await box.clock.advance(60_000);
  await box.audit.note(refusal());
  expect((await box.entries()).filter(one => one.outcome === 'refused')).toHaveLength(4);
});

test('wrong names from one address are one count, which claims to be about none of them alone', async () => {
  await using box = await aLog();
  for (const actor of ['mei', 'li', 'root', 'admin'])
    await box.audit.note(refusal({ actor, action: 'sign in', subject: 'wrong' }));
  await box.clock.advance(70_000);
  await until('it is counted', async () => (await box.entries()).length === 2);
  expect(await box.entries()).toMatchObject([
    { actor: '', subject: 'wrong', count: 3 },
    { actor: 'mei', subject: 'wrong', count: 1 },
  ]);
});

test('a stranger with ten thousand addresses leaves fewer than two hundred entries in a minute, and every call is in a count', async () => {
  await using box = await aLog();
  for (let no = 0; no < 10_000; no++)
    await box.audit.note(refusal({ address: `2001:db8::${no.toString(16)}`, action: `GET /r${no % 500}` }));
  await box.clock.advance(70_000);
  await until('all is counted', async () => {
    const entries = await box.entries();
    return entries.reduce((sum, { count }) => sum + count, 0) === 10_000;
  });
  expect((await box.entries()).length).toBeLessThan(200);
});

test('an integrator that asks for features four times a second is two entries a minute, of the chain of reads', async () => {
  await using box = await aLog();
  const read = { actor: 'caller ak1', role: '', address: '192.0.2.9', action: 'checkin_feature_query', subject: '' };
  for (let second = 0; second < 240; second++) {
    await box.audit.noteRead({ ...read, subject: `e${second}` });
    await box.clock.advance(250);
  }
  await box.clock.advance(70_000);
  await until('all is counted', async () => {
    const entries = await box.entries('caller ak1');
    return entries.reduce((sum, { count }) => sum + count, 0) === 240;
  });
  expect((await box.entries('caller ak1')).length).toBeLessThanOrEqual(4);
  const { chains } = await box.store.read.verifyAudit();
  expect(chains.map(({ chain }) => chain)).toEqual(['read']);
});

test('what is still counted when the box stops is written', async () => {
  await using box = await aLog();
  for (let count = 0; count < 5; count++) await box.audit.note(refusal());
  const store = await box.reopen();
  expect(await store.read.auditEntries({ limit: 9 })).toMatchObject([{ count: 4 }, { count: 1 }]);
  expect(statSync(join(box.dataDir, 'gatehouse.db')).size).toBeGreaterThan(0);
});

/** A log over a disk that can be full. */
function onAFullDisk() {
  const clock = new HandClock();
  const written: { subject: string; action: string; count?: number }[] = [];
  const disk = { full: true, asked: 0 };
  const write = async (entry: { subject: string; action: string; count?: number }) => {
    disk.asked++;
    if (disk.full) throw new StoreError('disk_full', 'the disk is full');
    written.push(entry);
  };
  const log = new AuditLog({ write, clock, log: silentLog });
  return { clock, written, disk, log, [Symbol.asyncDispose]: () => log[Symbol.asyncDispose]() };
}

test('entries that the disk does not take wait, in order, and are written when it takes them', async () => {
  await using box = onAFullDisk();
  for (const subject of ['one', 'two', 'three']) await box.log.note(change(subject));
  expect(box.log.waiting).toEqual({ entries: 3, lost: 0 });
  await box.clock.advance(30_000);
  expect(box.written).toEqual([]);
  box.disk.full = false;
  await box.clock.advance(10_000);
  expect(box.written.map(one => one.subject)).toEqual(['one', 'two', 'three']);
  expect(box.log.waiting).toEqual({ entries: 0, lost: 0 });
});

test('when more than a thousand wait the newest are lost, and the log says how many from when to when', async () => {
  await using box = onAFullDisk();
  for (let no = 0; no < 1025; no++) await box.log.note(change(`${no}`));
  expect(box.log.waiting).toEqual({ entries: 1000, lost: 25 });
  // A full disk is asked once for each look, not once for each entry.
  expect(box.disk.asked).toBe(1);
  box.disk.full = false;
  await box.clock.advance(10_000);
  expect(box.written).toHaveLength(1001);
  expect(box.written.at(-1)).toMatchObject({ action: 'audit entries lost', count: 25 });
  expect(box.log.waiting).toEqual({ entries: 0, lost: 0 });
});
