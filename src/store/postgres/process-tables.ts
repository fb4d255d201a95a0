/**
 * Who takes part, which process a device is connected to, the indexes that a migration wants and
 * that are not there yet, what processes say of themselves, and a number that tells how far the
 * database had come. Made at each start where they are missing, as a database of the
 * version before has none of them.
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
];

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
