import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { noteInDatabase } from './audit/write.ts';
import { databaseFile } from './database.ts';
import { isTooNew, oldestWriterOf, schemaVersion, versionOf } from './migrate.ts';
import { own } from './ownership.ts';
import { finishReset } from './reset.ts';
import type { AuditNote } from './staff-port.ts';
import { clearStaging, commitRestore, finishRestore, layRestoreReady, stagingPrefix } from './staged-restore.ts';

/**
 * A backup is one file:
 *
 *     "GATEHOUSE BACKUP 1\n"
 *     manifest length in decimal, "\n"
 *     manifest: JSON {created_at, environment, schema_version, oldest_schema_version, parts: [{name, bytes, sha256}]}
 *     sha256 of the manifest in hex, "\n"
 *     the parts, one after another
 *
 * Part names are paths in the data directory: gatehouse.db, keys/…, tls/….
 */
const magic = 'GATEHOUSE BACKUP 1\n';
const folders = ['keys', 'tls'];

interface Part {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface Manifest {
  readonly created_at: number;
  readonly environment: string;
  readonly schema_version: number;
  /** The oldest program that may restore it; backups of older programs do not say it. */
  readonly oldest_schema_version?: number;
  readonly parts: readonly Part[];
}

/** The backup is refused whole: nothing was touched. */
export class BackupRefused extends Error {
  /** A word for a page, which says it in its reader's language. */
  readonly code: 'unreadable' | 'no_backup' | 'damaged' | 'newer' | 'environment';
  /** Without the name of the file. */
  readonly reason: string;

  constructor(file: string, code: BackupRefused['code'], reason: string) {
    super(`${file}: ${reason}`);
    this.name = 'BackupRefused';
    this.code = code;
    this.reason = reason;
  }
}

const sha256Of = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
};

