import { StoreOpenError } from '../prepare.ts';
import { EngineError } from '../schema/engine-failures.ts';
import type { Bridge } from './bridge.ts';

/**
 * Tables of the processes of a region, of the process that each device is connected to, of indexes
 * that a migration wants and that are still missing, of notes of processes about themselves, and a
 * number that tells how far the database had come. Made at each start where they are missing, as a
 * database of the version before has none of them.
 */
export const processTables: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS process (id bigint PRIMARY KEY, live boolean NOT NULL, pid bigint NOT NULL,
     since timestamptz NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS device_session (device_no bigint PRIMARY KEY, process bigint NOT NULL,
     gen bigint NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS index_to_make (no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     statement text NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS process_note (process bigint PRIMARY KEY, name text NOT NULL, program text NOT NULL,
     schema_version bigint NOT NULL, clock_ahead_ms bigint NOT NULL)`,
  'CREATE TABLE IF NOT EXISTS beat (one bigint PRIMARY KEY, no bigint NOT NULL, at bigint NOT NULL)',
  'INSERT INTO beat (one, no, at) VALUES (1, 0, 0) ON CONFLICT (one) DO NOTHING',
  // Not an identity: a standby promoted before its first restartpoint has lost that of an unlogged
  // table.
  'CREATE SEQUENCE IF NOT EXISTS http_session_made',
  `CREATE UNLOGGED TABLE IF NOT EXISTS http_session (hash text PRIMARY KEY, device_no bigint NOT NULL,
     made bigint NOT NULL DEFAULT nextval('http_session_made'), sealed bytea NOT NULL, lifetime bigint NOT NULL,
     heard_at bigint NOT NULL)`,
  `CREATE UNLOGGED TABLE IF NOT EXISTS guess (key text PRIMARY KEY, count bigint NOT NULL, until bigint NOT NULL,
     heard bigint NOT NULL)`,
  `CREATE UNLOGGED TABLE IF NOT EXISTS device_online (device_no bigint NOT NULL, process bigint NOT NULL,
     PRIMARY KEY (device_no, process))`,
  `CREATE UNLOGGED TABLE IF NOT EXISTS log_count_today (device_no bigint PRIMARY KEY, day text NOT NULL,
     more bigint NOT NULL, stored bigint NOT NULL)`,
  'CREATE INDEX IF NOT EXISTS http_session_device ON http_session (device_no)',
];

/** Each unlogged table with the first column of each of its indexes. */
const unlogged = `SELECT t.relname, c.attname FROM pg_class AS t
  JOIN pg_index AS i ON i.indrelid = t.oid JOIN pg_attribute AS c ON c.attrelid = t.oid AND c.attnum = i.indkey[0]
  WHERE t.relpersistence = 'u' AND t.relkind = 'r' AND t.relnamespace = to_regnamespace(current_schema())`;

/**
 * Reads from each unlogged table and from its indexes: a server that failed over early, or has lost
 * files, may have useless ones, which only those who write there would notice. Throws EngineError,
 * and StoreOpenError for such a table.
 */
export function probeUnlogged(bridge: Bridge): void {
  bridge.call({ text: 'BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off' });
  for (const [table, column] of bridge.call({ text: unlogged, values: [] }).rows)
    try {
      bridge.call({ text: `SELECT 1 FROM "${table}" ORDER BY "${column}" LIMIT 1` });
    } catch (error) {
      if (!(error instanceof EngineError) || error.code === '') throw error;
      throw new StoreOpenError(
        `store.url: the table ${table} cannot be read (SQLSTATE ${error.code}: ${error.message}): nothing in it outlives a crash of the server; stop all processes, TRUNCATE ${table} in the database, start again`,
      );
    }
  bridge.call({ text: 'COMMIT' });
}

const known = `EXISTS (SELECT FROM pg_stat_activity AS known
  WHERE known.pid = process.pid AND known.backend_start = process.since)`;

/** A process that is in, and whose connection the server knows. */
export const isConnected = `live AND ${known}`;

/** A process of which the server knows the connection no more. */
const isGone = `live AND NOT ${known}`;

/**
 * Puts out those that have ended without a word: their connection is gone, and none of them
 * connects again under its number.
 */
export const fenceGone = `UPDATE process SET live = false WHERE ${isGone}`;

/**
 * Tables that only several processes need, made with the others: the end of the journal, whose row
 * every commit of records locks; who has which lease; a number that tells whether the directory has
 * changed.
 */
export const ofProcesses: readonly string[] = [
  'CREATE TABLE journal_head (lane bigint PRIMARY KEY, seq bigint NOT NULL)',
  'INSERT INTO journal_head (lane, seq) VALUES (0, 0)',
  'CREATE TABLE lease (name text PRIMARY KEY, holder bigint NOT NULL, renewed bigint NOT NULL, up bigint NOT NULL)',
  'CREATE SEQUENCE member',
  'CREATE TABLE directory_change (no bigint NOT NULL)',
  'INSERT INTO directory_change (no) VALUES (0)',
  `CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE
     AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint'`,
];
