import { copyFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { migrations } from './migrations.generated.ts';

/** How many migrations a store of this program has had; stands in PRAGMA user_version. */
export const schemaVersion = migrations.length;

export const versionOf = (database: DatabaseSync): number =>
  Number((database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version);

/**
 * Brings a store up to this program's schema, one transaction for each migration. A store that already held something is copied beside itself
 * first. The caller has refused a newer store.
 */
export function migrate(database: DatabaseSync, file: string): void {
  const from = versionOf(database);
  if (from === schemaVersion) return;
  if (from > 0) {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    copyFileSync(file, `${file}.before-${schemaVersion}`);
  }
  for (let version = from; version < schemaVersion; version++) {
    database.exec('BEGIN IMMEDIATE');
    try {
      for (const statement of migrations[version]!.statements) database.exec(statement);
      database.exec(`PRAGMA user_version = ${version + 1}`);
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  }
}
