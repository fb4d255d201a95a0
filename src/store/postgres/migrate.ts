import type { Log } from '../../runtime/log.ts';
import { StoreOpenError } from '../prepare.ts';
import { EngineError, failureOfState, stateOf } from '../schema/engine-failures.ts';
import { notForOlderPrograms, oldestKey } from '../schema/migrate.ts';
import type { Bridge } from './bridge.ts';
import { type Migration, postgresMigrations } from './ddl.ts';
import { changeTables, namingTriggers, watchDirectory, watchesDirectory } from './directory-changes.ts';
import { isConnected, ofProcesses, processTables } from './process-tables.ts';
import { connected } from './side-connection.ts';

/** Any number: whoever makes indexes holds this lock of the database, so that one process does. */
const indexLock = 4_709_115;

const nameOf = (statement: string): string | undefined => /^CREATE INDEX "(\w+)" ON /.exec(statement)?.[1];

/**
 * An index of a table that was there before: making it would hold up all who write to the table,
 * for minutes where it has millions of rows.
 */
function isLater(statement: string, { statements }: Migration): boolean {
  if (nameOf(statement) === undefined) return false;
  const table = / ON "(\w+)"/.exec(statement)?.[1];
  return !statements.some(other => other.startsWith(`CREATE TABLE "${table}"`));
}

/**
 * Makes the indexes that migrations have left, one after another, while others go on writing. One
 * that was cut short, by whichever process, is made again. Does nothing where another process is at
 * it. Throws EngineError.
 */
export async function makeIndexes(url: string, log: Log): Promise<void> {
  const client = await connected(url).catch(failed);
  client.on('error', () => {});
  try {
    const { rows } = await client.query<{ mine: boolean }>(`SELECT pg_try_advisory_lock(${indexLock}) AS mine`);
    while (rows[0]?.mine) {
      const waiting = await client.query<{ no: string; statement: string }>(
        'SELECT no, statement FROM index_to_make ORDER BY no LIMIT 1',
      );
      const [next] = waiting.rows;
      if (!next) return;
      const index = nameOf(next.statement)!;
      log.info({ index }, 'index_being_made');
      // Leftovers of an earlier attempt are useless.
      await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${index}"`);
      await client.query(next.statement.replace('CREATE INDEX ', 'CREATE INDEX CONCURRENTLY '));
      await client.query('DELETE FROM index_to_make WHERE no = $1', [next.no]);
    }
  } catch (error) {
    failed(error);
  } finally {
    await client.end().catch(() => {});
  }
}

function failed(error: unknown): never {
  const { message } = error as { message: string };
  const state = stateOf(error);
  throw new EngineError(message, state, failureOfState(state) ?? 'broken');
}

/** Any number: whoever migrates holds this lock of the database, so that one process does. */
export const migrationLock = 4_709_113;

/**
 * A change of a table waits for those who use it, and everybody who comes later waits behind it.
 * After so long it lets them pass and tries again: they count a database as silent after 5 s.
 */
const lockWaitMs = 500;
const againMs = 500;
/** Of another process that migrates, or of somebody who uses a table; systemd gives a start 60. */
const enoughMs = 45_000;

const words = {
  busy: 'store.url: another process brings the tables of this database up to date: start again when it has',
  held: 'store.url: the tables cannot be brought up to date while another connection uses one of them all the time: end its transaction (pg_stat_activity shows it), then start again; the processes that run go on meanwhile',
  tooNew:
    'store.url: the database was changed by a newer Gatehouse so that this one must not write to it: update this one, or restore a backup from before',
};

const olderRun = (count: number): string =>
  `store.url: this version changes the database so that older ones must not write to it, and ${count} of their processes run: stop every process of the region, then start this one`;

/** Replaces what the program has: for tests. */
interface Upgrade {
  readonly migrations?: readonly Migration[];
  /** Names of those after which no older program may write. */
  readonly breaking?: ReadonlySet<string>;
  readonly patienceMs?: number;
}

