import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncPath } from '../../runtime/sync-path.ts';
import { type AuditNote, appendAudit } from '../domains/audit/entries.ts';
import { schemaVersion } from '../schema/migrate.ts';
import { ArchiveReader, BackupRefused, type Manifest } from './backup-archive.ts';
import { type BackupKey, decrypted } from './backup-encryption.ts';
import { type DatabaseFacts, examined } from './examiner.ts';
import { own } from './ownership.ts';
import { type NewerData, newerDataIn, numbersGivenIn } from './replaced-store.ts';
import { finishReset } from './reset.ts';

/**
 * A restore replaces several names, and the power may fail between any two. So the new set is
 * written completely into a folder beside the old one, synced, and declared valid by one rename to
 * `.restore-ready`. Before that rename the old set is untouched; after it the new set is the store,
 * and the next process that opens the directory continues moving it in where it stopped.
 */
const stagingPrefix = '.restore-';
const readyFolder = (dataDir: string): string => join(dataDir, `${stagingPrefix}ready`);

const oldFolder = (dataDir: string): string => join(dataDir, `${stagingPrefix}old`);
/** The set that the last restore replaced, until the next one or a reset. */
const keptFolder = (dataDir: string): string => join(dataDir, 'before-restore');

export const isRestoreUnfinished = (dataDir: string): boolean => existsSync(readyFolder(dataDir));

/** The point of no return: `staging` is in `dataDir` and holds the complete new set. */
function commitRestore(dataDir: string, staging: string): void {
  layRestoreReady(dataDir, staging);
  finishRestore(dataDir);
}

/** Stages a restore up to the point of no return: the next start moves it in. */
function layRestoreReady(dataDir: string, staging: string): void {
  for (const entry of readdirSync(staging, { recursive: true, withFileTypes: true }))
    syncPath(join(entry.parentPath, entry.name));
  syncPath(staging);
  renameSync(staging, readyFolder(dataDir));
  syncPath(dataDir);
}

/** The keys first: a database is never in place without the keys that open it. */
const order = ['keys', 'tls', 'files', 'statements', 'gatehouse.db'];

/**
 * Moves in the rest of a committed restore. The power may fail after any step, and every step can
 * be repeated. The old set is moved aside, and kept when all new names are in place and synced.
 * `step` is called after each step.
 */
export function finishRestore(dataDir: string, step: () => void = () => {}): void {
  const old = oldFolder(dataDir);
  if (isRestoreUnfinished(dataDir)) {
    const ready = readyFolder(dataDir);
    mkdirSync(old, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(ready).sort((a, b) => order.indexOf(a) - order.indexOf(b))) {
      const place = join(dataDir, name);
      // SQLite would apply the old database's log to the new one, so it goes before that comes.
      const logs = name === 'gatehouse.db' ? ['-wal', '-shm', '-journal'].map(suffix => `${name}${suffix}`) : [];
      for (const one of [name, ...logs]) {
        if (!existsSync(join(dataDir, one))) continue;
        rmSync(join(old, one), { recursive: true, force: true });
        renameSync(join(dataDir, one), join(old, one));
      }
      syncPath(old);
      syncPath(dataDir);
      step();
      renameSync(join(ready, name), place);
      syncPath(dataDir);
      step();
    }
    rmdirSync(ready);
    syncPath(dataDir);
    step();
  }
  if (!existsSync(old)) return;
  const kept = keptFolder(dataDir);
  rmSync(kept, { recursive: true, force: true });
  if (readdirSync(old).length === 0) rmdirSync(old);
  else renameSync(old, kept);
  syncPath(dataDir);
}

/** Deletes what interrupted attempts have left behind before their commit. */
function clearStaging(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(stagingPrefix)) rmSync(join(dataDir, name), { recursive: true, force: true });
}

interface Source extends BackupKey {
  readonly file: string;
}

/**
 * Decrypts everything into `work` and checks every byte. `look` may refuse the backup by its
 * manifest before that.
 */
async function unpack(
  { file, ...key }: Source,
  dataDir: string | null,
  work: string,
  look: (manifest: Manifest) => void = () => {},
): Promise<{ manifest: Manifest; facts: DatabaseFacts }> {
  const reader = new ArchiveReader(file, await decrypted(file, dataDir, key));
  try {
    const manifest = await reader.manifest();
    if (manifest.oldest_schema_version > schemaVersion)
      throw new BackupRefused(
        file,
        'newer',
        'was made by a newer Gatehouse: update this one first (`gatehouse version`)',
      );
    look(manifest);
    await reader.unpack(manifest, work);
    const replaced = dataDir === null ? null : numbersGivenIn(dataDir);
    const facts = await examined({ kind: 'contents', work, file, replaced });
    checkCounts(file, manifest, facts);
    await chmod(join(work, 'gatehouse.db'), 0o600);
    return { manifest, facts };
  } finally {
    await reader.close();
  }
}

/** The rows are those that were there when the copy was made. */
function checkCounts(file: string, { counts }: Manifest, facts: DatabaseFacts): void {
  for (const [table, expected] of Object.entries(counts ?? {})) {
    const found = facts.counts[table] ?? 0;
    if (found !== expected)
      throw new BackupRefused(
        file,
        'damaged',
        `holds ${found} rows of ${table}, and ${expected} were written: take another backup`,
      );
  }
}

