import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openStore, restoreBackup } from '../../src/store/index.ts';
import { recovery } from '../support/backups.ts';
import { ScheduledBackups } from '../support/scheduled-backups.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { suiteWhere } from '../support/tools.ts';

const toFolder = (path: string) => ({ directory: { path } });
const archives = async (folder: string) => (await readdir(folder)).filter(name => name.endsWith('.gh')).sort();
const leftovers = async (dataDir: string) => (await readdir(dataDir)).filter(name => name.startsWith('.transfer'));

test('a backup is made at night, read back and restored, and a person finds beside it what is in it', async () => {
  await using box = await ScheduledBackups.open(toFolder);
  const before = await box.backups.report();
  expect(before).toMatchObject({ running: null, lastGoodAt: null, nextAt: Date.parse('2026-11-24T02:30+08:00') });
  const { targets, lastGoodAt, nextAt } = await box.nextNight();
  const [copy] = targets[0]!.copies;
  expect(targets).toMatchObject([{ name: 'directory', where: box.folder, failure: null, drill: { why: '' } }]);
  expect(copy).toMatchObject({ verifiedAt: lastGoodAt, restoreTriedAt: lastGoodAt });
  expect(nextAt).toBe(Date.parse('2026-11-25T02:30+08:00'));
  expect(box.good).toEqual([copy!.bytes]);
  expect((await readdir(box.folder)).sort()).toEqual([copy!.name, `${copy!.name}.json`]);
  expect(await leftovers(box.opened.dataDir)).toEqual([]);
  const manifest = JSON.parse(await readFile(join(box.folder, `${copy!.name}.json`), 'utf8'));
  expect(manifest).toMatchObject({
    ...{ format: 1, site: 'Plant 4', gatehouse: '1.2.3', environment: 'test', opens_with: recovery.recipient },
    ...{ sha256: copy!.sha256, bytes: copy!.bytes, statement_head: null },
    rows: { product: 1, segment: 0 },
    restore_tried_on: new Date(lastGoodAt!).toISOString(),
  });
  // The person with the recovery key opens it.
  const dataDir = join(box.folder, 'elsewhere');
  await restoreBackup({ file: join(box.folder, copy!.name), dataDir, key: recovery.key });
  await using restored = await openStore({ ...box.opened.options, dataDir });
  expect([...restored.directory.products()]).toMatchObject([{ productKey: 's3cret-of-the-product' }]);
});

test('after a run the store keeps no key that opens a backup', async () => {
  await using box = await ScheduledBackups.open(toFolder);
  const { targets } = await box.runNow();
  expect(targets[0]).toMatchObject({ failure: null, drill: { why: '' } });
  using database = new DatabaseSync(join(box.opened.dataDir, 'gatehouse.db'), { readOnly: true });
  const names = database.prepare('SELECT key FROM backup_setting').all() as { key: string }[];
  expect(names).not.toEqual([]);
  // What every secret key of the age format begins with.
  const secret = /AGE-SECRET-KEY-/i;
  expect(recovery.key).toMatch(secret);
  for (const { key } of names) expect(await box.opened.store.read.backupSetting(key), key).not.toMatch(secret);
});

test('a restore is tried once a month, and old copies go with their manifests', async () => {
  await using box = await ScheduledBackups.open(path => ({
    ...toFolder(path),
    keep: { daily: 2, weekly: 1, monthly: 1 },
  }));
  await writeFile(join(box.folder, 'gatehouse-00000000-2020-01-01T000000Z.gh'), 'of another box');
  for (let night = 0; night < 3; night++) await box.nextNight();
  const { targets } = await box.backups.report();
  expect(targets[0]!.copies.map(({ restoreTriedAt }) => restoreTriedAt !== null)).toEqual([false, false]);
  expect(targets[0]!.drill).toMatchObject({ why: '' });
  const names = targets[0]!.copies.map(({ name }) => name);
  const others = 'gatehouse-00000000-2020-01-01T000000Z.gh';
  expect((await readdir(box.folder)).sort()).toEqual([...names, ...names.map(name => `${name}.json`), others].sort());
});

