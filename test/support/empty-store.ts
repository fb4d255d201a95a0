import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { prepare } from '../../src/store/prepare.ts';
import { databaseFile } from '../../src/store/schema/database.ts';
import { sealKeyFile } from '../../src/store/schema/sealing.ts';

let template: string | undefined;

/**
 * Lays a migrated, empty store into `dataDir`: a copy of one that each worker process makes once.
 * Seal key, epoch and environment are the new store's own; the reserve file is sparse.
 */
export function layEmptyStore(dataDir: string): void {
  template ??= makeTemplate();
  copyFileSync(template, databaseFile(dataDir));
  mkdirSync(join(dataDir, 'keys'), { mode: 0o700 });
  writeFileSync(sealKeyFile(dataDir), randomBytes(32), { mode: 0o600 });
  const reserve = join(dataDir, 'reserve');
  writeFileSync(reserve, '', { mode: 0o600 });
  truncateSync(reserve, 16 << 20);
}

function makeTemplate(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  prepare(folder, 'test');
  const file = databaseFile(folder);
  const database = new DatabaseSync(file);
  database.exec("DELETE FROM meta WHERE key IN ('epoch', 'environment')");
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  if (statSync(file).size === 0) throw new Error(`${file}: the template of the stores is empty`);
  return file;
}
