/**
 * Who takes part, and which process a device is connected to. Made at each start where they are
 * missing, as a database of the version before has none of them.
 */
export const processTables: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS process (id bigint PRIMARY KEY, live boolean NOT NULL, pid bigint NOT NULL,
     since timestamptz NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS device_session (device_no bigint PRIMARY KEY, process bigint NOT NULL,
     gen bigint NOT NULL)`,
];

/** A process of which the server knows the connection no more. */
const isGone = `live AND NOT EXISTS (SELECT FROM pg_stat_activity AS known
  WHERE known.pid = process.pid AND known.backend_start = process.since)`;

/**
 * Puts out those that have ended without a word: their connection is gone, and none of them
 * connects again under its number.
 */
export const fenceGone = `UPDATE process SET live = false WHERE ${isGone}`;
