import { copyFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { migrations } from './migrations.generated.ts';

/** How many migrations a store of this program has had; kept in PRAGMA user_version. */
export const schemaVersion = migrations.length;

export const versionOf = (database: DatabaseSync): number =>
  Number((database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version);

/**
 * Migrations, by name, after which a program without them must not write to the store any more.
 * Migrations only add: tables, indexes, and columns that may be left out. So this list stays empty,
 * and going back to the program before an update needs no backup (docs/decisions/updates.md).
 */
export const notForOlderPrograms: ReadonlySet<string> = new Set();

/** Of `meta`: the oldest schema version whose program may still write, where it is not all. */
export const oldestKey = 'oldest_schema_version';

/**
 * The oldest schema version whose program may still write to this store; stored in the store
 * itself.
 */
export function oldestWriterOf(database: DatabaseSync): number {
  const version = versionOf(database);
  if (version === 0) return 0;
  const row = database.prepare('SELECT value FROM meta WHERE key = ?').get(oldestKey) as { value: string } | undefined;
  return row === undefined ? 1 : Number(row.value);
}

/** A newer program has changed the store so that this one must not write to it. */
export const isTooNew = (database: DatabaseSync): boolean =>
  versionOf(database) > schemaVersion && !(oldestWriterOf(database) <= schemaVersion);

/**
 * Brings a store up to this program's schema in one transaction: all migrations or none. A store
 * that already held something is copied beside itself first. The store of a newer program is left
 * as it is; the caller has refused one that is too new.
 */
export function migrate(database: DatabaseSync, file: string): void {
  const from = versionOf(database);
  if (from >= schemaVersion) return;
  if (from > 0) {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    copyFileSync(file, `${file}.before-${schemaVersion}`);
  }
  database.exec('BEGIN IMMEDIATE');
  try {
    for (let version = from; version < schemaVersion; version++) {
      const { name, statements } = migrations[version]!;
      for (const statement of statements) database.exec(statement);
      if (notForOlderPrograms.has(name)) sayOldest(database, version + 1);
    }
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** From now on only programs of this schema version and later may write to this store. */
const sayOldest = (database: DatabaseSync, version: number): void =>
  void database
    .prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(oldestKey, String(version));
