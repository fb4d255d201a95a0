import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openStore, openStoreForReading, restoreBackup } from '../../src/store/index.ts';
import { backedUpTo, openedBackup, recovery, sealedBackup } from '../support/backups.ts';
import { seededRandom } from '../support/clock.ts';
import { aProduct, append, applied, aStore, registered } from '../support/store.ts';

const at = 1_763_600_000_000;
const aLog = (deviceNo: never, text: string) => ({
  deviceNo,
  channel: 'log' as const,
  receivedAt: at,
  logPath: 'FT1/A0001',
  marks: {},
  payload: Buffer.from(text),
});

test('a second process on the data directory is refused and gets the pid of the first', async () => {
  await using opened = await aStore();
  await expect(openStore(opened.options)).rejects.toThrow(`in use by process ${process.pid}`);
});

test('a store that was closed in order leaves no log that the next start would write once more', async () => {
  await using opened = await aStore();
  await applied(opened.store, { products: [aProduct()] });
  const log = join(opened.dataDir, 'gatehouse.db-wal');
  expect((await stat(log)).size).toBeGreaterThan(0);
  await opened.store[Symbol.asyncDispose]();
  expect((await stat(log).catch(() => ({ size: 0 }))).size).toBe(0);
});

test('a store of the other environment is refused', async () => {
  await using opened = await aStore();
  await opened.store[Symbol.asyncDispose]();
  const made = (environment: string) => {
    using database = new DatabaseSync(join(opened.dataDir, 'gatehouse.db'));
    database.prepare("UPDATE meta SET value = ? WHERE key = 'environment'").run(environment);
  };
  made('production');
  await expect(openStore(opened.options)).rejects.toThrow(/made under environment production, the config says test/);
  made('test');
  await opened.reopen();
});

test('a store without its seal key is refused with what to do', async () => {
  await using opened = await aStore();
  await opened.store[Symbol.asyncDispose]();
  await rm(join(opened.dataDir, 'keys'), { recursive: true });
  await expect(openStore(opened.options)).rejects.toThrow(/seal\.key: is missing.*gatehouse restore/);
});

test('a wrong seal key is refused with what to do, and the right one put back opens the store in the same process', async () => {
  await using opened = await aStore();
  await applied(opened.store, { products: [aProduct()] });
  const { deviceNo } = await registered(opened.store);
  for (let turn = 0; turn < 20; turn++) await append(opened.store, aLog(deviceNo as never, `log ${turn}`));
  await opened.store[Symbol.asyncDispose]();
  const file = join(opened.dataDir, 'keys', 'seal.key');
  const right = await readFile(file);
  await writeFile(file, Buffer.alloc(32, 7));
  const database = new DatabaseSync(join(opened.dataDir, 'gatehouse.db'));
  database.exec('UPDATE projection_cursor SET seq = 0');
  database.exec('DELETE FROM log_block; DELETE FROM log_block_content');
  database.close();
  const refusal = {
    name: 'StoreOpenError',
    message: expect.stringMatching(/keys\/seal\.key: .*seal is broken.*right key.*gatehouse restore FILE/),
  };
  await expect(openStore(opened.options)).rejects.toMatchObject(refusal);
  await expect(openStoreForReading({ dataDir: opened.dataDir })).rejects.toMatchObject(refusal);
  await writeFile(file, right);
  opened.store = await openStore(opened.options);
  await opened.store.catchUp();
  expect(await opened.store.read.logs({ limit: 100 })).toHaveLength(20);
  expect(opened.store.health().dropped).toEqual({});
});

test('keys and database are readable by the box alone', async () => {
  await using opened = await aStore();
  for (const name of ['keys/seal.key', 'gatehouse.db'])
    expect((await stat(join(opened.dataDir, name))).mode & 0o777, name).toBe(0o600);
});

