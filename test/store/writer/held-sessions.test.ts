import { expect, test } from 'vitest';
import { StoreError, type StoreWriter } from '../../../src/store/index.ts';
import { HeldSessions } from '../../../src/store/writer/held-sessions.ts';
import { applied, aStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const at = 1_763_600_000_000;
const session = (idHash: string, userName = 'mei') => ({
  idHash,
  userName,
  purpose: 'staff' as const,
  credential: 'c',
  at,
  endsAt: at + 1000,
  address: '192.0.2.7',
  agent: 'test',
});

/** Sessions over a real store whose writer takes nothing while the disk is full. */
async function sessionsOnADisk() {
  const opened = await aStore();
  const { store } = opened;
  await applied(store, { users: [{ name: 'mei', password_hash: 'h', role: 'admin' }] });
  const disk = { full: false };
  const write = new Proxy(store.write, {
    get: (all, name) => (input: never) =>
      disk.full ? Promise.reject(new StoreError('disk_full', 'full')) : all[name as keyof StoreWriter](input),
  });
  const held = new HeldSessions(write, store.read, () => !disk.full);
  return { ...held, held, store, disk, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

test('a session that the disk does not take is one all the same, and is in the store when the disk takes it', async () => {
  await using box = await sessionsOnADisk();
  box.disk.full = true;
  await box.writes.openSession(session('s1'));
  await box.writes.seeSession({ idHash: 's1', at: at + 500 });
  expect(await box.reads.session('s1')).toMatchObject({
    user: { name: 'mei', role: 'admin' },
    openedAt: at,
    seenAt: at + 500,
  });
  expect((await box.reads.sessions('mei')).map(one => one.idHash)).toEqual(['s1']);
  expect(await box.store.read.session('s1')).toBeNull();
  box.disk.full = false;
  await box.held.settle();
  expect(await box.store.read.session('s1')).toMatchObject({ seenAt: at + 500 });
  expect((await box.reads.sessions('mei')).map(one => one.idHash)).toEqual(['s1']);
});

test('a session that was refused just before there is room again is stored without another word', async () => {
  await using box = await sessionsOnADisk();
  box.disk.full = true;
  const opening = box.writes.openSession(session('s1'));
  box.disk.full = false;
  await opening;
  await until('it is stored', () => box.store.read.session('s1'));
  // A second start of the same does no harm.
  await Promise.all([box.held.settle(), box.held.settle()]);
  expect((await box.reads.sessions('mei')).map(one => one.idHash)).toEqual(['s1']);
});

test('signing out ends a session while the disk is full, and after a restart too', async () => {
  await using box = await sessionsOnADisk();
  await box.writes.openSession(session('stored'));
  box.disk.full = true;
  await box.writes.openSession(session('held'));
  expect(await box.writes.endSessions({ idHash: 'stored' })).toBe(1);
  expect(await box.writes.endSessions({ idHash: 'held' })).toBe(1);
  expect(await box.reads.session('stored')).toBeNull();
  expect(await box.reads.session('held')).toBeNull();
  box.disk.full = false;
  await box.held.settle();
  expect(await box.store.read.session('stored')).toBeNull();
});

test('all sessions of a person end while the disk is full; a person who is gone has none', async () => {
  await using box = await sessionsOnADisk();
  await box.writes.openSession(session('stored'));
  box.disk.full = true;
  await box.writes.openSession(session('held'));
  await box.writes.openSession(session('ghost', 'nobody'));
  expect(await box.reads.session('ghost')).toBeNull();
  expect(await box.writes.endSessions({ userName: 'mei' })).toBe(2);
  expect(await box.reads.sessions('mei')).toEqual([]);
});

test('at most two hundred sessions are held: the oldest has to sign in again', async () => {
  await using box = await sessionsOnADisk();
  box.disk.full = true;
  for (let no = 0; no <= 200; no++) await box.writes.openSession(session(`s${no}`));
  expect(await box.reads.session('s0')).toBeNull();
  expect(await box.reads.session('s200')).not.toBeNull();
});