/**
 * Brings the tables to this program's version, each migration in a transaction that holds nobody up
 * for long. Migrations only add, so that processes of the version before go on meanwhile and
 * afterwards; indexes of tables that were there are left to `makeIndexes`. The database of a newer
 * program is left as it is. Blocks the thread for up to `patienceMs`. Throws EngineError, and
 * StoreOpenError for a database that is not for this program, and where somebody is in the way: the
 * bridge is then of no more use, and holds `migrationLock` until it is closed.
 */
export function migratePostgres(
  bridge: Bridge,
  { migrations = postgresMigrations(), breaking = notForOlderPrograms, patienceMs = enoughMs }: Upgrade = {},
): void {
  const until = performance.now() + patienceMs;
  const run = (text: string) => bridge.call({ text });
  const number = (text: string) => Number(bridge.call({ text, values: [] }).rows[0]?.[0] ?? 0);
  while (number(`SELECT pg_try_advisory_lock(${migrationLock})`) === 0) pause(until, words.busy);
  run('CREATE TABLE IF NOT EXISTS store_schema (version bigint NOT NULL)');
  for (const text of [...processTables, ...changeTables]) run(text);
  const known = number('SELECT max(version) FROM store_schema');
  const newest = migrations.length;
  if (known > newest && number(`SELECT max(value::bigint) FROM meta WHERE key = '${oldestKey}'`) > newest)
    throw new StoreOpenError(words.tooNew);
  if (known === 0) {
    const all = migrations.flatMap(({ statements }) => statements);
    runBriefly(bridge, [...all, ...ofProcesses, watchDirectory, nowOf(newest)], until);
  } else
    for (const [index, migration] of migrations.entries()) {
      if (index < known) continue;
      const isBreaking = breaking.has(migration.name);
      const older = isBreaking ? number(`SELECT count(*) FROM process WHERE ${isConnected}`) : 0;
      if (older > 0) throw new StoreOpenError(olderRun(older));
      runBriefly(bridge, stepsOf(migration, index + 1, isBreaking), until);
    }
  if (number(namingTriggers) === 0) runBriefly(bridge, [watchDirectory], until);
  number(`SELECT pg_advisory_unlock(${migrationLock})::int`);
}

/** The statements of one migration, with what says that it was made. */
function stepsOf(migration: Migration, version: number, isBreaking: boolean): string[] {
  const later = migration.statements.filter(statement => isLater(statement, migration));
  return [
    ...migration.statements.filter(statement => !later.includes(statement)),
    ...later.map(statement => `INSERT INTO index_to_make (statement) VALUES ('${statement.replaceAll("'", "''")}')`),
    ...(migration.statements.some(watchesDirectory) ? [watchDirectory] : []),
    ...(isBreaking
      ? [
          `INSERT INTO meta (key, value) VALUES ('${oldestKey}', '${version}')
             ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
        ]
      : []),
    nowOf(version),
  ];
}

const nowOf = (version: number): string => `INSERT INTO store_schema (version) VALUES (${version})`;

const lockNotAvailable = '55P03';

/** In one transaction, which is tried again as long as others use what it changes. */
function runBriefly(bridge: Bridge, statements: readonly string[], until: number): void {
  for (;;) {
    try {
      bridge.call({ text: `BEGIN; SET LOCAL lock_timeout = ${lockWaitMs}` });
      for (const text of statements) bridge.call({ text });
      bridge.call({ text: 'COMMIT' });
      return;
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== lockNotAvailable) throw error;
      bridge.call({ text: 'ROLLBACK' });
      pause(until, words.held);
    }
  }
}

/** Throws StoreOpenError when it has taken too long. */
function pause(until: number, why: string): void {
  if (performance.now() > until) throw new StoreOpenError(why);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, againMs);
}

/** Statements that make the tables of this program in an empty database, in one transaction. */
export function tablesOfNew(): readonly string[] {
  const migrations = postgresMigrations();
  return [
    'CREATE TABLE store_schema (version bigint NOT NULL)',
    ...migrations.flatMap(({ statements }) => statements),
    ...ofProcesses,
    ...processTables,
    ...changeTables,
    watchDirectory,
    nowOf(migrations.length),
  ];
}
