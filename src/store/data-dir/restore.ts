import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { noteInDatabase } from '../audit/write.ts';
import type { AuditNote } from '../port/staff.ts';
import { schemaVersion } from '../schema/migrate.ts';
import { ArchiveReader, type Manifest } from './backup-archive.ts';
import { checkContents } from './backup-contents.ts';
import { type BackupKey, decrypted } from './backup-encryption.ts';
import { BackupRefused } from './backup-refused.ts';
import { own } from './ownership.ts';
import { finishReset } from './reset.ts';
import { clearStaging, commitRestore, finishRestore, layRestoreReady, stagingPrefix } from './staged-restore.ts';

interface Source extends BackupKey {
  readonly file: string;
}

/**
 * Decrypts the whole new set into `work` and checks every byte of it. `look` may refuse it by its
 * manifest before that.
 */
async function unpack(
  { file, ...key }: Source,
  dataDir: string | null,
  work: string,
  look: (manifest: Manifest) => void = () => {},
): Promise<Manifest> {
  const reader = new ArchiveReader(file, await decrypted(file, dataDir, key));
  try {
    const manifest = await reader.manifest();
    if ((manifest.oldest_schema_version ?? manifest.schema_version) > schemaVersion)
      throw new BackupRefused(
        file,
        'newer',
        'was made by a newer Gatehouse: update this one first (`gatehouse version`)',
      );
    look(manifest);
    await reader.unpack(manifest, work);
    checkContents(work, file);
    await chmod(join(work, 'gatehouse.db'), 0o600);
    return manifest;
  } finally {
    await reader.close();
  }
}

/**
 * Puts a backup in place of what a stopped box holds. Refuses (BackupRefused) a file that is
 * damaged anywhere, cut, of a newer program, or that holds what is not ours, before anything is
 * touched. At any moment either the old or the new set is whole, and an interrupted restore is
 * finished by the next start or restore (staged-restore.ts). The store gets a new batch epoch: what
 * a box above had from the old one is not taken for the new one's.
 */
export async function restoreBackup(
  options: Source & { readonly dataDir: string },
): Promise<{ createdAt: number; environment: string }> {
  const { dataDir, ...source } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  using _owner = own(dataDir);
  // One that was asked for is of what was there before.
  finishReset(dataDir);
  finishRestore(dataDir);
  clearStaging(dataDir);
  const work = await mkdtemp(join(dataDir, stagingPrefix));
  try {
    const { created_at: createdAt, environment } = await unpack(source, dataDir, work);
    commitRestore(dataDir, work);
    return { createdAt, environment };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Reads a whole backup and checks every byte of it, beside a store that may be in use. Throws
 * BackupRefused.
 */
export async function checkBackup(
  options: Source & {
    /** Has room for what is in the backup while it is looked at. */
    readonly folder: string;
    /** Its own key is tried too; null: there is no box here. */
    readonly dataDir: string | null;
  },
): Promise<{ createdAt: number; environment: string }> {
  const { folder, dataDir, ...source } = options;
  const work = await mkdtemp(join(folder, '.gatehouse-check-'));
  try {
    const { created_at: createdAt, environment } = await unpack(source, dataDir, work);
    return { createdAt, environment };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * The same for a box that runs: the file is checked as a whole and laid ready, and the next start
 * moves it in. What the box writes until then is lost. `environment` is the box's: it would not
 * start with a store of the other. `note` goes into the log of the restored box, where it knows
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
    const manifest = await unpack(source, dataDir, work, ({ environment: made }) => {
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
