import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { makeExt4, mountExt4 } from './ext4.ts';
import { FuseDisk } from './fuse-disk.ts';
import { readWriteLog } from './write-log.ts';

const run = promisify(execFile);
/** Writes a file and syncs it, in a process of its own: this one serves the disk's messages. */
const write = (file: string, text: string) =>
  run('sh', ['-c', `printf %s "$1" > "$2" && sync "$2"`, 'sh', text, file]).then(
    () => 'written',
    () => 'failed',
  );

suiteWhere(FuseDisk.possible, FuseDisk.needs, 'a disk whose writes are logged and whose answers can be faulty', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-disk-test-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function aDisk(name: string) {
    const image = join(folder, `${name}.img`);
    const log = join(folder, `${name}.log`);
    await makeExt4(image, 16);
    return { disk: await FuseDisk.make({ image, log }), image, log };
  }

  test('what a program syncs is in the log, and the flush after it', async () => {
    const { disk: made, log } = await aDisk('logs');
    await using disk = made;
    await using mounted = await mountExt4(disk.file);
    const before = disk.position;
    expect(await write(join(mounted.folder, 'a'), 'a text that is looked for')).toBe('written');
    const entries = readWriteLog(log).slice(before, disk.position);
    const written = entries.findIndex(entry => Buffer.from(entry.data).includes('a text that is looked for'));
    expect(written).toBeGreaterThanOrEqual(0);
    expect(entries.slice(written).some(entry => entry.isFlush)).toBe(true);
  });

  test('a flush that is held lets no sync return, and is answered when it is let go', async () => {
    const { disk: made } = await aDisk('holds');
    await using disk = made;
    await using mounted = await mountExt4(disk.file);
    disk.setFaults({ holdFlushes: true });
    let returned = false;
    const writing = write(join(mounted.folder, 'a'), 'text').finally(() => {
      returned = true;
    });
    await until('the flush waits', () => disk.isWaiting);
    expect(returned).toBe(false);
    disk.setFaults({});
    expect(await writing).toBe('written');
  });

  test('each answer takes as long as it is told', async () => {
    const { disk: made } = await aDisk('slow');
    await using disk = made;
    await using mounted = await mountExt4(disk.file);
    disk.setFaults({ delayMs: { flush: 300 } });
    const began = performance.now();
    expect(await write(join(mounted.folder, 'a'), 'text')).toBe('written');
    expect(performance.now() - began).toBeGreaterThan(290);
    disk.setFaults({});
  });

  test('a write to a bad sector fails, and the program hears of it', async () => {
    const { disk: made } = await aDisk('bad');
    await using disk = made;
    await using mounted = await mountExt4(disk.file);
    disk.setFaults({ errors: [{ on: 'write', fromSector: 0, toSector: 32 << 11 }] });
    expect(await write(join(mounted.folder, 'a'), 'text')).toBe('failed');
  });

  test('a flush that is dropped is answered, and is not in the log', async () => {
    const { disk: made, log } = await aDisk('drops');
    await using disk = made;
    await using mounted = await mountExt4(disk.file);
    disk.setFaults({ dropFlushes: 1 });
    const before = disk.position;
    const { flushes } = disk.seen;
    expect(await write(join(mounted.folder, 'a'), 'text')).toBe('written');
    expect(disk.seen.flushes).toBeGreaterThan(flushes);
    const entries = readWriteLog(log).slice(before, disk.position);
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter(entry => entry.isFlush)).toEqual([]);
  });
});
