import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectAdmin } from '../../src/admin-client/index.ts';
import { BoxProcess, gatehouse, run } from '../support/program.ts';
import { aSite, productKey } from '../support/site.ts';
import { suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';

test('a backup into a folder that was chosen is verified by its thread, and restores another box', async () => {
  await using box = await BoxProcess.start({}, aSite());
  const target = join(box.folder, 'stick');
  await mkdir(target);
  const keyFile = join(box.folder, 'recovery-key.txt');
  await writeFile(keyFile, await box.ask('recovery-key', 'new'));
  await using admin = (await connectAdmin(box.dataDir))!;
  await admin.put('/backup/settings', { settings: { directory: { path: target } } });
  await admin.post('/backup/now');
  const schedule = async () => (await admin.get('/backup')).schedule!;
  await until('the backup has ended', async () => (await schedule()).running === null);
  expect((await schedule()).targets).toMatchObject([
    {
      ...{ name: 'directory', where: target, failure: null, restore_tried: { why: '' } },
      copies: [{ verified_at: expect.any(Number), restore_tried_at: expect.any(Number) }],
    },
  ]);
  // The newest of a day stays: the copy that was restored goes, and the restore was tried all the same.
  const restoredAt = (await schedule()).targets[0]!.restore_tried!.at;
  await admin.post('/backup/now');
  await until('the next backup has ended', async () => (await schedule()).running === null);
  expect((await schedule()).targets[0]).toMatchObject({ failure: null, copies: [{ restore_tried_at: null }] });
  expect((await admin.get('/status')).backup!.restore_tried_at).toBe(restoredAt);
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

test('doctor says where backups go, when the last good one was made, and whether the target answers', async () => {
  await using box = await BoxProcess.start({}, aSite());
  const backupCheck = async () => {
    const { stdout } = await box.run('doctor', '--json');
    return JSON.parse(stdout).checks.find((one: { name: string }) => one.name === 'backup');
  };
  expect(await backupCheck()).toMatchObject({ state: 'warn', code: 'backup_none' });
  const target = join(box.folder, 'disk');
  await mkdir(target);
  await box.ask('recovery-key', 'new');
  await using admin = (await connectAdmin(box.dataDir))!;
  await admin.put('/backup/settings', { settings: { directory: { path: target } } });
  expect(await backupCheck()).toMatchObject({ of: 'directory', state: 'warn', code: 'backup_old' });
  expect(await readdir(target)).toEqual([]);
  await admin.post('/backup/now');
  await until('it has ended', async () => (await admin.get('/backup')).schedule!.running === null);
  expect(await backupCheck()).toMatchObject({
    state: 'ok',
    message: expect.stringMatching(/ answers; the last good one was made .* \+08:00, a restore was tried .* \+08:00$/),
  });
  await rm(target, { recursive: true });
  expect(await backupCheck()).toMatchObject({
    ...{ state: 'failed', code: 'backup_target' },
    remedy: expect.stringMatching(/is not there .*: make the folder there, or name another$/),
  });
});

suiteWhere(process.getuid?.() === 0, 'needs root: it mounts', 'a service whose /tmp is not that of the command', () => {
  test('a backup is where the command says, and a reset keeps one before it wipes', async () => {
    const target = await mkdtemp(join(tmpdir(), 'gatehouse-private-'));
    const program = join(target, 'program');
    await writeFile(
      program,
      `#!/bin/sh\nexec unshare -m sh -c 'mount -t tmpfs none ${target} && exec ${gatehouse} "$@"' x "$@"\n`,
    );
    await chmod(program, 0o700);
    try {
      await using box = await BoxProcess.make({}, aSite(), {}, undefined, program);
      await box.start();
      const words = join(box.folder, 'words');
      await writeFile(words, 'five words and one rain');
      const withWords = ['--data-dir', box.dataDir, '--passphrase-file', words];
      const [made, kept] = [join(target, 'made.gh'), join(target, 'kept.gh')];
      expect(await run(['backup', made, ...withWords])).toMatchObject({ status: 0 });
      expect(await run(['reset', '--all', '--yes', '--keep-backup', kept, ...withWords])).toMatchObject({ status: 0 });
      for (const file of [made, kept])
        expect(await run(['restore', '--check', file, '--passphrase-file', words])).toMatchObject({ status: 0 });
    } finally {
      await rm(target, { recursive: true, force: true });
    }
  });
});

suiteWhere(process.getuid?.() === 0, 'needs root: it mounts', 'a box that a package has installed', () => {
  test('is found by every command that names none, and told from one in the working directory', async () => {
    await using box = await BoxProcess.start({}, aSite());
    const elsewhere = join(box.folder, 'elsewhere');
    await mkdir(elsewhere);
    const installed = (...words: string[]) =>
      spawnSync(
        'unshare',
        [
          ...['-m', 'sh', '-c', 'mount -t tmpfs none /var/lib && ln -s "$1" /var/lib/gatehouse && shift && exec "$@"'],
          ...['x', box.dataDir, gatehouse, ...words],
        ],
        { cwd: elsewhere, env: { PATH: process.env.PATH }, encoding: 'utf8' },
      );
    expect(installed('export')).toMatchObject({ status: 0, stdout: await box.ask('export') });
    await mkdir(join(elsewhere, 'gatehouse-data'));
    expect(installed('status')).toMatchObject({
      status: 1,
      stderr:
        'gatehouse: two boxes: ./gatehouse-data here, and the installed one in /var/lib/gatehouse: name one with --data-dir\n',
    });
  });
});
