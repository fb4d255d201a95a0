import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { diskBelow } from '../../../src/operations/drill/disk-device.ts';

/** Files of sysfs, with links from `dev/block/N:M`. */
async function aSysfs(files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>>) {
  const root = await mkdtemp(join(tmpdir(), 'gatehouse-sys-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content, 'latin1');
  }
  for (const [name, target] of Object.entries(links)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await symlink(join(root, target), join(root, name));
  }
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

test('the card below a partition is found with its name, serial number and register', async () => {
  const card = 'devices/mmc/block/mmcblk0';
  await using sys = await aSysfs(
    {
      [`${card}/size`]: '124735488\n',
      [`${card}/device/name`]: 'SD64G\n',
      [`${card}/device/serial`]: '0x1a2b3c4d\n',
      [`${card}/device/cid`]: '035344534436344780\n',
      [`${card}/mmcblk0p3/partition`]: '3\n',
    },
    { 'dev/block/179:3': `${card}/mmcblk0p3` },
  );
  expect(diskBelow('/', sys.root, () => '179:3')).toEqual({
    ...{ device: 'mmcblk0', name: 'SD64G', serial: '0x1a2b3c4d', cid: '035344534436344780', bytes: 63_864_569_856 },
  });
});

test('an encrypted disk is looked through, and its vendor belongs to its name', async () => {
  const disk = 'devices/ata/block/sda';
  await using sys = await aSysfs(
    {
      [`${disk}/device/vendor`]: 'ATA     \n',
      [`${disk}/device/model`]: 'SSD 870  \n',
      [`${disk}/device/vpd_pg80`]: '\0\u0080\0\u0024 S5Y1NX0R123456',
      [`${disk}/sda2/partition`]: '2\n',
      'devices/virtual/block/dm-0/size': '100\n',
    },
    { 'dev/block/252:0': 'devices/virtual/block/dm-0', 'devices/virtual/block/dm-0/slaves/sda2': `${disk}/sda2` },
  );
  expect(diskBelow('/', sys.root, () => '252:0')).toEqual({
    ...{ device: 'sda', name: 'ATA SSD 870', serial: 'S5Y1NX0R123456', cid: '', bytes: null },
  });
});

test('a folder without a disk has none, and a system that names nothing does no harm', async () => {
  await using sys = await aSysfs({}, {});
  const none = { device: '', name: '', serial: '', cid: '', bytes: null };
  expect(diskBelow('/', sys.root, () => null)).toEqual(none);
  expect(diskBelow('/', sys.root, () => '8:1')).toEqual(none);
  expect(diskBelow('/proc')).toEqual(none);
});
