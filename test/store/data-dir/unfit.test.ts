import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isOfContainer } from '../../../src/runtime/container.ts';
import { unfitFileSystem } from '../../../src/runtime/file-system.ts';
import { unfitPlace } from '../../../src/store/data-dir/unfit.ts';
import { checkFindings, checkRemedies, remedyOf } from '../../../src/words/checks.ts';
import { inChinese } from '../../../src/words/sentences.ts';

const ofType = (magic: number) => ({ fileSystem: (folder: string) => unfitFileSystem(folder, () => magic) });

test.each([
  ['NFS', 0x6969, 'disk_on_network'],
  ['CIFS', 0xff534d42, 'disk_on_network'],
  ['SMB 2', 0xfe534d42, 'disk_on_network'],
  ['9p', 0x01021997, 'disk_on_network'],
  ['FUSE', 0x65735546, 'disk_on_fuse'],
  ['tmpfs', 0x01021994, 'disk_in_memory'],
  ['ramfs', 0x858458f6, 'disk_in_memory'],
])('a data directory on %s is refused in production, with what to do in both languages', (_name, magic, code) => {
  const unfit = unfitPlace('/srv/box', 'production', ofType(magic))!;
  expect(unfit.code).toBe(code);
  expect(unfit.message).toContain('/srv/box');
  expect(unfit.remedy).not.toBe('');
  expect(inChinese({ ...unfit, reason: unfit.message }, checkFindings)).toMatch(/\/srv\/box.*[一-龥]/);
  expect(inChinese(remedyOf(unfit), checkRemedies)).toMatch(/请/);
});

test.each([
  ['ext4', 0xef53],
  ['btrfs', 0x9123683e],
  ['XFS', 0x58465342],
  ['ZFS', 0x2fc12fc1],
  ['overlay', 0x794c7630],
])('a data directory on %s is taken', (_name, magic) => {
  expect(unfitPlace('/srv/box', 'production', ofType(magic))).toBeNull();
});

test('a box for tests may stand in memory, and on no share', () => {
  expect(unfitPlace('/srv/box', 'test', ofType(0x01021994))).toBeNull();
  expect(unfitPlace('/srv/box', 'test', ofType(0x6969))).toMatchObject({ code: 'disk_on_network' });
});

test('a folder of the container itself is refused, a folder of a machine is not', () => {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-root-'));
  try {
    expect(isOfContainer(root, root)).toBe(false);
    mkdirSync(join(root, 'usr/lib/gatehouse'), { recursive: true });
    writeFileSync(join(root, 'usr/lib/gatehouse/container'), '');
    expect(isOfContainer(root, root)).toBe(true);
    expect(isOfContainer('/proc', root)).toBe(false);
    const places = { fileSystem: () => null, ofContainer: (folder: string) => isOfContainer(folder, root) };
    expect(unfitPlace(root, 'production', places)).toMatchObject({ code: 'disk_of_container' });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
