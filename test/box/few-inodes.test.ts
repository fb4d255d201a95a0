import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { statusInWords } from '../../src/cli/status.ts';
import { diskCheck } from '../../src/operations/doctor/machine.ts';
import { aBox } from '../support/box.ts';
import { aSite } from '../support/site.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { suiteWhere } from '../support/tools.ts';

suiteWhere(SmallDisk.possible, 'needs root, to mount a small file system: sudo npm test', 'inodes of the disk', () => {
  test('a disk that can hold few more files is named by status and doctor, until some are removed', async () => {
    using disk = new SmallDisk(64, 400);
    const dataDir = join(disk.folder, 'data');
    mkdirSync(dataDir);
    await using box = await aBox({ data_dir: dataDir }, aSite());
    const status = () => box.opened.admin.status.report();
    const doctor = () => diskCheck(dataDir, 'test', null);
    expect((await status()).disk).toMatchObject({ is_low: false, inodes: { size: 400, is_low: false } });
    expect(doctor()).toMatchObject({ state: 'ok' });

    const folder = join(disk.folder, 'of-another-program');
    mkdirSync(folder);
    for (let no = statfsSync(disk.folder).ffree; no > 12; no--) writeFileSync(join(folder, String(no)), '');
    const full = await status();
    expect(full.disk).toMatchObject({ state: 'ok', is_low: true, inodes: { size: 400, free: 12, is_low: true } });
    expect(statusInWords(full, Date.now())).toMatch(/LOW: 12 of 400 inodes are free: the disk can hold few more files/);
    expect(doctor()).toMatchObject({ state: 'warn', code: 'disk_inodes', params: { free: 12, size: 400 } });

    rmSync(folder, { recursive: true });
    expect((await status()).disk).toMatchObject({ is_low: false, inodes: { is_low: false } });
  });

  test('a file system that does not count them has enough', () => {
    using disk = new SmallDisk(8);
    expect(statfsSync(disk.folder).files).toBe(0);
    expect(diskCheck(disk.folder, 'test', null)).toMatchObject({ code: 'disk' });
  });
});
