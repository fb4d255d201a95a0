import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { own, ownerOf } from '../../../src/store/data-dir/ownership.ts';

test('an owner that leaves does not erase the name of the next one', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-owner-'));
  const owner = own(dataDir);
  expect(ownerOf(dataDir)).toBe(String(process.pid));
  const close = DatabaseSync.prototype.close;
  let nameAtRelease: string | undefined;
  using released = vi.spyOn(DatabaseSync.prototype, 'close').mockImplementation(function (this: DatabaseSync) {
    nameAtRelease = ownerOf(dataDir);
    close.call(this);
  });
  owner[Symbol.dispose]();
  expect(released).toHaveBeenCalledOnce();
  expect(nameAtRelease).toBe('');
  own(dataDir)[Symbol.dispose]();
  await rm(dataDir, { recursive: true, force: true });
});

test('an owner that cannot clear its name releases the directory all the same', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-owner-'));
  const owner = own(dataDir);
  await rm(join(dataDir, 'owner.pid'));
  await mkdir(join(dataDir, 'owner.pid'));
  expect(() => owner[Symbol.dispose]()).toThrow(/EISDIR/);
  await rm(join(dataDir, 'owner.pid'), { recursive: true });
  own(dataDir)[Symbol.dispose]();
  await rm(dataDir, { recursive: true, force: true });
});