/** Writes everything of a data directory into `file`, while a box is running on it: the database is copied page by page in steps. */
export async function writeBackup(
  dataDir: string,
  file: string,
  about: { readonly createdAt: number; readonly environment: string },
): Promise<{ bytes: number }> {
  const work = await mkdtemp(join(dirname(file), '.gatehouse-backup-'));
  try {
    const copy = join(work, 'gatehouse.db');
    await copySnapshot(dataDir, copy);
    const sources = [{ name: 'gatehouse.db', path: copy }];
    for (const folder of folders)
      for (const name of await readdir(join(dataDir, folder)).catch(() => []))
        sources.push({ name: `${folder}/${name}`, path: join(dataDir, folder, name) });
    const parts: Part[] = [];
    for (const { name, path } of sources)
      parts.push({ name, bytes: (await stat(path)).size, sha256: await sha256Of(path) });
    const manifest: Manifest = {
      created_at: about.createdAt,
      environment: about.environment,
      ...schemaOf(copy),
      parts,
    };
    const json = JSON.stringify(manifest);
    const head = `${magic}${Buffer.byteLength(json)}\n${json}${createHash('sha256').update(json).digest('hex')}\n`;
    const whole = join(work, 'whole');
    const handle = await open(whole, 'wx', 0o600);
    await handle.write(head);
    await handle.close();
    for (const { path } of sources) await pipeline(createReadStream(path), createWriteStream(whole, { flags: 'a' }));
    const synced = await open(whole, 'r+');
    await synced.sync();
    await synced.close();
    await rename(whole, file);
    return { bytes: (await stat(file)).size };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function schemaOf(databasePath: string) {
  const database = new DatabaseSync(databasePath, { readOnly: true });
  try {
    return { schema_version: versionOf(database), oldest_schema_version: oldestWriterOf(database) };
  } finally {
    database.close();
  }
}

/** From a read transaction of its own: a copy outside of one begins anew with every commit, and on a busy box never ends. */
async function copySnapshot(dataDir: string, copy: string): Promise<void> {
  const source = new DatabaseSync(databaseFile(dataDir), { readOnly: true, timeout: 5000 });
  try {
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM meta').get();
    await copyDatabase(source, copy, { rate: 256 });
  } finally {
    source.close();
  }
}

/** Reads the head of a backup and checks its form; the parts follow at `offset`. */
async function readManifest(file: string): Promise<{ manifest: Manifest; offset: number }> {
  const handle = await open(file, 'r').catch(error => {
    throw new BackupRefused(file, 'unreadable', `cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  });
  try {
    const start = Buffer.alloc(1 << 20);
    const { bytesRead } = await handle.read(start, 0, start.length, 0);
    const text = start.toString('latin1', 0, bytesRead);
    if (!text.startsWith(magic)) throw new BackupRefused(file, 'no_backup', 'is no backup of Gatehouse');
    const lineEnd = text.indexOf('\n', magic.length);
    const length = Number(text.slice(magic.length, lineEnd));
    const jsonStart = lineEnd + 1;
    const offset = jsonStart + length + 65;
    const json = start.subarray(jsonStart, jsonStart + length);
    const damaged = new BackupRefused(file, 'damaged', 'is damaged in its first bytes: take another backup');
    if (!Number.isSafeInteger(length) || offset > bytesRead) throw damaged;
    if (text.slice(jsonStart + length, offset) !== `${createHash('sha256').update(json).digest('hex')}\n`)
      throw damaged;
    return { manifest: JSON.parse(json.toString('utf8')), offset };
  } finally {
    await handle.close();
  }
}

/** The head of a backup that this program can read, and whose length is right. */
async function readWhole(file: string): Promise<{ manifest: Manifest; offset: number }> {
  const { manifest, offset } = await readManifest(file);
  if ((manifest.oldest_schema_version ?? manifest.schema_version) > schemaVersion)
    throw new BackupRefused(
      file,
      'newer',
      'was made by a newer Gatehouse: update this one first (`gatehouse version`)',
    );
  const size = (await stat(file)).size;
  const expected = manifest.parts.reduce((sum, part) => sum + part.bytes, offset);
  if (size !== expected)
    throw new BackupRefused(
      file,
      'damaged',
      `has ${size} bytes and should have ${expected}: it was cut or added to; take another backup`,
    );
  return { manifest, offset };
}

/** Writes the whole new set into `work` and checks every byte of it. */
async function unpack(file: string, { manifest, offset }: { manifest: Manifest; offset: number }, work: string) {
  // A folder that the backup has nothing for is replaced too, by an empty one.
  for (const folder of folders) await mkdir(join(work, folder), { mode: 0o700 });
  let at = offset;
  for (const part of manifest.parts) {
    if (!/^(gatehouse\.db|(keys|tls)\/[\w.-]+)$/.test(part.name))
      throw new BackupRefused(file, 'damaged', `holds "${part.name}", which does not belong there`);
    const target = join(work, part.name);
    if (part.bytes > 0)
      await pipeline(
        createReadStream(file, { start: at, end: at + part.bytes - 1 }),
        createWriteStream(target, { mode: 0o600, flush: true }),
      );
    if (part.bytes === 0 || (await sha256Of(target)) !== part.sha256)
      throw new BackupRefused(file, 'damaged', `is damaged in its part ${part.name}: take another backup`);
    at += part.bytes;
  }
  renewEpoch(join(work, 'gatehouse.db'), file);
  await chmod(join(work, 'gatehouse.db'), 0o600);
}

/**
 * Puts a backup in place of what a stopped box holds. Refuses (BackupRefused) a file that is damaged anywhere, cut, or of a newer program, before anything is touched.
 * At any moment either the old or the new set is whole, and an interrupted restore is finished by the next start or restore (staged-restore.ts).
 * The store gets a new batch epoch: what a box above had from the old one is not taken for the new one's.
 */
export async function restoreBackup(options: {
  readonly file: string;
  readonly dataDir: string;
}): Promise<{ createdAt: number; environment: string }> {
  const { file, dataDir } = options;
  const head = await readWhole(file);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  using _owner = own(dataDir);
  // One that was asked for is of what was there before.
  finishReset(dataDir);
  finishRestore(dataDir);
  clearStaging(dataDir);
  const work = await mkdtemp(join(dataDir, stagingPrefix));
  try {
    await unpack(file, head, work);
    commitRestore(dataDir, work);
    return { createdAt: head.manifest.created_at, environment: head.manifest.environment };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Reads a whole backup and checks every byte of it, beside a store that may be in use. Throws BackupRefused. */
export async function checkBackup(options: {
  readonly file: string;
  /** Has room for what is in the backup while it is looked at. */
  readonly folder: string;
}): Promise<{ createdAt: number; environment: string }> {
  const { file, folder } = options;
  const head = await readWhole(file);
  const work = await mkdtemp(join(folder, '.gatehouse-check-'));
  try {
    await unpack(file, head, work);
    return { createdAt: head.manifest.created_at, environment: head.manifest.environment };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * The same for a box that runs: the file is checked as a whole and laid ready, and the next start moves it in. What the box writes until then is lost.
 * `environment` is the box's: it would not start with a store of the other. `note` goes into the log of the restored box, where it knows one.
 */
export async function stageRestore(options: {
  readonly file: string;
  readonly dataDir: string;
  readonly environment: string;
  readonly note: AuditNote & { readonly at: number };
}): Promise<{ createdAt: number }> {
  const { file, dataDir, environment, note } = options;
  const head = await readWhole(file);
  const { manifest } = head;
  if (manifest.environment !== environment)
    throw new BackupRefused(
      file,
      'environment',
      `was made in environment ${manifest.environment}, and this box runs in ${environment}`,
    );
  const work = await mkdtemp(join(dataDir, stagingPrefix));
  try {
    await unpack(file, head, work);
    noteRestore(join(work, 'gatehouse.db'), note, manifest.created_at);
    layRestoreReady(dataDir, work);
    return { createdAt: manifest.created_at };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** In the log, where the backup is not from before there was one; and that there is this backup. */
function noteRestore(databasePath: string, entry: AuditNote & { readonly at: number }, createdAt: number): void {
  const database = new DatabaseSync(databasePath);
  try {
    if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'audit_entry'").get()) return;
    database
      .prepare("INSERT OR REPLACE INTO remembered (service, key, value, at) VALUES ('box', 'last backup', '', ?)")
      .run(createdAt);
    noteInDatabase(database, entry);
  } finally {
    database.close();
  }
}

function renewEpoch(databasePath: string, file: string): void {
  const database = new DatabaseSync(databasePath);
  try {
    if (isTooNew(database))
      throw new BackupRefused(file, 'newer', 'was made by a newer Gatehouse: update this one first');
    const { quick_check } = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
    if (quick_check !== 'ok') throw new BackupRefused(file, 'damaged', `holds a damaged database: ${quick_check}`);
    database
      .prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('epoch', ?)")
      .run(randomBytes(16).toString('hex'));
  } finally {
    database.close();
  }
}