test('a folder that is not there, lies in the data directory or must not be written says so, and is tried again', async () => {
  await using box = await ScheduledBackups.open(path => toFolder(join(path, 'absent')));
  const { targets } = await box.runNow();
  expect(targets[0]!.failure).toMatchObject({ code: 'no_folder', why: expect.stringContaining('make the folder') });
  const { nextAt } = await box.backups.report();
  expect(nextAt).toBe(box.clock.now() + 15 * 60_000);
  await mkdir(join(box.folder, 'absent'));
  expect((await box.nextNight()).targets[0]).toMatchObject({ failure: null, copies: [{}] });
  await box.backups[Symbol.asyncDispose]();
  await box.start(toFolder(join(box.opened.dataDir, 'keys')));
  expect((await box.runNow()).targets[0]!.failure).toMatchObject({ code: 'in_own_data' });
});

test('a backup to one target by hand leaves the schedule and the retry of another alone', async () => {
  await using box = await ScheduledBackups.open(path => ({
    directory: { path },
    smb: { path: join(path, 'nothing is mounted') },
  }));
  expect((await box.runNow()).targets.map(({ failure }) => failure?.code ?? 'good')).toEqual(['good', 'not_mounted']);
  const { nextAt } = await box.backups.report();
  await box.clock.advance(60_000);
  expect(box.backups.backUpNow('sftp')).toBe(false);
  expect(box.backups.backUpNow('directory')).toBe(true);
  const { targets, nextAt: after } = await box.ended();
  expect(targets[0]).toMatchObject({ failure: null, lastGoodAt: box.clock.now() });
  expect(targets[1]!.failure).toMatchObject({ code: 'not_mounted', at: box.clock.now() - 60_000 });
  expect(after).toBe(nextAt);
});

test('without a recovery key no backup is made, and nothing is written', async () => {
  await using box = await ScheduledBackups.open(toFolder);
  box.recipient = null;
  expect((await box.runNow()).targets[0]!.failure).toMatchObject({ code: 'no_recovery_key' });
  expect(await readdir(box.folder)).toEqual([]);
});

test('what was chosen on the page is kept, and the config stands above it', async () => {
  await using box = await ScheduledBackups.open(() => ({ times: ['04:00'] }));
  expect(await box.backups.report()).toMatchObject({ nextAt: null, targets: [] });
  expect(box.backups.backUpNow()).toBe(false);
  await box.backups.choose({ times: ['05:00'], ...toFolder(box.folder) });
  expect((await box.backups.report()).nextAt).toBe(Date.parse('2026-11-24T04:00+08:00'));
  await box.backups[Symbol.asyncDispose]();
  await box.start({});
  expect((await box.backups.report()).nextAt).toBe(Date.parse('2026-11-24T05:00+08:00'));
  expect((await box.runNow()).targets[0]!.copies).toHaveLength(1);
});

test('after the folder was changed backups go to the new one, and what lies in the old one stays', async () => {
  await using box = await ScheduledBackups.open(() => ({}));
  const [before, after] = [join(box.folder, 'before'), join(box.folder, 'after')];
  await mkdir(before);
  await mkdir(after);
  await box.backups.choose({ ...toFolder(before), keep: { daily: 1, weekly: 1, monthly: 1 } });
  await box.runNow();
  await box.backups.choose({ ...toFolder(after), keep: { daily: 1, weekly: 1, monthly: 1 } });
  expect((await box.backups.report()).targets).toMatchObject([{ where: after, lastGoodAt: null, copies: [] }]);
  box.clock.set(box.clock.now() + 1000);
  expect((await box.runNow()).targets).toMatchObject([{ where: after, failure: null, drill: { why: '' } }]);
  expect(await archives(before)).toHaveLength(1);
  expect(await archives(after)).toHaveLength(1);
});

