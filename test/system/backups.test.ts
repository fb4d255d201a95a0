import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectAdmin } from '../../src/admin-client/index.ts';
import { BoxProcess, run } from '../support/program.ts';
import { aSite, productKey } from '../support/site.ts';
import { until } from '../support/until.ts';

test('a backup into a folder that was chosen is verified by its thread, and restores another box', async () => {
  await using box = await BoxProcess.start({}, aSite());
  const target = join(box.folder, 'stick');
  await mkdir(target);
  const keyFile = join(box.folder, 'recovery-key.txt');
  await writeFile(keyFile, await box.ask('recovery-key', 'new'));
  await using admin = (await connectAdmin(box.dataDir))!;
  await admin.backups.choose({ settings: { directory: { path: target } } });
  await admin.backups.now();
  const schedule = async () => (await admin.backups.report()).schedule!;
  await until('the backup has ended', async () => (await schedule()).running === null, 50_000);
  expect((await schedule()).targets).toMatchObject([
    {
      ...{ name: 'directory', where: target, failure: null, restore_tried: { why: null } },
      copies: [{ verified_at: expect.any(Number), restore_tried_at: expect.any(Number) }],
    },
  ]);
  const [archive, manifest] = (await readdir(target)).sort();
  // The thread counted these rows in the copy that was read back.
  expect(JSON.parse(await readFile(join(target, manifest!), 'utf8'))).toMatchObject({ rows: { product: 1 } });

  const elsewhere = join(box.folder, 'elsewhere');
  const restored = await run([
    ...['restore', join(target, archive!), '--data-dir', elsewhere],
    ...['--recovery-key-file', keyFile],
  ]);
  expect(restored).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/restored as of .*, environment test\n$/),
  });
  // The restored seal key opens the restored secrets.
  const site = await run(['export', '--with-secrets', '--data-dir', elsewhere]);
  expect(site.stdout).toContain(productKey);
});
