import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { UnixMs } from '../../../src/runtime/clock.ts';
import { finishRestore } from '../../../src/store/data-dir/restore.ts';
import { openStore, openStoreForReading, restoreBackup, type Store } from '../../../src/store/index.ts';
import { backedUpTo, recovery } from '../../support/backups.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';

async function aBoxWith(text: string) {
  const opened = await aStore();
  await applied(opened.store, { products: [aProduct()] });
  const { deviceNo } = await registered(opened.store);
  const log = { deviceNo, channel: 'log', receivedAt: 1, logPath: 'FT1/A0001', marks: {} } as const;
  await append(opened.store, { ...log, payload: Buffer.from(text) });
  return opened;
}

/**
 * A backup, what it holds when it was restored, and a box without power that held something else,
 * its write-ahead log included.
 */
async function aBackupAndAnotherBox() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-restore-'));
  const [file, whole, dataDir] = ['backup.gh', 'whole', 'box'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await using saved = await aBoxWith('of the backup');
  await mkdir(join(saved.dataDir, 'tls'));
  for (const name of ['ca.pem', 'ca.key']) await writeFile(join(saved.dataDir, 'tls', name), 'of the backup');
  await backedUpTo(saved.store, file);
  await restoreBackup({ file, dataDir: whole, key: recovery.key });
  await using other = await aBoxWith('of the other box');
  await cp(other.dataDir, dataDir, { recursive: true });
  expect(await readdir(dataDir)).toContain('gatehouse.db-wal');
  const before = join(folder, 'before');
  await cp(dataDir, before, { recursive: true });
  return {
    file,
    whole,
    dataDir,
    before,
    async logs(of = dataDir) {
      await using store = await openStore({ ...saved.options, dataDir: of });
      await store.catchUp();
      return (await store.read.logs({ limit: 10 })).map(row => row.text);
    },
    leftovers: async () => (await readdir(dataDir)).filter(name => name.startsWith('.restore')),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

test('a restore that was cut while it was being unpacked leaves the old store, and the next restore clears up after it', async () => {
  await using box = await aBackupAndAnotherBox();
  await mkdir(join(box.dataDir, '.restore-Ab12Cd', 'keys'), { recursive: true });
  await writeFile(join(box.dataDir, '.restore-Ab12Cd', 'keys', 'seal.key'), 'half a k');
  expect(await box.logs()).toEqual(['of the other box']);
  await restoreBackup({ file: box.file, dataDir: box.dataDir, key: recovery.key });
  expect(await box.leftovers()).toEqual([]);
  expect(await box.logs()).toEqual(['of the backup']);
});

const cuts: readonly (readonly [when: string, gone: readonly string[], moved: readonly string[]])[] = [
  ['before anything was moved in', [], []],
  ['after the old keys were moved aside', ['keys'], []],
  ['after the keys were moved in', [], ['keys']],
  ['after the keys were moved in and the old certificates moved aside', ['tls'], ['keys']],
  ['after the old write-ahead log was removed', ['gatehouse.db-wal', 'gatehouse.db-shm'], ['keys', 'tls']],
  ['after all was moved in', ['gatehouse.db-wal', 'gatehouse.db-shm'], ['keys', 'tls', 'gatehouse.db']],
];

for (const [when, gone, moved] of cuts)
  test(`a restore that was cut ${when} is finished by the next start, and by the next restore`, async () => {
    await using box = await aBackupAndAnotherBox();
    const { file, dataDir, whole } = box;
    const ready = join(dataDir, '.restore-ready');
    const cut = async () => {
      for (const name of ['keys', 'tls', 'gatehouse.db'])
        await cp(join(whole, name), join(ready, name), { recursive: true });
      for (const name of [...gone, ...moved]) await rm(join(dataDir, name), { recursive: true, force: true });
      for (const name of moved) await rename(join(ready, name), join(dataDir, name));
    };
    await cut();
    await expect(openStoreForReading({ dataDir })).rejects.toThrow(/restore was interrupted.*gatehouse restore FILE/);
    expect(await box.logs()).toEqual(['of the backup']);
    expect(await box.leftovers()).toEqual([]);
    expect((await readdir(join(dataDir, 'tls'))).sort()).toEqual(['ca.key', 'ca.pem']);
    await cut();
    await restoreBackup({ file, dataDir, key: recovery.key });
    expect(await box.leftovers()).toEqual([]);
    expect(await box.logs()).toEqual(['of the backup']);
  });

class PowerCut extends Error {}

test('a power cut after any step of a restore leaves keys that open the database, and the next start finishes it', async () => {
  await using box = await aBackupAndAnotherBox();
  const { dataDir, whole } = box;
  let steps = 0;
  for (let cutAt = 1, finished = false; !finished; cutAt++) {
    await rm(dataDir, { recursive: true, force: true });
    await cp(box.before, dataDir, { recursive: true });
    for (const name of ['keys', 'tls', 'gatehouse.db'])
      await cp(join(whole, name), join(dataDir, '.restore-ready', name), { recursive: true });
    steps = 0;
    try {
      finishRestore(dataDir, () => {
        if (++steps === cutAt) throw new PowerCut();
      });
      finished = true;
    } catch (error) {
      if (!(error instanceof PowerCut)) throw error;
    }
    const keys = (
      await Promise.all(
        [dataDir, join(dataDir, '.restore-old'), join(dataDir, '.restore-ready')].map(folder =>
          readFile(join(folder, 'keys/seal.key'), 'hex').catch(() => ''),
        ),
      )
    ).filter(text => text !== '');
    const [newKey, oldKey] = await Promise.all(
      [whole, box.before].map(folder => readFile(join(folder, 'keys/seal.key'), 'hex')),
    );
    expect(keys, `cut ${cutAt}`).toContain(newKey);
    if (!finished) expect(keys, `cut ${cutAt}`).toContain(oldKey);
    expect(await box.logs(), `cut ${cutAt}`).toEqual(['of the backup']);
    expect(await box.leftovers()).toEqual([]);
  }
  expect(steps).toBe(7);
  expect(await box.logs(join(dataDir, 'before-restore'))).toEqual(['of the other box']);
});

test('a backup without certificates takes those of the box away', async () => {
  await using box = await aBackupAndAnotherBox();
  await using bare = await aBoxWith('bare');
  await rm(box.file);
  await backedUpTo(bare.store, box.file);
  await mkdir(join(box.dataDir, 'tls'));
  await writeFile(join(box.dataDir, 'tls', 'ca.pem'), 'of the other box');
  await restoreBackup({ ...box, key: recovery.key });
  expect(await readdir(join(box.dataDir, 'tls'))).toEqual([]);
});

test('a closed month is restored with its rows, its revision and its hash', async () => {
  await using box = await aBackupAndAnotherBox();
  await using saved = await aStore();
  const { write } = saved.store;
  const at = 1_764_500_000_000 as UnixMs;
  const month = { month: '2026-11', scopeId: '', scopeName: '', timeZone: 'Asia/Shanghai', rules: '1' };
  const begun = await write.beginClosing({
    ...month,
    forced: 'wages are due',
    by: 'mei',
    at,
    people: 1,
    instead: null,
  });
  if (!begun.ok) throw new Error(begun.why);
  const { id } = begun.value;
  const row = { extId: 'e1', name: 'Li Mei', employeeNum: '42', departments: ['d1'], packed: Buffer.from('packed') };
  await write.freezeRows({ id, rows: [row], done: 1, at });
  await write.finishClosing({ id, head: '{}', foot: '{}', hash: 'ab'.repeat(32), at });
  const closedIn = async ({ read }: Store) => [await read.period(id), await read.rowsOfPeriod({ id, limit: 10 })];
  const before = await closedIn(saved.store);
  expect(before).toMatchObject([{ state: 'closed', revision: 1, hash: 'ab'.repeat(32) }, [{ extId: 'e1' }]]);
  await rm(box.file);
  await backedUpTo(saved.store, box.file);
  await restoreBackup({ ...box, key: recovery.key });
  await using restored = await openStore({ ...saved.options, dataDir: box.dataDir });
  expect(await closedIn(restored)).toEqual(before);
});
