import { StoreOpenError } from '../prepare.ts';
import { Bridge } from './bridge.ts';
import { postgresMigrations } from './ddl.ts';
import { processTables } from './process-tables.ts';

/** Any number: whoever migrates holds this lock of the database, so that one process does. */
export const migrationLock = 4_709_113;

/** PostgreSQL 15. */
export const oldestServer = 150_000;

/** The tables that the directory is read from (readers/directory.ts). */
const ofDirectory = ['product', 'device', 'box_below'];

/**
 * What only several processes need, made with the tables: the end of the journal, whose row every
 * commit of records locks; whose turn it is; a number that tells whether the directory has changed.
 */
const ofProcesses: readonly string[] = [
  'CREATE TABLE journal_head (lane bigint PRIMARY KEY, seq bigint NOT NULL)',
  'INSERT INTO journal_head (lane, seq) VALUES (0, 0)',
  'CREATE TABLE lease (name text PRIMARY KEY, holder bigint NOT NULL, pid bigint NOT NULL, until bigint NOT NULL)',
  'CREATE TABLE turn (name text PRIMARY KEY, holder bigint NOT NULL, renewed bigint NOT NULL, up bigint NOT NULL)',
  'CREATE SEQUENCE member',
  'CREATE TABLE directory_change (no bigint NOT NULL)',
  'INSERT INTO directory_change (no) VALUES (0)',
  `CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE
     AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint'`,
  `CREATE FUNCTION directory_changed() RETURNS trigger LANGUAGE plpgsql
     AS 'BEGIN UPDATE directory_change SET no = no + 1; RETURN NULL; END'`,
];

/**
 * How far devices are forwarded stands in their rows, and moves all the time: only who forwards
 * asks for it, and reads the directory again when it begins. A migration may have added columns.
 */
const watchDirectory = `DO $$
  DECLARE watched text; columns text;
  BEGIN
    FOREACH watched IN ARRAY ARRAY[${ofDirectory.map(table => `'${table}'`).join(', ')}] LOOP
      SELECT string_agg(quote_ident(column_name), ', ') INTO columns FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = watched AND column_name NOT LIKE 'forwarded%';
      EXECUTE format('CREATE OR REPLACE TRIGGER directory_changed AFTER INSERT OR DELETE OR UPDATE OF %s ON %I
        FOR EACH STATEMENT EXECUTE FUNCTION directory_changed()', columns, watched);
    END LOOP;
  END $$`;

/**
 * Brings the tables to this program's version, in one transaction. Migrations only add, so that a
 * process of the version before goes on. Throws EngineError, and StoreOpenError for a server older
 * than `oldest` (`server_version_num`).
 */
export function migratePostgres(url: string, oldest = oldestServer): void {
  const bridge = new Bridge(url);
  const run = (text: string) => bridge.call({ text });
  try {
    refuseOlder(bridge, oldest);
    run('BEGIN');
    run(`SELECT pg_advisory_xact_lock(${migrationLock})`);
    run('CREATE TABLE IF NOT EXISTS store_schema (version bigint NOT NULL)');
    const known = Number(bridge.call({ text: 'SELECT max(version) FROM store_schema', values: [] }).rows[0]?.[0] ?? 0);
    const wanted = postgresMigrations();
    for (const { statements } of wanted.slice(known)) for (const text of statements) run(text);
    if (known === 0) for (const text of ofProcesses) run(text);
    if (known < wanted.length) run(watchDirectory);
    for (const text of processTables) run(text);
    if (known < wanted.length) run(`INSERT INTO store_schema (version) VALUES (${wanted.length})`);
    run('COMMIT');
  } finally {
    bridge.close();
  }
}

/** What makes the tables of this program in an empty database, in one transaction. */
export function tablesOfNew(): readonly string[] {
  const wanted = postgresMigrations();
  return [
    'CREATE TABLE store_schema (version bigint NOT NULL)',
    ...wanted.flatMap(({ statements }) => statements),
    ...ofProcesses,
    watchDirectory,
    ...processTables,
    `INSERT INTO store_schema (version) VALUES (${wanted.length})`,
  ];
}

function refuseOlder(bridge: Bridge, oldest: number): void {
  const asked = `SELECT current_setting('server_version_num')::int, current_setting('server_version')`;
  const [number, version] = bridge.call({ text: asked, values: [] }).rows[0]!;
  if (Number(number) < oldest)
    throw new StoreOpenError(`store.url: the database is PostgreSQL ${version}: 15 or newer is needed`);
}
