import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Disk } from '../../src/admin/disk.ts';
import { HandClock } from '../support/clock.ts';
import { aProduct, append, applied, aStore, registered } from '../support/store.ts';

const now = 1_763_600_000_000;
const dayMs = 24 * 3600_000;

async function aDisk() {
  const clock = new HandClock(now);
  const opened = await aStore({ clock, upstream: false });
  const { store, dataDir } = opened;
  await applied(store, { products: [aProduct()] });
  const removed: number[] = [];
  const disk = new Disk({
    store,
    clock,
    dataDir,
    files: dataDir,
    removeFiles: async before => void removed.push(before),
  });
  const put = async (folder: string, name: string, bytes: number, at: number) => {
    await mkdir(join(dataDir, folder), { recursive: true });
    await writeFile(join(dataDir, folder, name), Buffer.alloc(bytes, 1));
    await utimes(join(dataDir, folder, name), at / 1000, at / 1000);
  };
  return { ...opened, clock, disk, removed, put };
}

test('logs are kept for fewer days from now on: the older ones go, the younger stay, and it holds over a restart', async () => {
  await using box = await aDisk();
  const { deviceNo } = await registered(box.store);
  for (let daysAgo = 60; daysAgo > 0; daysAgo -= 5)
    await append(box.store, {
      deviceNo,
      channel: 'log',
      receivedAt: now - daysAgo * dayMs + 1000,
      logPath: 'FT1/A0001',
      marks: {},
      payload: Buffer.from(`${daysAgo} days ago`),
    });
  await box.store.catchUp();
  const { steps, kept_days } = await box.disk.report();
  expect(kept_days).toEqual({ records: 7, logs: 90 });
  expect(steps.filter(({ what }) => what === 'logs')).toEqual([
    { what: 'logs', days: 30, items: 6, bytes: expect.any(Number), at_least: false },
    { what: 'logs', days: 7, items: 11, bytes: expect.any(Number), at_least: false },
  ]);
  await box.disk.free('logs', 30);
  expect((await box.store.read.logTail({ limit: 50 })).rows.map(row => row.text).at(-1)).toBe('30 days ago');
  const store = await box.reopen();
  expect(await store.read.keptDays()).toEqual({ records: 7, logs: 30 });
});

test('all backups but the newest go, packages and spoken texts go, and what is being fetched stays', async () => {
  await using box = await aDisk();
  await box.put('before-update', 'old.gh', 40_000, now - 9 * dayMs);
  await box.put('before-update', 'new.gh', 40_000, now - dayMs);
  await box.put('packages', 'panel-1.2.0-0123abcd', 30_000, now);
  await box.put('packages', 'panel-1.3.0-4567abcd.part', 30_000, now);
  await box.put('speech', '0123', 8000, now);
  const { steps } = await box.disk.report();
  expect(steps.map(({ what, items }) => [what, items])).toEqual([
    ['backups', 1],
    ['packages', 1],
    ['speech', 1],
  ]);
  for (const what of ['backups', 'packages', 'speech'] as const) await box.disk.free(what, null);
  expect(await readdir(join(box.dataDir, 'before-update'))).toEqual(['new.gh']);
  expect(await readdir(join(box.dataDir, 'packages'))).toEqual(['panel-1.3.0-4567abcd.part']);
  expect(await readdir(join(box.dataDir, 'speech'))).toEqual([]);
  expect((await box.disk.report()).steps).toEqual([]);
  expect((await stat(join(box.dataDir, 'gatehouse.db'))).size).toBeGreaterThan(0);
});

test('what a restore replaced goes as a whole, with the backups', async () => {
  await using box = await aDisk();
  const replaced = join(box.dataDir, 'before-restore');
  await mkdir(join(replaced, 'keys'), { recursive: true });
  await writeFile(join(replaced, 'gatehouse.db'), Buffer.alloc(100_000, 1));
  await writeFile(join(replaced, 'keys', 'seal.key'), 'k');
  const { steps } = await box.disk.report();
  expect(steps).toContainEqual(expect.objectContaining({ what: 'backups', items: 1 }));
  await box.disk.free('backups', null);
  expect(await readdir(box.dataDir)).not.toContain('before-restore');
});

test('old uploaded files are removed by the service that knows them', async () => {
  await using box = await aDisk();
  await box.disk.free('files', 90);
  expect(box.removed).toEqual([now - 90 * dayMs]);
});

test('the report lists what a full disk deletes first, and attendance is not in it', async () => {
  await using box = await aDisk();
  expect((await box.disk.report()).goes_first).toEqual(['refusals', 'forwarded', 'logs', 'reads']);
});
