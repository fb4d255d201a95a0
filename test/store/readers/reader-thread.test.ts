import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { realClock } from '../../../src/runtime/real-world.ts';
import { databaseFile, openStoreForReading } from '../../../src/store/index.ts';
import { ReaderThread } from '../../../src/store/readers/thread-proxy.ts';
import { readSealKey } from '../../../src/store/schema/sealing.ts';
import { HandClock } from '../../support/clock.ts';
import { fillRows } from '../../support/many-rows.ts';
import { SmallDisk } from '../../support/small-disk.ts';
import { append, applied, aStore, registered, type TemporaryStore } from '../../support/store.ts';
import { suiteWhere } from '../../support/tools.ts';

const manyLogs = 200_000;
const rare = { text: 'a word that no row has', limit: 10 };

/** A reader thread beside the store's own. */
function aThread({ dataDir }: Pick<TemporaryStore, 'dataDir'>, clock = new HandClock()) {
  const thread = new ReaderThread({ dataDir, sealKey: readSealKey(dataDir, false), hasCloud: true }, clock, () => {});
  return { clock, thread, read: thread.reads, [Symbol.asyncDispose]: () => thread.close() };
}

async function storeOfManyLogs(): Promise<TemporaryStore> {
  const opened = await aStore();
  await registered(opened.store);
  await opened.store[Symbol.asyncDispose]();
  fillRows(opened.dataDir, manyLogs);
  await opened.reopen();
  return opened;
}

test('the reader thread starts with the first read that grows, and ends after a minute of rest', async () => {
  await using opened = await aStore();
  await using it = aThread(opened);
  expect(it.thread.isUp).toBe(false);
  await it.read.logs({ limit: 1 });
  await it.clock.advance(59_000);
  expect(it.thread.isUp).toBe(true);
  await it.read.logs({ limit: 1 });
  await it.clock.advance(59_000);
  expect(it.thread.isUp).toBe(true);
  await it.clock.advance(1_000);
  expect(it.thread.isUp).toBe(false);
  expect(await it.read.logs({ limit: 1 })).toEqual([]);
});

test('a box that nobody asks anything has no reader thread: looking up a session or a key starts none', async () => {
  const clock = new HandClock();
  await using opened = await aStore({ clock });
  const { read } = opened.store;
  const before = clock.sleeping;
  await Promise.all([read.session('x'), read.user('mei'), read.app('hr'), read.token('x'), read.parkedCount()]);
  await Promise.all([read.waiting(), read.lastSeen(), read.logCounts('2025-11-13'), read.networkSetup()]);
  // A thread at rest would be a sleeper that ends it.
  expect(clock.sleeping).toBe(before);
  await read.refusals();
  expect(clock.sleeping).toBe(before + 1);
});

test('a read in the thread sees what was committed before it was asked', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  for (let number = 1; number <= 20; number++) {
    const payload = Buffer.from(`line ${number}`);
    await append(store, { deviceNo, channel: 'log', receivedAt: number, logPath: 'FT1/A0001', marks: {}, payload });
    await store.catchUp();
    const found = await store.read.logs({ text: `line ${number}`, limit: 1 });
    expect(found.map(({ text, device_id }) => [text, device_id])).toEqual([[`line ${number}`, 'FACE-T1_A0001']]);
  }
});

test('a mobile number whose seal is broken fails the reads that show it, and no other read of the thread', async () => {
  await using opened = await aStore();
  const department = { ext_id: 'd1', title: '' };
  await applied(opened.store, {
    departments: [{ ext_id: 'd1', name: 'Mill' }],
    employees: [{ ext_id: 'e1', name: 'Li Mei', employee_num: '1', mobile: '13800000001', department }],
  });
  using database = new DatabaseSync(databaseFile(opened.dataDir));
  database.exec("UPDATE employee SET sealed_mobile = x'00' WHERE ext_id = 'e1'");
  await using it = aThread(opened);
  const rows = it.read.logs({ limit: 1 });
  await expect(it.read.people({ limit: 10 })).rejects.toThrow(/^employee.*: the seal is broken/);
  expect(await rows).toEqual([]);
  expect(await it.read.peopleCount({})).toMatchObject({ count: 1 });
});

