import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Coded } from '../../../words/sentences.ts';
import type { Channel, DeviceNo, Seq } from '../../port/journal.ts';
import type { Connection } from '../../schema/database.ts';

/** The transports to the cloud: over which a record was confirmed. */
export type Via = 'mqtt' | 'http' | 'batch';

/** Records that the cloud has refused for good. */
export const parked = sqliteTable('parked', {
  seq: integer().$type<Seq>().primaryKey(),
  deviceNo: integer('device_no').$type<DeviceNo>().notNull(),
  parkedAt: integer('parked_at').notNull(),
  code: integer().notNull(),
  reason: text().notNull(),
  /** Code and values of a reason that is a sentence of a box; null: it is the cloud's own. */
  said: text({ mode: 'json' }).$type<Coded>(),
  /** A person asked to send it again; the forwarder will. */
  sendAgain: integer('send_again', { mode: 'boolean' }).notNull(),
});

/**
 * The ledger: the cloud confirmed a device's records of one or both channels up to a seq, with the
 * time and the transport.
 */
export const confirmation = sqliteTable(
  'confirmation',
  {
    deviceNo: integer('device_no').$type<DeviceNo>().notNull(),
    upToSeq: integer('up_to_seq').notNull(),
    confirmedAt: integer('confirmed_at').notNull(),
    via: text().$type<Via>().notNull(),
    /** Bit 0: messages; bit 1: logs. */
    channels: integer().notNull().default(3),
  },
  table => [primaryKey({ columns: [table.deviceNo, table.upToSeq] })],
);

export type ParkedRecord = Readonly<typeof parked.$inferSelect>;

/** How far a device's messages and logs are forwarded. */
type Cursors = Readonly<Record<Channel, number>>;

/** Undefined for a device that was removed from the site. */
export const cursorsOf = ({ sql }: Connection, deviceNo: DeviceNo): Cursors | undefined =>
  sql(
    `SELECT max(forwarded_seq, forwarded_message_seq) AS device, max(forwarded_seq, forwarded_log_seq) AS log
       FROM device WHERE device_no = ?`,
  ).get(deviceNo) as Cursors | undefined;
