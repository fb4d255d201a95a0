import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { newSshKeyPair } from '../../src/backups/ssh-key.ts';
import { SftpTarget } from '../../src/backups/targets/sftp.ts';
import { restoreBackup } from '../../src/store/index.ts';
import { recovery } from '../support/backups.ts';
import { HandClock } from '../support/clock.ts';
import { ScheduledBackups } from '../support/scheduled-backups.ts';
import { CutLine, SftpServer } from '../support/sftp-server.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { suiteNeeding, suiteWhere } from '../support/tools.ts';

/** A box whose key the server knows, and that knows the server's. */
async function acquainted(server: SftpServer, more: object = {}): Promise<ScheduledBackups> {
  const box = await ScheduledBackups.open(() => ({ sftp: { ...server.settings, ...more } }));
  await server.authorize((await box.backups.sftp.report())!.publicKey);
  await box.backups.sftp.confirm(await server.hostKey());
  return box;
}

const leftovers = async (dataDir: string) => (await readdir(dataDir)).filter(name => name.startsWith('.transfer'));
const archives = async (folder: string) => (await readdir(folder)).filter(name => name.endsWith('.gh')).sort();

suiteNeeding('sshd', 'openssh-server', 'backups to an SFTP server', () => {
  test('once its key was confirmed and it knows the key of the box, a backup is written, read back and restored', async () => {
    await using server = await SftpServer.start();
    await using box = await ScheduledBackups.open(() => ({ sftp: server.settings }));
    const { sftp } = box.backups;
    const report = (await sftp.report())!;
    expect(report).toMatchObject({ hostKey: null, publicKey: expect.stringMatching(/^ssh-ed25519 \S+ gatehouse-/) });
    // Nobody has confirmed the key of the server: the box does not even try to log in.
    expect((await box.runNow()).targets[0]!.failure).toMatchObject({ code: 'host_key_unknown' });
    const seen = (await sftp.check())!;
    expect(seen).toMatchObject({ failure: null, offered: { key: await server.hostKey(), type: 'ssh-ed25519' } });
    await sftp.confirm(seen.offered!.key);
    expect((await sftp.check())!.failure).toMatchObject({ code: 'sftp_login_refused' });
    await server.authorize(report.publicKey);
    expect((await sftp.check())!.failure).toBeNull();
    expect(await readdir(server.folder)).toEqual([]);

    const { targets, lastGoodAt } = await box.runNow();
    expect(targets).toMatchObject([{ name: 'sftp', failure: null, drill: { why: '' }, lastGoodAt }]);
    const [copy] = targets[0]!.copies;
    expect((await readdir(server.folder)).sort()).toEqual([copy!.name, `${copy!.name}.json`]);
    const manifest = JSON.parse(await readFile(join(server.folder, `${copy!.name}.json`), 'utf8'));
    expect(manifest).toMatchObject({ sha256: copy!.sha256, rows: { product: 1 } });
    expect(await leftovers(box.opened.dataDir)).toEqual([]);
    await restoreBackup({
      ...{ file: join(server.folder, copy!.name), dataDir: join(box.folder, 'elsewhere'), key: recovery.key },
    });
  });

  test('the key of the box is in no file of its data directory, and in its database only sealed', async () => {
    await using server = await SftpServer.start();
    await using box = await acquainted(server);
    expect((await box.runNow()).targets[0]!.failure).toBeNull();
    const secret = JSON.parse((await box.opened.store.read.backupSetting('sftp'))!).pair.privateKey as string;
    expect(secret).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----/);
    using database = new DatabaseSync(join(box.opened.dataDir, 'gatehouse.db'), { readOnly: true });
    expect(database.prepare("SELECT key FROM backup_setting WHERE key = 'sftp'").get()).toBeDefined();
    const entries = await readdir(box.opened.dataDir, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter(one => one.isFile())) {
      const bytes = await readFile(join(entry.parentPath, entry.name));
      expect(bytes.includes(secret.split('\n')[1]!), entry.name).toBe(false);
    }
  });

  test('a server that shows another key gets nothing, until somebody confirms the new one', async () => {
    await using server = await SftpServer.start();
    await using box = await acquainted(server);
    expect((await box.runNow()).targets[0]!.failure).toBeNull();
    const before = await readdir(server.folder);
    await server.newHostKey();
    await server.restart();
    box.clock.set(box.clock.now() + 1000);
    const { targets } = await box.runNow();
    expect(targets[0]!.failure).toMatchObject({ code: 'host_key_changed', why: expect.stringContaining('find out') });
    expect(await readdir(server.folder)).toEqual(before);
    const seen = (await box.backups.sftp.check())!;
    expect(seen).toMatchObject({ failure: { code: 'host_key_changed' }, offered: { key: await server.hostKey() } });
    await box.backups.sftp.confirm(seen.offered!.key);
    expect((await box.runNow()).targets[0]!.failure).toBeNull();
  });

  test('the config names a host key, and nobody can confirm another', async () => {
    await using server = await SftpServer.start();
    await using box = await acquainted(server, { host_key: await server.hostKey() });
    expect(await box.backups.sftp.report()).toMatchObject({ isFixed: true });
    expect(await box.backups.sftp.confirm('ssh-ed25519 AAAA')).toBe(false);
    expect((await box.runNow()).targets[0]!.failure).toBeNull();
  });

  test('a line that is cut in the middle leaves no archive, and the next run writes a whole one', async () => {
    await using server = await SftpServer.start();
    await using line = await CutLine.to(server.port);
    await using box = await acquainted(server, { port: line.port });
    // A login takes some kilobytes; the archive has more than the rest.
    line.cutAfter(30_000);
    const { targets } = await box.runNow();
    expect(line.wasCut).toBe(true);
    expect(targets[0]!.failure).toMatchObject({ code: 'interrupted' });
    expect(await archives(server.folder)).toEqual([]);
    expect((await readdir(server.folder)).filter(name => name.endsWith('.part'))).toHaveLength(1);
    line.cutAfter(Number.POSITIVE_INFINITY);
    box.clock.set(box.clock.now() + 1000);
    expect((await box.runNow()).targets[0]!.failure).toBeNull();
    expect(await archives(server.folder)).toHaveLength(1);
    expect((await readdir(server.folder)).filter(name => name.endsWith('.part'))).toEqual([]);
  });

  test('old copies go, and files of others stay', async () => {
    await using server = await SftpServer.start();
    await using box = await acquainted(server);
    await box.backups.choose({ keep: { daily: 1, weekly: 1, monthly: 1 } });
    await writeFile(join(server.folder, 'gatehouse-00000000-2020-01-01T000000Z.gh'), 'of another box');
    await box.nextNight();
    await box.nextNight();
    expect(await readdir(server.folder)).toHaveLength(3);
    expect(await readdir(server.folder)).toContain('gatehouse-00000000-2020-01-01T000000Z.gh');
  });

  test.for([
    ['a name that nobody knows', { host: 'backup.invalid' }, 'unknown_host'],
    ['a port at which nothing listens', { port: 1 }, 'unreachable'],
    ['a folder that is not there', { folder: '/nowhere/at/all' }, 'no_folder'],
    ['a user that the server does not let in', { user: 'nobody-there' }, 'sftp_login_refused'],
  ] as const)('%s is named as what it is', async ([, wrong, code]) => {
    await using server = await SftpServer.start();
    await using box = await acquainted(server, wrong);
    expect((await box.runNow()).targets[0]!.failure).toMatchObject({ code });
    const { failure } = (await box.backups.sftp.check())!;
    expect(failure).toMatchObject({ code });
  });

  test('a server without SFTP says so', async () => {
    await using server = await SftpServer.start();
    server.hasSftp = false;
    await server.restart();
    await using box = await acquainted(server);
    expect((await box.runNow()).targets[0]!.failure).toMatchObject({ code: 'no_sftp' });
  });

  suiteWhere(SmallDisk.possible, 'needs root: it mounts a small disk', 'on a disk of its own', () => {
    test('a disk that is full at the server says so, keeps what was good, and leaves no half file', async () => {
      using disk = new SmallDisk(16);
      await using server = await SftpServer.start();
      await using box = await acquainted(server, { folder: disk.folder });
      await box.runNow();
      const good = await archives(disk.folder);
      expect(good).toHaveLength(1);
      await writeFile(join(disk.folder, 'film.mkv'), Buffer.alloc(20 << 20)).catch(() => {});
      box.clock.set(box.clock.now() + 1000);
      expect((await box.runNow()).targets[0]!.failure).toMatchObject({ code: expect.stringMatching(/^full/) });
      expect((await readdir(disk.folder)).filter(name => !name.endsWith('.json')).sort()).toEqual(
        [...good, 'film.mkv'].sort(),
      );
      await rm(join(disk.folder, 'film.mkv'));
      expect((await box.runNow()).targets[0]!.failure).toBeNull();
    });

    test('a disk that fills while the backup is written says so too', async () => {
      using disk = new SmallDisk(1);
      await using server = await SftpServer.start();
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-'));
      const { privateKey, publicKey } = newSshKeyPair('box');
      await server.authorize(publicKey);
      const keys = { privateKey, hostKey: await server.hostKey() };
      const settings = { ...server.settings, folder: disk.folder };
      const target = new SftpTarget(settings, async () => keys, { dataDir: folder, clock: new HandClock(0) });
      const { signal } = new AbortController();
      const file = join(folder, 'large');
      await writeFile(file, Buffer.alloc(3 << 20, 'x'));
      await using opened = await target.open(signal);
      await expect(opened.put(file, 'large', signal)).rejects.toMatchObject({ code: 'full' });
      expect(await readdir(disk.folder)).toEqual([]);
    });
  });
});
