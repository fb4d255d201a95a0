import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type AuditNote, appendAudit } from '../domains/audit/entries.ts';
import { schemaVersion } from '../schema/migrate.ts';
import { ArchiveReader, BackupRefused, type Manifest } from './backup-archive.ts';
import { type BackupKey, decrypted } from './backup-encryption.ts';
import { type DatabaseFacts, examined } from './examiner.ts';
import { own } from './ownership.ts';
import { type NewerData, newerDataIn, numbersGivenIn } from './replaced-store.ts';
import { finishReset } from './reset.ts';
import {
  clearStaging,
  commitRestore,
  finishRestore,
  keptFolder,
  layRestoreReady,
  stagingPrefix,
} from './staged-restore.ts';

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
 * interrupted one (staged-restore.ts). The store gets a new batch epoch, so that a box above does
 * not confuse its batches with those of the old store. The old set is kept (`keptIn`; null: there
 * was none). Null: the store stays, because `mayReplace` said so.
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