/**
 * Replaces the data of a stopped box with a backup. Refuses (BackupRefused) a file that is damaged,
 * incomplete, of a newer program, or that holds foreign files, before anything is changed. At any
 * moment either the old or the new set is complete, and the next start or restore finishes an
 * interrupted one. The store gets a new batch epoch, so that a box above does not confuse its
 * batches with those of the old store. The old set is kept (`keptIn`; null: there was none). Null:
 * the store stays, because `mayReplace` said so.
 */
export async function restoreBackup(
  options: Source & {
    readonly dataDir: string;
    /** Asked when the backup is whole and the store has newer data: false leaves all as it is. */
    readonly mayReplace?: (newer: NewerData, madeAt: number) => Promise<boolean>;
  },
): Promise<{ createdAt: number; environment: string; keptIn: string | null } | null> {
  const { dataDir, mayReplace, ...source } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  using _owner = own(dataDir);
  // A requested reset concerned the previous data.
  finishReset(dataDir);
  finishRestore(dataDir);
  clearStaging(dataDir);
  const work = await mkdtemp(join(dataDir, stagingPrefix));
  try {
    const { created_at: createdAt, environment } = (await unpack(source, dataDir, work)).manifest;
    const newer = newerDataIn(dataDir, createdAt);
    if (newer && mayReplace && !(await mayReplace(newer, createdAt))) return null;
    commitRestore(dataDir, work);
    return { createdAt, environment, keptIn: existsSync(keptFolder(dataDir)) ? keptFolder(dataDir) : null };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Reads a whole backup and checks every byte, while the store may be in use. Throws BackupRefused.
 */
export async function checkBackup(
  options: Source & {
    /** A folder with room for the content of the backup during the check. */
    readonly folder: string;
    /** The box whose own key is tried too; null: there is no box here. */
    readonly dataDir: string | null;
  },
): Promise<{ createdAt: number; environment: string }> {
  const { folder, dataDir, ...source } = options;
  const work = await mkdtemp(join(folder, '.gatehouse-check-'));
  try {
    const { created_at: createdAt, environment } = (await unpack(source, dataDir, work)).manifest;
    return { createdAt, environment };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Contents of a backup that was checked. */
export interface InspectedBackup {
  readonly createdAt: number;
  readonly environment: string;
  readonly schemaVersion: number;
  /** Rows of each table. */
  readonly counts: Readonly<Record<string, number>>;
  /** Both ends of the chain of daily statements, as the store keeps them; null: there is none. */
  readonly statements: string | null;
}

/**
 * Reads a whole backup as `checkBackup`, and hands `look` the folder in which it is unpacked,
 * before that is deleted.
 */
export async function inspectBackup(
  options: Source & {
    /** A folder with room for the content of the backup; nobody else may read it. */
    readonly folder: string;
  },
  look: (unpacked: string, found: InspectedBackup) => Promise<void>,
): Promise<InspectedBackup> {
  const { folder, ...source } = options;
  const work = await mkdtemp(join(folder, 'unpacked-'));
  try {
    const { manifest, facts } = await unpack(source, null, work);
    const { created_at: createdAt, environment } = manifest;
    const { schemaVersion, counts, statements } = facts;
    const found = { createdAt, environment, schemaVersion, counts, statements };
    await look(work, found);
    return found;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * The same for a running box: the file is checked completely and staged, and the next start moves
 * it in. What the box writes until then is lost. `environment` is the box's, because it would not
 * start with a store of the other. `note` goes into the audit log of the restored box, if it has
 * one.
 */
export async function stageRestore(
  options: Source & {
    readonly dataDir: string;
    readonly environment: string;
    readonly note: AuditNote & { readonly at: number };
  },
): Promise<{ createdAt: number }> {
  const { dataDir, environment, note, ...source } = options;
  const work = await mkdtemp(join(dataDir, stagingPrefix));
  try {
    const { manifest } = await unpack(source, dataDir, work, ({ environment: made }) => {
      if (made !== environment)
        throw new BackupRefused(
          source.file,
          'environment',
          `was made in environment ${made}, and this box runs in ${environment}`,
        );
    });
    noteRestore(join(work, 'gatehouse.db'), note, manifest.created_at);
    layRestoreReady(dataDir, work);
    return { createdAt: manifest.created_at };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Notes the restore in the audit log of the backup, unless the backup is older than that log. */
function noteRestore(databasePath: string, entry: AuditNote & { readonly at: number }, createdAt: number): void {
  const database = new DatabaseSync(databasePath);
  try {
    if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'audit_entry'").get()) return;
    database
      .prepare(
        `INSERT INTO remembered (service, key, value, at) VALUES ('box', 'last backup', '', ?)
           ON CONFLICT (service, key) DO UPDATE SET value = excluded.value, at = excluded.at`,
      )
      .run(createdAt);
    appendAudit({ sql: text => database.prepare(text) }, entry);
  } finally {
    database.close();
  }
}
