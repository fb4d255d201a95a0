import { randomBytes } from 'node:crypto';
import { accessSync, chmodSync, constants, mkdirSync, statfsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { inodesOf } from '../runtime/inodes.ts';
import { Owned } from './data-dir/ownership.ts';
import { unfitPlace } from './data-dir/unfit.ts';
import { databaseFile, failureOf, pageBytes } from './schema/database.ts';
import { resultCode, resultCodeOf } from './schema/engine-failures.ts';
import { isTooNew, migrate, versionOf } from './schema/migrate.ts';
import { BrokenSeal } from './schema/sealing.ts';
import { makeLeftLogWhole } from './schema/write-ahead-log.ts';

/**
 * Tables of which the box does without the rows that cannot be read: nothing but a read of such a
 * row touches its bytes.
 */
const passedOver: ReadonlySet<string> = new Set(['segment', 'log_block_content']);
const linesMax = 100;

/**
 * Damage that forbids writing to the database; null if there is none, or if only rows of the
 * journal and of log blocks cannot be read, which their readers pass over. Reads every page, so it
 * is for small stores.
 */
function damageOf(database: DatabaseSync): string | null {
  const found = quickCheck(database, `quick_check(${linesMax})`);
  if (found === null) return null;
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all() as {
    name: string;
  }[];
  const damaged = tables.filter(({ name }) => quickCheck(database, `quick_check("${name}")`) !== null);
  const essential = damaged.filter(({ name }) => !passedOver.has(name)).map(({ name }) => name);
  if (essential.length > 0) return `${essential.join(', ')}: ${found[0]}`;
  // Free pages are no table's; what is in no table that was checked is the file's own structure.
  const free = found.find(line => line.startsWith('Freelist'));
  return free ?? (damaged.length === 0 ? found[0]! : null);
}

/** Complaints of the check; null if the database is whole. */
function quickCheck(database: DatabaseSync, pragma: string): string[] | null {
  try {
    const rows = database.prepare(`PRAGMA ${pragma}`).all() as { quick_check: string }[];
    const lines = rows.map(row => row.quick_check);
    return lines[0] === 'ok' ? null : lines;
  } catch (error) {
    if (resultCodeOf(error) === null) throw error;
    return [(error as Error).message];
  }
}

/** The store cannot be opened; the message says why and what to do. */
export class StoreOpenError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreOpenError';
  }
}

export function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o750 }); // its group may use the socket of the commands; secret files inside are 0600
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StoreOpenError(
      `${dataDir}: cannot be written (${code}): make it writable for this user (uid ${process.geteuid?.()}), or name another data_dir`,
    );
  }
}

/** Before anything is written there that would have to be believed. */
export function refuseUnfit(dataDir: string, environment: 'test' | 'production'): void {
  const unfit = unfitPlace(dataDir, environment);
  if (unfit) throw new StoreOpenError(`${unfit.message}: ${unfit.remedy}`);
}

const quickCheckBytesMax = 32 << 20;

/**
 * Makes or migrates the tables and checks that the store belongs to this environment. Returns its
 * epoch.
 */
export function prepare(dataDir: string, environment: string): string {
  const file = databaseFile(dataDir);
  makeLeftLogWhole(file);
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    // Counts for a file that is still empty.
    database.exec(`PRAGMA page_size = ${pageBytes}`);
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    chmodSync(file, 0o600);
    refuseNewer(database, dataDir);
    if (versionOf(database) > 0 && statSync(file).size < quickCheckBytesMax) {
      const damage = damageOf(database);
      if (damage !== null) throw new StoreOpenError(corrupted(dataDir, damage));
    }
    migrate(database, file);
    database.exec('INSERT INTO projection_cursor (id, seq) VALUES (1, 0) ON CONFLICT (id) DO NOTHING');
    const insert = database.prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING');
    insert.run('environment', environment);
    insert.run('epoch', randomBytes(16).toString('hex'));
    const meta = readMeta(database);
    if (meta.get('environment') !== environment)
      throw new StoreOpenError(
        `${dataDir}: this store was made under environment ${meta.get('environment')}, the config says ${environment}: a box never mixes the two; give it another data_dir`,
      );
    return meta.get('epoch')!;
  } finally {
    database.close();
  }
}

export function refuseNewer(database: DatabaseSync, dataDir: string): void {
  if (isTooNew(database))
    throw new StoreOpenError(
      `${dataDir}: the store was changed by a newer Gatehouse so that this one must not write to it: update this one, or restore a backup from before`,
    );
}

export const readMeta = (database: DatabaseSync): Map<string, string> =>
  new Map(
    (database.prepare('SELECT key, value FROM meta').all() as { key: string; value: string }[]).map(row => [
      row.key,
      row.value,
    ]),
  );

const corrupted = (dataDir: string, detail: string): string =>
  `${databaseFile(dataDir)}: the database is damaged (${detail}): restore a backup with \`gatehouse restore FILE\`, or move ${dataDir} away to start with an empty store`;

export function explain<T>(dataDir: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw explained(dataDir, error);
  }
}

export function explained(dataDir: string, error: unknown): Error {
  if (error instanceof StoreOpenError) return error;
  if (error instanceof Owned) return new StoreOpenError(error.message);
  if (error instanceof BrokenSeal)
    return new StoreOpenError(
      `${dataDir}/keys/seal.key: does not open this store (${error.message}): put the right key back, or restore a backup with \`gatehouse restore FILE\``,
    );
  const { message, code } = error as { message: string; code?: string };
  const failure = failureOf(error);
  const result = resultCodeOf(error);
  if (result === resultCode.corrupt || result === resultCode.notADatabase)
    return new StoreOpenError(corrupted(dataDir, message));
  if (failure === 'disk_full')
    return new StoreOpenError(
      inodesOf(statfsSync(dataDir))?.free === 0
        ? `${dataDir}: the disk can hold no more files (no inodes are left): remove some and start again`
        : `${dataDir}: the disk is full: free some space and start again`,
    );
  if (failure === 'read_only')
    return new StoreOpenError(
      `${dataDir}: is read-only: check its owner, and whether the disk was mounted read-only after an error`,
    );
  if (code === 'ENOENT' && message.includes('seal.key'))
    return new StoreOpenError(
      `${dataDir}/keys/seal.key: is missing, and without it the store cannot be opened: restore a backup with \`gatehouse restore FILE\``,
    );
  if (failure === 'broken')
    return new StoreOpenError(
      `${dataDir}: the disk cannot be read in places that the store needs (${message}): copy the data directory to another disk with ddrescue and start there, or restore a backup with \`gatehouse restore FILE\``,
    );
  return new StoreOpenError(`${dataDir}: the store cannot be opened: ${message}`);
}
