import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { checkBackup, newRecoveryKey, openStore, restoreBackup } from '../../../src/store/index.ts';
import { backedUpTo, openedBackup, recovery, sealedBackup } from '../../support/backups.ts';
import { aProduct, applied, aStore } from '../../support/store.ts';
import { suiteNeeding } from '../../support/tools.ts';

const run = promisify(execFile);

/** A box with a secret in it, and a folder beside it. */
async function aBox() {
  const opened = await aStore();
  await applied(opened.store, { products: [aProduct()] });
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-backup-'));
  return {
    store: opened.store,
    options: opened.options,
    dataDir: opened.dataDir,
    folder,
    file: join(folder, 'box.gh'),
    restored: join(folder, 'restored'),
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const keyOfProduct = async (box: { options: object }, dataDir: string) => {
  await using store = await openStore({ ...(box.options as Parameters<typeof openStore>[0]), dataDir });
  return [...store.directory.products()].map(one => one.productKey);
};

test('a backup shows nothing of what it holds, and opens with its recovery key alone', async () => {
  await using box = await aBox();
  await backedUpTo(box.store, box.file);
  const bytes = await readFile(box.file);
  expect(bytes.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n-> X25519 /);
  for (const secret of [
    'GATEHOUSE',
    'SQLite',
    'seal.key',
    await readFile(join(box.dataDir, 'keys/seal.key'), 'latin1'),
  ])
    expect(bytes.includes(Buffer.from(secret, 'latin1')), secret).toBe(false);
  const { file, restored: dataDir } = box;
  await expect(restoreBackup({ file, dataDir })).rejects.toMatchObject({ code: 'needs_key' });
  const other = await newRecoveryKey();
  await expect(restoreBackup({ file, dataDir, key: other.key })).rejects.toMatchObject({ code: 'wrong_key' });
  await expect(restoreBackup({ file, dataDir, key: 'a passphrase' })).rejects.toMatchObject({ code: 'wrong_key' });
  await expect(restoreBackup({ file, dataDir, key: `${recovery.key}X` })).rejects.toMatchObject({ code: 'wrong_key' });
  // As a person types it, or as a file of age-keygen has it.
  await restoreBackup({ file, dataDir, key: `# made today\n${recovery.key.toLowerCase()}\n` });
  expect(await keyOfProduct(box, dataDir)).toEqual(['s3cret-of-the-product']);
});

test('a backup with a passphrase opens with it, and with no other', async () => {
  await using box = await aBox();
  const { file, restored: dataDir } = box;
  await box.store.backup({ to: { file }, lock: { passphrase: 'five words and 一个 rain' } });
  await expect(restoreBackup({ file, dataDir })).rejects.toMatchObject({
    code: 'needs_key',
    message: expect.stringContaining('--passphrase-file'),
  });
  await expect(restoreBackup({ file, dataDir, key: 'five words' })).rejects.toMatchObject({ code: 'wrong_key' });
  await restoreBackup({ file, dataDir, key: 'five words and 一个 rain' });
  expect(await keyOfProduct(box, dataDir)).toEqual(['s3cret-of-the-product']);
});

test('a backup from before an update opens on its own box without a person, and elsewhere with the recovery key alone', async () => {
  await using box = await aBox();
  const { file, dataDir } = box;
  await backedUpTo(box.store, file, { ownKeyToo: true });
  await box.store[Symbol.asyncDispose]();
  expect((await stat(join(dataDir, 'keys/before-update.key'))).mode & 0o777).toBe(0o600);
  expect(await restoreBackup({ file, dataDir })).toMatchObject({ environment: 'test' });
  await expect(restoreBackup({ file, dataDir: box.restored })).rejects.toMatchObject({ code: 'needs_key' });
  await restoreBackup({ file, dataDir: box.restored, key: recovery.key });
});

test('a backup that is not encrypted is none', async () => {
  await using box = await aBox();
  await backedUpTo(box.store, box.file);
  const plain = join(box.folder, 'plain.gh');
  await writeFile(plain, await openedBackup(box.file));
  await expect(restoreBackup({ file: plain, dataDir: box.restored })).rejects.toMatchObject({ code: 'no_backup' });
});

test('a backup writes over nothing, and into nothing that is the box’s own', async () => {
  await using box = await aBox();
  const { store, dataDir, folder } = box;
  const elsewhere = join(folder, 'link');
  await symlink(dataDir, elsewhere);
  await writeFile(join(folder, 'mine.txt'), 'mine');
  for (const [file, code] of [
    [join(dataDir, 'gatehouse.db'), 'bad_place'],
    [join(dataDir, 'keys/seal.key'), 'bad_place'],
    [join(dataDir, 'new.gh'), 'bad_place'],
    [join(dataDir, 'tls/../keys/x.gh'), 'bad_place'],
    [join(elsewhere, 'keys/x.gh'), 'bad_place'],
    [join(folder, 'mine.txt'), 'exists'],
    [join(folder, 'absent/box.gh'), 'no_folder'],
    ['/dev/null', 'exists'],
  ] as const)
    await expect(backedUpTo(store, file), file).rejects.toMatchObject({ name: 'BackupRefused', code });
  expect(await readFile(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
  for (const name of ['../x.gh', 'a/b', '.hidden', '', 'x'.repeat(101)])
    await expect(
      store.backup({ to: { name }, lock: { recipients: [recovery.recipient] } }),
      name,
    ).rejects.toMatchObject({ code: 'bad_place' });
  const named = { to: { name: 'monday.gh' }, lock: { recipients: [recovery.recipient] } };
  expect((await store.backup(named)).file).toBe(join(dataDir, 'backups/monday.gh'));
  await expect(store.backup(named)).rejects.toMatchObject({ code: 'exists' });
  expect((await readdir(dataDir)).filter(name => name.startsWith('.transfer'))).toEqual([]);
});

test('the folder of a backup never sees what is not encrypted', async () => {
  await using box = await aBox();
  const written = backedUpTo(box.store, box.file);
  const seen = new Set<string>();
  for (let done = false; !done; ) {
    done = await Promise.race([written.then(() => true), new Promise<false>(resolve => setImmediate(resolve, false))]);
    for (const entry of await readdir(box.folder, { recursive: true }))
      seen.add(entry.replace(/backup-\w+/, 'backup-'));
  }
  expect([...seen].sort()).toEqual(expect.arrayContaining(['box.gh']));
  expect([...seen].filter(name => name.endsWith('.db') || name.endsWith('.key'))).toEqual([]);
});

/** A backup whose archive was changed by somebody who knows the public half of the recovery key. */
async function changed(box: Awaited<ReturnType<typeof aBox>>, change: (folder: string) => Promise<void> | void) {
  await backedUpTo(box.store, box.file);
  const plain = await openedBackup(box.file);
  const text = plain.toString('latin1');
  const lineEnd = text.indexOf('\n', 19);
  const length = Number(text.slice(19, lineEnd));
  const manifest = JSON.parse(plain.toString('utf8', lineEnd + 1, lineEnd + 1 + length));
  const folder = await mkdtemp(join(box.folder, 'parts-'));
  let at = lineEnd + 1 + length + 65;
  for (const { name, bytes } of manifest.parts) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), plain.subarray(at, at + bytes));
    at += bytes;
  }
  await change(folder);
  const parts: { name: string; bytes: number; sha256: string }[] = [];
  const contents: Buffer[] = [];
  const names: string[] = JSON.parse(
    await readFile(join(folder, 'names.json'), 'utf8').catch(() =>
      JSON.stringify(manifest.parts.map((one: { name: string }) => one.name)),
    ),
  );
  for (const name of names) {
    const content = await readFile(join(folder, name.replaceAll('..', 'up'))).catch(() => Buffer.from('x'));
    parts.push({ name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') });
    contents.push(content);
  }
  const json = Buffer.from(JSON.stringify({ ...manifest, parts }));
  const head = `GATEHOUSE BACKUP 1\n${json.length}\n`;
  const sum = `${createHash('sha256').update(json).digest('hex')}\n`;
  await rm(box.file);
  await sealedBackup(box.file, Buffer.concat([Buffer.from(head), json, Buffer.from(sum), ...contents]));
  return restoreBackup({ file: box.file, dataDir: box.restored, key: recovery.key });
}

const inDatabase = (sql: string) => (folder: string) => {
  const database = new DatabaseSync(join(folder, 'gatehouse.db'));
  database.exec(sql);
  database.close();
};

test.each([
  ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM audit_entry; END', /there is a trigger t/],
  ['a view', 'CREATE VIEW v AS SELECT * FROM meta', /there is a view v/],
  ['a table of somebody else', 'CREATE TABLE extra (a)', /there is a table extra/],
  ['an index of somebody else', 'CREATE INDEX i ON meta (value)', /there is a index i/],
  ['a column that computes', 'ALTER TABLE meta ADD x AS (upper(value))', /the table meta was changed/],
  ['a table less', 'DROP TABLE audit_entry', /audit_entry is missing/],
  [
    'a trigger and the word that it is newer',
    'CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM audit_entry; END; PRAGMA user_version = 9999',
    /trigger t/,
  ],
  ['a view and the word that it is newer', 'CREATE VIEW v AS SELECT 1; PRAGMA user_version = 9999', /view v/],
])('a backup whose database has %s is refused', async (_what, sql, why) => {
  await using box = await aBox();
  await expect(changed(box, inDatabase(sql))).rejects.toMatchObject({
    code: 'foreign',
    message: expect.stringMatching(why),
  });
  await expect(stat(join(box.restored, 'gatehouse.db'))).rejects.toThrow();
});

test('a backup with the key of another store is refused', async () => {
  await using box = await aBox();
  const other = (folder: string) => writeFile(join(folder, 'keys/seal.key'), Buffer.alloc(32, 7));
  await expect(changed(box, other)).rejects.toMatchObject({
    code: 'foreign',
    message: expect.stringContaining('seal.key does not open its database'),
  });
});

test.each([
  'keys/..',
  'keys/../../x',
  '../outside',
  'keys/authorized_keys',
  'files/ab/../../gatehouse.db',
  'owner.lock',
  'gatehouse.db',
])('a backup that holds %s twice or at all is refused', async name => {
  await using box = await aBox();
  const named = (folder: string) =>
    writeFile(join(folder, 'names.json'), JSON.stringify(['gatehouse.db', 'keys/seal.key', name]));
  await expect(changed(box, named)).rejects.toMatchObject({
    code: 'foreign',
    message: expect.stringContaining('does not belong'),
  });
});

test('a backup without its keys is refused', async () => {
  await using box = await aBox();
  const named = (folder: string) => writeFile(join(folder, 'names.json'), '["gatehouse.db"]');
  await expect(changed(box, named)).rejects.toThrow('holds no keys/seal.key');
});

test('a file that only looks encrypted is refused without being read into memory', async () => {
  await using box = await aBox();
  await writeFile(box.file, `age-encryption.org/v1\n-> X25519 ${'A'.repeat(96 << 20)}`);
  const before = process.memoryUsage().rss;
  const checked = checkBackup({ file: box.file, folder: box.folder, dataDir: null, key: recovery.key });
  await expect(checked).rejects.toMatchObject({ code: 'damaged' });
  expect(process.memoryUsage().rss - before).toBeLessThan(48 << 20);
});

test('files of the public services are in a backup when they are asked for; else it says how large they are', async () => {
  await using box = await aBox();
  const { dataDir, store, folder } = box;
  await mkdir(join(dataDir, 'files/a1'), { recursive: true });
  await mkdir(join(dataDir, 'files/incoming'), { recursive: true });
  await writeFile(join(dataDir, 'files/a1/F00A1'), 'x'.repeat(1000));
  await writeFile(join(dataDir, 'files/incoming/half'), 'half');
  await mkdir(join(dataDir, 'packages'));
  await writeFile(join(dataDir, 'packages/panel-1.0'), 'x'.repeat(500));
  await mkdir(join(dataDir, 'tls'));
  // It opens recorded sessions, and a restored box makes a new one: left out without a word.
  await writeFile(join(dataDir, 'tls/tickets.key'), 'the key of the day');
  await writeFile(join(dataDir, 'tls/mine.pem'), 'mine');
  expect((await backedUpTo(store, box.file)).left_out).toEqual({
    files: 1004,
    speech: 0,
    packages: 500,
    unknown: ['tls/mine.pem'],
  });
  const file = join(folder, 'with-files.gh');
  expect((await backedUpTo(store, file, { withFiles: true })).left_out).toMatchObject({ files: 0, packages: 500 });
  await restoreBackup({ file, dataDir: box.restored, key: recovery.key });
  expect(await readdir(join(box.restored, 'files'), { recursive: true })).toEqual(['a1', 'a1/F00A1']);
  expect(await readFile(join(box.restored, 'files/a1/F00A1'), 'utf8')).toHaveLength(1000);
});

test('the daily statements are in every backup, and a restore replaces those that are there', async () => {
  await using box = await aBox();
  const statement = (dataDir: string, day: string) => join(dataDir, 'statements', `${day}.ndjson`);
  await mkdir(join(box.dataDir, 'statements'));
  await writeFile(statement(box.dataDir, '2026-11-20'), 'of the 20th\n');
  await backedUpTo(box.store, box.file);
  await mkdir(join(box.restored, 'statements'), { recursive: true });
  await writeFile(statement(box.restored, '2026-11-21'), 'of another store\n');
  await restoreBackup({ file: box.file, dataDir: box.restored, key: recovery.key });
  expect(await readdir(join(box.restored, 'statements'))).toEqual(['2026-11-20.ndjson']);
  expect(await readFile(statement(box.restored, '2026-11-20'), 'utf8')).toBe('of the 20th\n');
});

test('a large backup is written and read through a few pieces of memory', async () => {
  await using box = await aBox();
  const megabytes = 192;
  await mkdir(join(box.dataDir, 'files/bb'), { recursive: true });
  await writeFile(join(box.dataDir, 'files/bb/LARGE'), Buffer.alloc(megabytes << 20, 1));
  let most = 0;
  global.gc?.();
  const before = process.memoryUsage().rss;
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss - before);
  }, 5);
  try {
    const written = await backedUpTo(box.store, box.file, { withFiles: true });
    expect(written.bytes).toBeGreaterThan(megabytes << 20);
    await restoreBackup({ file: box.file, dataDir: box.restored, key: recovery.key });
  } finally {
    clearInterval(look);
  }
  expect((await stat(join(box.restored, 'files/bb/LARGE'))).size).toBe(megabytes << 20);
  expect(most / (1 << 20)).toBeLessThan(megabytes / 2);
});

suiteNeeding('age', 'age', 'the age program', () => {
  test('opens a backup with the recovery key, and makes one that a box restores', async () => {
    await using box = await aBox();
    await backedUpTo(box.store, box.file);
    const keyFile = join(box.folder, 'key.txt');
    await writeFile(keyFile, `${recovery.key}\n`);
    const plain = join(box.folder, 'plain');
    await run('age', ['-d', '-i', keyFile, '-o', plain, box.file]);
    expect((await readFile(plain)).equals(await openedBackup(box.file))).toBe(true);
    const again = join(box.folder, 'again.gh');
    await run('age', ['-r', recovery.recipient, '-o', again, plain]);
    await restoreBackup({ file: again, dataDir: box.restored, key: recovery.key });
    expect(await keyOfProduct(box, box.restored)).toEqual(['s3cret-of-the-product']);
  });
});
