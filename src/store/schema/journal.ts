import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { DeviceNo } from '../port/journal.ts';

/** The journal, the cursors of the tables and of the cloud, and the cloud's answers. */

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
   * How many records of each device are to be forwarded, by channel (journal/segment.ts has the
   * layout).
   */
  devices: blob({ mode: 'buffer' }).notNull(),
  sealedRecords: blob('sealed_records', { mode: 'buffer' }).notNull(),
});

export const projectionCursor = sqliteTable('projection_cursor', {
  id: integer().primaryKey(),
  seq: integer().notNull(),
});

/** The highest `seq` committed here of each box below. */
export const batchCursor = sqliteTable(
  'batch_cursor',
  { boxNo: integer('box_no').notNull(), epoch: text().notNull(), seq: integer().notNull() },
  table => [primaryKey({ columns: [table.boxNo, table.epoch] })],
);

/**
 * Lines of batches that were refused for good. The box below may not have heard the answer, and
 * then sends the batch again. The newest of each box are kept.
 */
export const batchRefusal = sqliteTable(
  'batch_refusal',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    boxNo: integer('box_no').$type<DeviceNo>().notNull(),
    epoch: text().notNull(),
    seq: integer().notNull(),
    code: integer().notNull(),
    msg: text().notNull(),
  },
  table => [
    uniqueIndex('batch_refusal_by_seq').on(table.boxNo, table.epoch, table.seq),
    index('batch_refusal_by_box').on(table.boxNo, table.id),
  ],
);

/** Counts of records that the disk-full policy dropped, by reason. */
export const dropped = sqliteTable('dropped', { reason: text().primaryKey(), count: integer().notNull() });

/** Reports of the last 7 days, to store a repeat once. */
export const reportSeen = sqliteTable(
  'report_seen',
  {
    deviceNo: integer('device_no').$type<DeviceNo>().notNull(),
    midHash: blob('mid_hash', { mode: 'buffer' }).notNull(),
    dataHash: blob('data_hash', { mode: 'buffer' }).notNull(),
    seenAt: integer('seen_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.deviceNo, table.midHash, table.dataHash] }),
    index('report_seen_by_age').on(table.seenAt),
  ],
);