test('an empty folder where backups were is a stick that was pulled: nothing is written there', async () => {
  await using box = await ScheduledBackups.open(toFolder);
  await box.runNow();
  await rename(box.folder, `${box.folder}-pulled`);
  await mkdir(box.folder);
  try {
    const { targets, lastGoodAt } = await box.runNow();
    expect(targets[0]!.failure).toMatchObject({ code: 'emptied' });
    expect(lastGoodAt).not.toBeNull();
    expect(await readdir(box.folder)).toEqual([]);
  } finally {
    await rm(box.folder, { recursive: true });
    await rename(`${box.folder}-pulled`, box.folder);
  }
  expect((await box.runNow()).targets[0]!.failure).toBeNull();
});

test('a half file of a run that was cut counts for nothing, and the next run removes it', async () => {
  await using box = await ScheduledBackups.open(toFolder);
  await box.runNow();
  const [name] = await archives(box.folder);
  const half = name!.replace(/T\d{6}Z/, 'T000000Z');
  await writeFile(join(box.folder, `${half}.part`), 'half');
  await writeFile(join(box.folder, 'other.part'), 'not of the box');
  box.clock.set(box.clock.now() + 1000);
  await box.runNow();
  const left = await readdir(box.folder);
  expect(left).not.toContain(`${half}.part`);
  expect(left).toContain('other.part');
});

suiteWhere(SmallDisk.possible, 'needs root: it mounts a small disk', 'on a disk of its own', () => {
  test('a full disk says so, keeps what was good, and leaves no half file', async () => {
    using disk = new SmallDisk(16);
    await using box = await ScheduledBackups.open(() => toFolder(disk.folder));
    await box.runNow();
    const good = await archives(disk.folder);
    await writeFile(join(disk.folder, 'film.mkv'), Buffer.alloc(20 << 20)).catch(() => {});
    box.clock.set(box.clock.now() + 1000);
    const { targets } = await box.runNow();
    expect(targets[0]!.failure).toMatchObject({ code: 'full_for', why: expect.stringContaining('make room') });
    expect((await readdir(disk.folder)).filter(name => !name.endsWith('.json')).sort()).toEqual(
      [...good, 'film.mkv'].sort(),
    );
    await rm(join(disk.folder, 'film.mkv'));
    box.clock.set(box.clock.now() + 1000);
    expect((await box.runNow()).targets[0]!.failure).toBeNull();
  });

  test('a disk that can only be read says so', async () => {
    using disk = new SmallDisk(16);
    await using box = await ScheduledBackups.open(() => toFolder(disk.folder));
    disk.readOnly(true);
    expect((await box.runNow()).targets[0]!.failure).toMatchObject({ code: 'read_only' });
    disk.readOnly(false);
  });
});

test('after a clock that stood in 2036 was set right, the next backup is made in the next night, and not in 2036', async () => {
  await using box = await ScheduledBackups.open(toFolder);
  const now = box.clock.now();
  box.clock.set(now + 10 * 365 * 86_400_000);
  await box.runNow();
  box.clock.set(now);
  await box.clock.advance(31_000);
  const { nextAt } = await box.backups.report();
  expect(nextAt).toBe(Date.parse('2026-11-24T02:30+08:00'));
  const after = await box.nextNight();
  expect(after.targets[0]).toMatchObject({ failure: null, lastGoodAt: expect.any(Number) });
  expect(after.targets[0]!.lastGoodAt!).toBeLessThan(now + 86_400_000);
});

test('a box that was started with its clock in 2036 makes its first backup in the next night after the clock is right', async () => {
  await using box = await ScheduledBackups.open(toFolder);
  const now = box.clock.now();
  await box.backups[Symbol.asyncDispose]();
  box.clock.set(now + 10 * 365 * 86_400_000);
  await box.start(toFolder(box.folder));
  box.clock.set(now);
  await box.clock.advance(31_000);
  expect((await box.backups.report()).nextAt).toBe(Date.parse('2026-11-24T02:30+08:00'));
});
