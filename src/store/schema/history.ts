import { blob, integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/**
 * How the box fared: two rings. A row is overwritten when its time comes round again, so that a
 * write touches one page and nothing has to be deleted.
 */

/** Figures that both rings keep. Null if the box had none, such as a line where it stands alone. */
const figures = {
  /** The most records that waited for the cloud. */
  waiting: integer(),
  /** How many the journal took. */
  records: integer().notNull(),
  /** How long they waited for their commit (`packWaits`). */
  waits: blob({ mode: 'buffer' }).notNull(),
  /** The least that was free on the disk. */
  freeBytes: integer('free_bytes'),
  /** The highest, in tenths of a degree Celsius. */
  temperatureTenths: integer('temperature_tenths'),
  /** How long the line was up. */
  lineSeconds: integer('line_seconds'),
};

/** The last 48 hours. */
export const historyMinute = sqliteTable('history_minute', {
  /** The minute modulo the ring's length. */
  slot: integer().primaryKey(),
  /** Minutes since 1970. */
  minute: integer().notNull(),
  ...figures,
  /** How many devices were online. */
  online: integer().notNull(),
  /** Which: bit n is that of `device_no` n. */
  onlineDevices: blob('online_devices', { mode: 'buffer' }).notNull(),
});

/** The last 400 days. */
export const historyHour = sqliteTable('history_hour', {
  /** The hour modulo the ring's length. */
  slot: integer().primaryKey(),
  /** Hours since 1970. */
  hour: integer().notNull(),
  /** In how many of its minutes the box ran. */
  minutes: integer().notNull(),
  ...figures,
  /** Minutes of all devices together. */
  online: integer().notNull(),
  /** Minutes of each device: byte n is that of `device_no` n, deflated. */
  onlineMinutes: blob('online_minutes', { mode: 'buffer' }).notNull(),
});
