import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { DeviceNo } from '../port/journal.ts';

/** Records of devices: the journal, the cursor of the tables behind it, and its logs in blocks. */

/**
 * The journal: one row for each commit (journal/segment.ts has the layout of `sealed_records`). The
 * blob is the last column, so that headers are read without it.
 */
export const segment = sqliteTable('segment', {
  firstSeq: integer('first_seq').primaryKey(),
  count: integer().notNull(),
  receivedFrom: integer('received_from').notNull(),
  receivedTo: integer('received_to').notNull(),
  /** Bit 0: holds device messages; bit 1: holds logs. */
  channels: integer().notNull(),
  /**
   * How many records of each device are to be forwarded, by channel (journal/segment-row.ts has the
   * layout).
   */
  devices: blob({ mode: 'buffer' }).notNull(),
  sealedRecords: blob('sealed_records', { mode: 'buffer' }).notNull(),
});

export const projectionCursor = sqliteTable('projection_cursor', {
  id: integer().primaryKey(),
  seq: integer().notNull(),
});

/** Counts of records that the disk-full policy dropped, by reason. */
export const dropped = sqliteTable('dropped', { reason: text().primaryKey(), count: integer().notNull() });

/**
 * Reports of the last 7 days, to store a repeat once. A key has one row for the data that came
 * first, and one under a longer key for any other data.
 */
export const reportSeen = sqliteTable(
  'report_seen',
  {
    deviceNo: integer('device_no').$type<DeviceNo>().notNull(),
    /** Text that tells a message or a record of the device from others, or its hash. */
    key: text().notNull(),
    dataHash: blob('data_hash', { mode: 'buffer' }).notNull(),
    seenAt: integer('seen_at').notNull(),
    /** The key came with other data since. */
    isReused: integer('is_reused', { mode: 'boolean' }).notNull().default(false),
  },
  table => [primaryKey({ columns: [table.deviceNo, table.key] }), index('report_seen_by_age').on(table.seenAt)],
);

/**
 * Logs of devices, packed into blocks (log-blocks/block.ts has the layout). Two tables, so that a
 * search that passes over a million blocks reads their heads alone.
 */
export const logBlock = sqliteTable('log_block', {
  firstSeq: integer('first_seq').primaryKey(),
  /** Of its last log. No log of another block is between the two. */
  lastSeq: integer('last_seq').notNull(),
  receivedFrom: integer('received_from').notNull(),
  receivedTo: integer('received_to').notNull(),
  count: integer().notNull(),
  /** Of its logs before they were compressed. */
  bytes: integer().notNull(),
  /** Which devices it has logs of (log-blocks/block.ts). */
  devices: blob({ mode: 'buffer' }).notNull(),
});

export const logBlockContent = sqliteTable('log_block_content', {
  firstSeq: integer('first_seq').primaryKey(),
  /** How many of each of `devices`. */
  deviceCounts: blob('device_counts', { mode: 'buffer' }).notNull(),
  sealedLogs: blob('sealed_logs', { mode: 'buffer' }).notNull(),
});
