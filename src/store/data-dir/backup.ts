import { createWriteStream, readdirSync } from 'node:fs';
import { chmod, link, mkdir, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Log } from '../../runtime/log.ts';
import { databaseFile } from '../schema/database.ts';
import { isReadFailure } from '../schema/engine-failures.ts';
import {
  archive,
  BackupRefused,
  isKnownName,
  type Manifest,
  type Part,
  partOf,
  replacedFolders,
} from './backup-archive.ts';
import { type BackupLock, encrypted, ownRecipient } from './backup-encryption.ts';
import { backupTarget, moveInto, namedTarget } from './backup-target.ts';
import { examined } from './examiner.ts';

export interface BackupRequest {
  /**
   * An absolute path; a name in the backup folder of the data directory; or what somebody else
   * writes away, opened once it is known what is left out.
   */
  readonly to: { readonly file: string } | { readonly name: string } | BackupSink;
  readonly lock: BackupLock;
  /**
   * Lets the box restore it without a person: for backups that stay beside its keys
   * (docs/decisions/backups.md).
   */
  readonly ownKeyToo?: boolean;
  /** With the files of the public services, which may be larger than everything else. */
  readonly withFiles?: boolean;
}

/** Parts that the backup leaves out, in bytes. */
interface LeftOut {
  readonly files: number;
  readonly speech: number;
  readonly packages: number;
  /** Files beside the box's own keys and certificates, by name. */
  readonly unknown: readonly string[];
}

interface BackupSink {
  open(leftOut: LeftOut): Writable;
}

export interface BackupWritten {
  /** Empty: somebody else writes it. */
  readonly file: string;
  readonly bytes: number;
  readonly left_out: LeftOut;
}

/** Disk space that a backup leaves free for the store. */
const leaveBytes = 96 << 20;
/** Working files in the data directory; the next start deletes those that a power cut left. */
export const workPrefix = '.transfer-';

/**
 * Writes everything of a data directory into one encrypted file, while a box is running on it: the
 * database is copied page by page in steps. The unencrypted copy stays in the data directory; only
 * encrypted data are written to the target's folder (a stick, a share). Throws BackupRefused if the
 * target cannot be written; nothing is ever overwritten.
 */
