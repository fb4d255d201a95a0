import { blob, integer, sqliteTable } from 'drizzle-orm/sqlite-core';

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
  /** Which devices it has logs of (log-blocks/block-devices.ts). */
  devices: blob({ mode: 'buffer' }).notNull(),
});

export const logBlockContent = sqliteTable('log_block_content', {
  firstSeq: integer('first_seq').primaryKey(),
  /** How many of each of `devices`. */
  deviceCounts: blob('device_counts', { mode: 'buffer' }).notNull(),
  sealedLogs: blob('sealed_logs', { mode: 'buffer' }).notNull(),
});