async function aBackup() {
  const opened = await aStore();
  const { store } = opened;
  await applied(store, { products: [aProduct()] });
  const { deviceNo } = await registered(store);
  for (let turn = 0; turn < 20; turn++) await append(store, aLog(deviceNo as never, `log ${turn}`));
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-backup-'));
  const file = join(folder, 'backup.gh');
  await backedUpTo(store, file);
  return {
    opened,
    file,
    restored: join(folder, 'restored'),
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

test('a backup taken while running brings everything back, under a new epoch', async () => {
  await using backup = await aBackup();
  const { opened, file, restored } = backup;
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await restoreBackup({ file, dataDir: restored, key: recovery.key });
  await using store = await openStore({ ...opened.options, dataDir: restored });
  await store.catchUp();
  expect((await store.read.logs({ limit: 100 })).map(row => row.text)).toEqual(
    Array.from({ length: 20 }, (_, turn) => `log ${turn}`),
  );
  expect([...store.directory.products()].map(one => one.productKey)).toEqual(['s3cret-of-the-product']);
  expect(store.epoch).not.toBe(opened.store.epoch);
});

test('a backup with any byte changed, or cut, is refused whole', async () => {
  await using backup = await aBackup();
  const { file, restored } = backup;
  const whole = await readFile(file);
  const random = seededRandom(3);
  for (let round = 0; round < 25; round++) {
    const damaged = Buffer.from(whole);
    const place = Math.floor(random() * damaged.length);
    damaged[place]! ^= 1 << Math.floor(random() * 8);
    await writeFile(file, damaged);
    await expect(restoreBackup({ file, dataDir: restored, key: recovery.key }), `byte ${place}`).rejects.toThrow(
      /damaged|not a backup|cut|belong|newer|another key/,
    );
  }
  for (const length of [0, 10, 500, whole.length - 1]) {
    await writeFile(file, whole.subarray(0, length));
    await expect(restoreBackup({ file, dataDir: restored, key: recovery.key })).rejects.toThrow(
      /damaged|not a backup|cut/,
    );
  }
  await expect(stat(join(restored, 'gatehouse.db'))).rejects.toThrow();
});

test('a backup that somebody has opened, changed and encrypted again is refused whole', async () => {
  await using backup = await aBackup();
  const { file, restored } = backup;
  const whole = await openedBackup(file);
  const random = seededRandom(4);
  for (let round = 0; round < 10; round++) {
    const damaged = Buffer.from(whole);
    const place = Math.floor(random() * damaged.length);
    damaged[place]! ^= 1 << Math.floor(random() * 8);
    await sealedBackup(file, damaged);
    await expect(restoreBackup({ file, dataDir: restored, key: recovery.key }), `byte ${place}`).rejects.toThrow(
      /damaged|not a backup/,
    );
  }
  await sealedBackup(file, Buffer.concat([whole, Buffer.from('more')]));
  await expect(restoreBackup({ file, dataDir: restored, key: recovery.key })).rejects.toThrow('longer');
  await expect(stat(join(restored, 'gatehouse.db'))).rejects.toThrow();
});

test('a restore that is refused leaves what the box held', async () => {
  await using backup = await aBackup();
  await backup.opened.store[Symbol.asyncDispose]();
  const whole = await readFile(backup.file);
  await writeFile(backup.file, whole.subarray(0, -5));
  await expect(restoreBackup({ file: backup.file, dataDir: backup.opened.dataDir, key: recovery.key })).rejects.toThrow(
    /cut/,
  );
  await backup.opened.reopen().catch(async () => openStore(backup.opened.options));
});

test('a new store has pages of 2 KiB; one that has larger pages keeps them, with a write-ahead log of the same bytes', async () => {
  const pagesOf = (dataDir: string) => {
    const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true });
    const { page_size } = database.prepare('PRAGMA page_size').get() as { page_size: number };
    database.close();
    return page_size;
  };
  await using opened = await aStore();
  expect(pagesOf(opened.dataDir)).toBe(2048);
  const { deviceNo } = await registered(opened.store);
  await append(opened.store, aLog(deviceNo as never, 'of before'));
  await opened.store[Symbol.asyncDispose]();
  const database = new DatabaseSync(join(opened.dataDir, 'gatehouse.db'));
  database.exec('PRAGMA journal_mode = DELETE; PRAGMA page_size = 4096; VACUUM');
  database.close();
  opened.store = await openStore(opened.options);
  expect(pagesOf(opened.dataDir)).toBe(4096);
  await append(opened.store, aLog(deviceNo as never, 'of now'));
  await opened.store.catchUp();
  expect((await opened.store.read.logs({ limit: 10 })).map(row => row.text)).toEqual(['of before', 'of now']);
});

test('a damaged segment is passed over, counted, and stops nothing', async () => {
  await using opened = await aStore();
  const { deviceNo } = await registered(opened.store);
  for (let turn = 0; turn < 3; turn++) await append(opened.store, aLog(deviceNo as never, `log ${turn}`));
  await opened.store[Symbol.asyncDispose]();
  const database = new DatabaseSync(join(opened.dataDir, 'gatehouse.db'));
  database.exec('UPDATE projection_cursor SET seq = 0');
  database.exec('DELETE FROM log_block; DELETE FROM log_block_content');
  database.exec('UPDATE segment SET sealed_records = zeroblob(length(sealed_records)) WHERE first_seq = 2');
  database.close();
  opened.store = await openStore(opened.options);
  await opened.store.catchUp();
  expect((await opened.store.read.logs({ limit: 10 })).map(row => row.text)).toEqual(['log 0', 'log 2']);
  expect(opened.store.health().unreadable).toMatchObject({ segments: 1, records: 1 });
  expect((await opened.store.journal.read(0 as never, { bytesMax: 1 << 20 })).records).toHaveLength(2);
});
