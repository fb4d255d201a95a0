import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectAdmin } from '../../src/admin-client/index.ts';
import { aBox } from '../support/box.ts';
import { runCommand } from '../support/command.ts';

const passphrase = 'five words and one rain';

/** A box, and a folder of whoever runs commands. */
async function aBoxAndFolder() {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-target-'));
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  const box = parts.use(await aBox());
  const words = join(folder, 'words');
  await writeFile(words, passphrase);
  const held = parts.move();
  return {
    ...{ box, folder, words, file: join(folder, 'site.gh') },
    backup: (file: string, ...more: string[]) => box.run('backup', file, '--passphrase-file', words, ...more),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

test.each(['runs', 'is stopped'])(
  'the command writes the file itself, for its owner alone, while the box %s',
  async how => {
    await using site = await aBoxAndFolder();
    const { box, file, words } = site;
    if (how === 'is stopped') await box.stop();
    const { status, stdout } = await site.backup(file, '--json');
    expect(status).toBe(0);
    const { size, mode } = await stat(file);
    expect(JSON.parse(stdout)).toMatchObject({ file, bytes: size, records: expect.any(Number) });
    expect(mode & 0o777).toBe(0o600);
    const checked = await runCommand(['restore', '--check', file, '--passphrase-file', words]);
    expect(checked).toMatchObject({ status: 0, stdout: expect.stringMatching(/site\.gh: whole, made /) });
    expect((await readdir(site.folder)).sort()).toEqual(['site.gh', 'words']);
  },
);

test('the box opens no file that a command names: it may see another /tmp', async () => {
  await using site = await aBoxAndFolder();
  await using admin = (await connectAdmin(site.box.dataDir))!;
  const asked = admin.post('/backup', { file: site.file, passphrase, with_files: false });
  await expect(asked).rejects.toThrow(/write a name such as monday\.age, without a path/);
});

test('nothing is overwritten, and what cannot be written is said with the remedy', async () => {
  await using site = await aBoxAndFolder();
  await writeFile(site.file, 'of last year');
  expect(await site.backup(site.file)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('is there already'),
  });
  expect(await site.backup(join(site.folder, 'none', 'x.gh'))).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/x\.gh: cannot be written: there is no such folder: make it first \(mkdir -p\)/),
  });
  await chmod(site.folder, 0o700);
  expect(await site.backup('/dev/full')).toMatchObject({ status: 1 });
  expect((await readdir(site.folder)).sort()).toEqual(['site.gh', 'words']);
});

test('a reset wipes nothing before the backup that it keeps is on the disk', async () => {
  await using site = await aBoxAndFolder();
  const { box, words } = site;
  const reset = (file: string) => box.run('reset', '--all', '--yes', '--keep-backup', file, '--passphrase-file', words);
  const failed = await reset(join(site.folder, 'none', 'kept.gh'));
  expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('there is no such folder') });
  expect(await readdir(box.dataDir)).toContain('gatehouse.db');
});

test('over newer data a restore asks, names what it would take away, and keeps what was there', async () => {
  await using site = await aBoxAndFolder();
  const { box, file, words } = site;
  const restore = (...more: string[]) => box.run('restore', file, '--passphrase-file', words, ...more);
  expect((await site.backup(file)).status).toBe(0);
  await box.stop();
  const unasked = await restore();
  expect(unasked).toMatchObject({ status: 0, stdout: expect.stringMatching(/restored as of/) });

  await box.start();
  const later = join(site.folder, 'site.yaml');
  await writeFile(later, 'departments: [{ ext_id: "d7", name: "Paint" }]');
  expect((await box.run('apply', later)).status).toBe(0);
  await box.stop();
  const asks = await restore();
  expect(asks).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      /has newer data than the backup, until .*: 0 records of devices, 1 change by staff\. .* are kept in .*before-restore\.\n.*add --yes/,
    ),
  });
  const departments = async (dataDir: string) => (await runCommand(['export', '--data-dir', dataDir])).stdout;
  expect(await departments(box.dataDir)).toContain('Paint');

  const restored = await restore('--yes');
  const kept = join(box.dataDir, 'before-restore');
  expect(restored).toMatchObject({ status: 0, stdout: expect.stringContaining(`${kept}: what was there before`) });
  expect(await departments(box.dataDir)).not.toContain('Paint');
  expect(await departments(kept)).toContain('Paint');
});

test('a recovery key that goes to a file comes with advice on the mode of the file, not in it', async () => {
  await using box = await aBox();
  const made = await box.run('recovery-key', 'new');
  expect(made.stderr).toContain('chmod 600');
  expect(made.stdout).toMatch(/^# recovery key .*\n# public key: age1\S+\nAGE-SECRET-KEY-\S+\n$/);
});