test('a search ends with its caller: what waits behind it is answered', async () => {
  await using opened = await storeOfManyLogs();
  await using it = aThread(opened);
  const leaving = new AbortController();
  const searches = Array.from({ length: 8 }, () => it.read.logs({ ...rare, signal: leaving.signal }));
  const ended = Promise.allSettled(searches);
  leaving.abort(new Error('the caller has gone away'));
  expect((await ended).map(one => one.status === 'rejected' && one.reason.message)).toEqual(
    searches.map(() => 'the caller has gone away'),
  );
  expect(await it.read.logs({ limit: 1 })).toHaveLength(1);
  await expect(it.read.logs({ ...rare, signal: leaving.signal })).rejects.toThrow('the caller has gone away');
});

test('a search that is ended looks no further', async () => {
  await using opened = await storeOfManyLogs();
  const leaving = new AbortController();
  await using stopped = await openStoreForReading({ dataDir: opened.dataDir });
  const search = stopped.read.logs({ ...rare, signal: leaving.signal });
  leaving.abort(new Error('the caller has gone away'));
  await expect(search).rejects.toThrow('the caller has gone away');
});

test('a short read goes between the slices of long ones', async () => {
  await using opened = await storeOfManyLogs();
  await using it = aThread(opened);
  const order: string[] = [];
  const long = it.read.logs(rare).then(() => order.push('long'));
  const short = it.read.logs({ limit: 1 }).then(() => order.push('short'));
  await Promise.all([long, short]);
  expect(order).toEqual(['short', 'long']);
});

test('the 257th read at a time is refused with too_busy, and none before it', async () => {
  await using opened = await aStore();
  await using it = aThread(opened);
  const asked = Array.from({ length: 257 }, () => it.read.refusals());
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.slice(0, 256).every(one => one.status === 'fulfilled')).toBe(true);
  expect(outcomes[256]).toMatchObject({ reason: { code: 'too_busy' } });
  expect(await it.read.refusals()).toEqual([]);
});

test('a thread that cannot open the store refuses the read and says why; the next read tries again', async () => {
  await using opened = await aStore();
  const elsewhere = new ReaderThread(
    { dataDir: join(opened.dataDir, 'nowhere'), sealKey: new Uint8Array(32), hasCloud: false },
    realClock,
    () => {},
  );
  for (const _ of [1, 2])
    await expect(elsewhere.reads.refusals()).rejects.toMatchObject({
      code: 'broken',
      message: expect.stringContaining('the reader thread of the store has ended: '),
    });
  await elsewhere.close();
});

test('closing the store refuses what waits', async () => {
  await using opened = await aStore();
  const it = aThread(opened);
  const asked = expect(it.read.refusals()).rejects.toMatchObject({ code: 'closed' });
  await it.thread.close();
  await asked;
  await expect(it.read.refusals()).rejects.toMatchObject({ code: 'closed' });
});

suiteWhere(SmallDisk.possible, 'needs root, to mount a small file system: sudo npm test', 'a disk that is full', () => {
  test('hides nothing from the reader thread', async () => {
    using disk = new SmallDisk(64);
    await using opened = await aStore({ dataDir: join(disk.folder, 'data') });
    const { store } = opened;
    await store.write.noteRefusal({
      at: 1,
      door: 'mqtt',
      clientId: 'c',
      address: 'a',
      code: 'unknown_product',
      detail: '',
    });
    expect(() => writeFileSync(join(disk.folder, 'other'), Buffer.alloc(64 << 20))).toThrow('ENOSPC');
    expect(await store.read.refusals()).toHaveLength(1);
  });
});
