import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DirectoryTarget } from '../../src/backups/targets/directory.ts';
import { mountAt } from '../../src/backups/targets/mounts.ts';
import { ScheduledBackups } from '../support/scheduled-backups.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { suiteWhere } from '../support/tools.ts';

const archives = async (folder: string) => (await readdir(folder)).filter(name => name.endsWith('.gh')).sort();

test('a folder at which nothing is mounted is no stick and no share: nothing is written there', async () => {
  for (const name of ['stick', 'smb'] as const) {
    await using box = await ScheduledBackups.open(path => ({ [name]: { path } }));
    const { targets } = await box.runNow();
    expect(targets).toMatchObject([{ name, holds: null, failure: { code: 'not_mounted' } }]);
    expect(await readdir(box.folder)).toEqual([]);
  }
});

test('a mount point that is not even there says the same', async () => {
  await using box = await ScheduledBackups.open(path => ({ stick: { path: join(path, 'absent') } }));
  expect((await box.runNow()).targets[0]!.failure).toMatchObject({ code: 'not_mounted' });
});

test('the root and /proc are known as mounts, and a folder is not', async () => {
  expect(await mountAt('/proc')).toMatchObject({ type: 'proc' });
  expect(await mountAt('/proc/')).toMatchObject({ type: 'proc' });
  expect(await mountAt('/')).not.toBeNull();
  expect(await mountAt('/proc/self')).toBeNull();
});

suiteWhere(SmallDisk.possible, 'needs root: it mounts a small disk', 'where something is mounted', () => {
  test('a backup is written, read back and restored, and the page says what is mounted', async () => {
    using disk = new SmallDisk(32);
    await using box = await ScheduledBackups.open(() => ({ stick: { path: disk.folder } }));
    const { targets } = await box.runNow();
    expect(targets).toMatchObject([{ name: 'stick', holds: 'tmpfs tmpfs', failure: null, drill: { why: '' } }]);
    expect(await archives(disk.folder)).toHaveLength(1);
  });

  test('two sticks in turn each get backups, and each loses only its own old ones', async () => {
    await using place = await MountPoint.make();
    await using box = await ScheduledBackups.open(() => ({
      stick: { path: place.folder },
      keep: { daily: 1, weekly: 1, monthly: 1 },
    }));
    place.put('first');
    await box.nextNight();
    const first = await archives(place.folder);
    place.pull();
    expect((await box.runNow()).targets[0]!.failure).toMatchObject({ code: 'not_mounted' });
    expect(await readdir(place.folder)).toEqual([]);
    place.put('second');
    expect((await box.nextNight()).targets[0]!.failure).toBeNull();
    const second = await archives(place.folder);
    expect(second).toHaveLength(1);
    expect(second).not.toEqual(first);
    place.pull();
    place.put('first');
    expect(await archives(place.folder)).toEqual(first);
    expect((await box.nextNight()).targets[0]!.failure).toBeNull();
    const third = await archives(place.folder);
    expect(third).toHaveLength(1);
    expect(third).not.toEqual(first);
  });

  test('a stick that is pulled after it was opened does not fill the disk of the box', async () => {
    await using place = await MountPoint.make();
    place.put('first');
    const target = new DirectoryTarget(place.folder, place.elsewhere, true);
    await using opened = await target.open();
    place.pull();
    const file = join(place.elsewhere, 'archive');
    await writeFile(file, 'a backup');
    const put = opened.put(file, 'archive.gh', new AbortController().signal);
    await expect(put).rejects.toMatchObject({ code: 'not_mounted' });
    expect(await readdir(place.folder)).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe('a backup');
  });
});

/** A folder at which one of two sticks can be mounted, as bind mounts of a small disk. */
class MountPoint implements AsyncDisposable {
  readonly #disk = new SmallDisk(64);
  readonly #root: string;
  #isMounted = false;

  private constructor(root: string) {
    this.#root = root;
  }

  static async make(): Promise<MountPoint> {
    const place = new MountPoint(await mkdtemp(join(tmpdir(), 'gatehouse-mount-')));
    await Promise.all([place.folder, place.elsewhere].map(folder => mkdir(folder)));
    await Promise.all(['first', 'second'].map(name => mkdir(join(place.#disk.folder, name))));
    return place;
  }

  get folder(): string {
    return join(this.#root, 'at');
  }

  get elsewhere(): string {
    return join(this.#root, 'elsewhere');
  }

  put(stick: 'first' | 'second'): void {
    execFileSync('mount', ['--bind', join(this.#disk.folder, stick), this.folder]);
    this.#isMounted = true;
  }

  pull(): void {
    execFileSync('umount', ['-l', this.folder]);
    this.#isMounted = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isMounted) this.pull();
    await rm(this.#root, { recursive: true, force: true });
    this.#disk[Symbol.dispose]();
  }
}