export async function writeBackup(
  dataDir: string,
  { to, lock, ownKeyToo = false, withFiles = false }: BackupRequest,
  about: { readonly createdAt: number; readonly environment: string },
): Promise<BackupWritten> {
  const wanted = 'open' in to ? null : 'name' in to ? await namedTarget(dataDir, to.name) : resolve(to.file);
  const target = wanted && (await backupTarget(dataDir, wanted));
  await needRoom(dataDir, target);
  const work = await mkdtemp(join(dataDir, `${workPrefix}backup-`));
  try {
    const copy = join(work, 'gatehouse.db');
    await copySnapshot(dataDir, copy).catch(error => {
      if (!isReadFailure(error)) throw error;
      const why = `the disk cannot be read in places (${(error as Error).message}), so that there is no backup: copy the card with ddrescue and start a box on the copy`;
      throw new BackupRefused(target ?? dataDir, 'store_unreadable', why);
    });
    const facts = await examined({ kind: 'facts', database: copy });
    const recipients = [...(lock.recipients ?? []), ...(ownKeyToo ? [await ownRecipient(dataDir)] : [])];
    const { parts, unknown } = await partsOf(dataDir, work, withFiles);
    const manifest: Manifest = {
      created_at: about.createdAt,
      environment: about.environment,
      schema_version: facts.schemaVersion,
      oldest_schema_version: facts.oldestSchemaVersion,
      counts: facts.counts,
      parts,
    };
    const plain = archive(manifest, name =>
      name === 'gatehouse.db' || isHeld(name) ? join(work, name) : join(dataDir, name),
    );
    const stream = await encrypted(plain, lock.passphrase === undefined ? { recipients } : lock);
    const [files, speech, packages] = await Promise.all(
      ['files', 'speech', 'packages'].map(name => bytesUnder(join(dataDir, name))),
    );
    const left_out = { files: withFiles ? 0 : files!, speech: speech!, packages: packages!, unknown };
    if ('open' in to) return { file: '', bytes: await written(stream, to.open(left_out)), left_out };
    await writeWhole(stream, target!);
    return { file: wanted!, bytes: (await stat(target!)).size, left_out };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Resolves with the bytes once all are taken. */
async function written(stream: AsyncIterable<Uint8Array>, sink: Writable): Promise<number> {
  let bytes = 0;
  const counted = async function* () {
    for await (const piece of stream) {
      bytes += piece.length;
      yield piece;
    }
  };
  await pipeline(counted, sink);
  return bytes;
}

/** Writes under a temporary name in the target's folder until the file is complete and on disk. */
async function writeWhole(stream: AsyncIterable<Uint8Array>, target: string): Promise<void> {
  const staging = await mkdtemp(join(dirname(target), '.gatehouse-backup-')).catch((error: NodeJS.ErrnoException) => {
    const why = `${dirname(target)} cannot be written (${error.code}): choose a folder that the user of the box may write to`;
    throw new BackupRefused(target, 'no_folder', why);
  });
  try {
    const whole = join(staging, 'whole');
    await pipeline(stream, createWriteStream(whole, { mode: 0o600, flush: true }));
    await moveInto(whole, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw new BackupRefused(target, 'no_room', 'the disk is full: choose another, or make room');
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** For the copy beside the store, and for the file that is made of it, where that is ours. */
async function needRoom(dataDir: string, target: string | null): Promise<void> {
  const database = databaseFile(dataDir);
  const sizes = [database, `${database}-wal`].map(file =>
    stat(file).then(
      one => one.size,
      () => 0,
    ),
  );
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  const folder = target === null ? null : dirname(target);
  const isHere = folder !== null && (await stat(folder)).dev === (await stat(dataDir)).dev;
  const needs: [folder: string, bytes: number][] = [[dataDir, bytes * (isHere ? 2 : 1) + leaveBytes]];
  if (folder !== null) needs.push([folder, bytes]);
  for (const [folder, needed] of needs) {
    const { bavail, bsize } = await statfs(folder);
    if (needed > bavail * bsize)
      throw new BackupRefused(
        target ?? dataDir,
        'no_room',
        `this needs ${Math.ceil(needed / 1_000_000)} MB of free disk in ${folder}, and there are ${Math.floor((bavail * bsize) / 1_000_000)} MB`,
      );
  }
}

/**
 * Opens recorded TLS 1.2 sessions, and a restored box makes a new one: it must not outlive its day.
 */
const ticketKeyFile = 'tls/tickets.key';

async function partsOf(dataDir: string, work: string, withFiles: boolean) {
  const parts: Part[] = [await partOf('gatehouse.db', join(work, 'gatehouse.db'))];
  const unknown: string[] = [];
  for (const folder of replacedFolders)
    for (const entry of await readdir(join(dataDir, folder), { withFileTypes: true }).catch(() => [])) {
      const name = `${folder}/${entry.name}`;
      if (name === ticketKeyFile) continue;
      if (!entry.isFile() || !isKnownName(name)) unknown.push(name);
      else if (!isHeld(name)) parts.push(await partOf(name, join(dataDir, name)));
      else if (await hold(dataDir, work, name)) parts.push(await partOf(name, join(work, name)));
    }
  if (withFiles)
    for (const name of await filesOf(dataDir))
      if (await hold(dataDir, work, name)) parts.push(await partOf(name, join(work, name)));
  return { parts, unknown };
}

/** Retention may remove these while they are read. */
const isHeld = (name: string): boolean => /^(files|statements)\//.test(name);

/**
 * A hard link keeps the bytes, even if the file is deleted meanwhile. False: it was deleted before.
 */
async function hold(dataDir: string, work: string, name: string): Promise<boolean> {
  const held = join(work, name);
  await mkdir(dirname(held), { recursive: true, mode: 0o700 });
  return link(join(dataDir, name), held).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

async function filesOf(dataDir: string): Promise<string[]> {
  const found = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter(entry => entry.isFile())
    .map(entry => `files/${basename(entry.parentPath)}/${entry.name}`)
    .filter(isKnownName);
}

async function bytesUnder(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  return bytes;
}

/**
 * Copies within a read transaction: otherwise the copy would start over with every commit, and
 * never end on a busy box.
 */
async function copySnapshot(dataDir: string, copy: string): Promise<void> {
  const source = new DatabaseSync(databaseFile(dataDir), { readOnly: true, timeout: 5000 });
  try {
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM meta').get();
    await copyDatabase(source, copy, { rate: 256 });
    await chmod(copy, 0o600);
  } finally {
    source.close();
  }
}

/**
 * Deletes what backups and transfers were working on when the program ended, such as a copy of the
 * database. Goes on after it returns; what is begun from now on is not touched.
 */
export function clearLeftWork(dataDir: string, log: Log): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(workPrefix))
      rm(join(dataDir, name), { recursive: true, force: true }).catch(error =>
        log.warn({ error: String(error) }, 'temporary_files_not_deleted'),
      );
}
