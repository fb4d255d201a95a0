import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { databaseFile } from './database.ts';
import { schemaVersion, versionOf } from './migrate.ts';
import { own } from './ownership.ts';
import { clearStaging, commitRestore, finishRestore, stagingPrefix } from './staged-restore.ts';

/**
 * A backup is one file:
 *
 *     "GATEHOUSE BACKUP 1\n"
 *     manifest length in decimal, "\n"
 *     manifest: JSON {created_at, environment, schema_version, parts: [{name, bytes, sha256}]}
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
  readonly parts: readonly Part[];
}

/** The backup is refused whole: nothing was touched. */
export class BackupRefused extends Error {
  constructor(file: string, reason: string) {
    super(`${file}: ${reason}`);
    this.name = 'BackupRefused';
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
      schema_version: schemaVersion,
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
    throw new BackupRefused(file, `cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  });
  try {
    const start = Buffer.alloc(1 << 20);
    const { bytesRead } = await handle.read(start, 0, start.length, 0);
    const text = start.toString('latin1', 0, bytesRead);
    if (!text.startsWith(magic)) throw new BackupRefused(file, 'is no backup of Gatehouse');
    const lineEnd = text.indexOf('\n', magic.length);
    const length = Number(text.slice(magic.length, lineEnd));
    const jsonStart = lineEnd + 1;
    const offset = jsonStart + length + 65;
    const json = start.subarray(jsonStart, jsonStart + length);
    const damaged = new BackupRefused(file, 'is damaged in its first bytes: take another backup');
    if (!Number.isSafeInteger(length) || offset > bytesRead) throw damaged;
    if (text.slice(jsonStart + length, offset) !== `${createHash('sha256').update(json).digest('hex')}\n`)
      throw damaged;
    return { manifest: JSON.parse(json.toString('utf8')), offset };
  } finally {
    await handle.close();
  }
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
  const { manifest, offset } = await readManifest(file);
  if (manifest.schema_version > schemaVersion)
    throw new BackupRefused(file, 'was made by a newer Gatehouse: update this one first (`gatehouse version`)');
  const size = (await stat(file)).size;
  const expected = manifest.parts.reduce((sum, part) => sum + part.bytes, offset);
  if (size !== expected)
    throw new BackupRefused(
      file,
      `has ${size} bytes and should have ${expected}: it was cut or added to; take another backup`,
    );
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  using _owner = own(dataDir);
  finishRestore(dataDir);
  clearStaging(dataDir);
  const work = await mkdtemp(join(dataDir, stagingPrefix));
  try {
    // A folder that the backup has nothing for is replaced too, by an empty one.
    for (const folder of folders) await mkdir(join(work, folder), { mode: 0o700 });
    let at = offset;
    for (const part of manifest.parts) {
      if (!/^(gatehouse\.db|(keys|tls)\/[\w.-]+)$/.test(part.name))
        throw new BackupRefused(file, `holds "${part.name}", which does not belong there`);
      const target = join(work, part.name);
      if (part.bytes > 0)
        await pipeline(
          createReadStream(file, { start: at, end: at + part.bytes - 1 }),
          createWriteStream(target, { mode: 0o600, flush: true }),
        );
      if (part.bytes === 0 || (await sha256Of(target)) !== part.sha256)
        throw new BackupRefused(file, `is damaged in its part ${part.name}: take another backup`);
      at += part.bytes;
    }
    renewEpoch(join(work, 'gatehouse.db'), file);
    await chmod(join(work, 'gatehouse.db'), 0o600);
    commitRestore(dataDir, work);
    return { createdAt: manifest.created_at, environment: manifest.environment };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function renewEpoch(databasePath: string, file: string): void {
  const database = new DatabaseSync(databasePath);
  try {
    if (versionOf(database) > schemaVersion)
      throw new BackupRefused(file, 'was made by a newer Gatehouse: update this one first');
    const { quick_check } = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
    if (quick_check !== 'ok') throw new BackupRefused(file, `holds a damaged database: ${quick_check}`);
    database.prepare("INSERT OR REPLACE INTO meta VALUES ('epoch', ?)").run(randomBytes(16).toString('hex'));
  } finally {
    database.close();
  }
}
