import { and, asc, between, eq } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { type Coded, codedText } from '../../../words/sentences.ts';
import type { OperationContext, Reading, ReadsOf, StorePart, WritesOf } from '../../domain.ts';
import { SegmentPacker } from '../../journal/segment.ts';
import type { DeviceNo, IncomingRecord } from '../../port/journal.ts';
import type { DeviceReads, DeviceWrites } from '../../readers/devices.ts';
import type { Connection } from '../../schema/database.ts';
import { type Params, query } from '../../schema/query.ts';
import { logDayCount } from '../../schema/records.ts';
import { inboxReads, inboxWrites } from './inbox.ts';
import { loginReads, loginWrites } from './logins.ts';

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
    /** Code and values of `msg`, where it is a sentence (`src/words`). */
    said: text({ mode: 'json' }).$type<Coded>(),
  },
  table => [
    uniqueIndex('batch_refusal_by_seq').on(table.boxNo, table.epoch, table.seq),
    index('batch_refusal_by_box').on(table.boxNo, table.id),
  ],
);

/** A line of a batch that was refused for good, as the box below is told. */
export type RefusedLine = Readonly<Pick<typeof batchRefusal.$inferSelect, 'seq' | 'code' | 'msg'>> & {
  readonly said?: Coded | undefined;
};

export interface Batch {
  readonly boxNo: DeviceNo;
  readonly epoch: string;
  readonly records: readonly { seq: number; record: IncomingRecord }[];
  readonly refused: readonly RefusedLine[];
  readonly ackedSeq: number;
}

/** Of each box: four full batches of which no line was taken. */
const refusedLinesMax = 4000;

function batchReads({ connection: { orm } }: Reading) {
  const cursorOf = query((value: Params<{ boxNo: number; epoch: string }>) =>
    orm
      .select({ seq: batchCursor.seq })
      .from(batchCursor)
      .where(and(eq(batchCursor.boxNo, value.boxNo), eq(batchCursor.epoch, value.epoch))),
  );
  const refusedLines = query((value: Params<{ boxNo: DeviceNo; epoch: string; from: number; to: number }>) =>
    orm
      .select({ seq: batchRefusal.seq, code: batchRefusal.code, msg: batchRefusal.msg, said: batchRefusal.said })
      .from(batchRefusal)
      .where(
        and(
          eq(batchRefusal.boxNo, value.boxNo),
          eq(batchRefusal.epoch, value.epoch),
          between(batchRefusal.seq, value.from, value.to),
        ),
      )
      .orderBy(asc(batchRefusal.seq)),
  );
  return {
    /** The highest `seq` of a batch of this box and epoch that is committed; 0 before the first. */
    batchCursor: async (boxNo: DeviceNo, epoch: string): Promise<number> => cursorOf.get({ boxNo, epoch })?.seq ?? 0,

    /**
     * The refused lines of a box and epoch with a `seq` between the two, both included, by `seq`.
     */
    batchRefusals: async (boxNo: DeviceNo, epoch: string, from: number, to: number): Promise<RefusedLine[]> =>
      refusedLines
        .all({ boxNo, epoch, from, to })
        .map(({ said, ...line }) => (said === null ? line : { ...line, said })),
  };
}

/**
 * One batch of a box below (CONTRACT 5): its records, its refused lines and the box's cursor in one
 * transaction. Lines with `seq` at or under the cursor are skipped: a batch that is sent again, or
 * cut by a power failure on either side, stores each record exactly once, and its refused lines are
 * known when it comes again. Of each box the newest 4000 refused lines are kept.
 */
function receiveBatch(context: OperationContext, batch: Batch): { stored: number } {
  context.refuseWhileBehind();
  const row = context
    .sql('SELECT seq FROM batch_cursor WHERE box_no = ? AND epoch = ?')
    .get(batch.boxNo, batch.epoch) as { seq: number } | undefined;
  const known = row?.seq ?? 0;
  const { packed, count } = newRecords(batch, known);
  if (count > 0) context.appendSegment(packed, count);
  noteBatch(context, batch, known);
  return { stored: count };
}

/** Those that came after what the box had brought before. */
export function newRecords({ records }: Batch, known: number): { packed: Buffer; count: number } {
  const packer = new SegmentPacker();
  for (const { seq, record } of records) if (seq > known) packer.add(record);
  const { memory, length, count } = packer.take();
  return { packed: Buffer.from(memory, 0, length), count };
}

/** The refused lines and the box's place, in the transaction of its records. */
export function noteBatch(
  { later }: Pick<Connection, 'later'>,
  { boxNo, epoch, refused, ackedSeq }: Batch,
  known: number,
): void {
  for (const { seq, code, msg, said } of refused)
    if (seq > known)
      later(
        'INSERT INTO batch_refusal (box_no, epoch, seq, code, msg, said) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (box_no, epoch, seq) DO NOTHING',
        ...[boxNo, epoch, seq, code, msg, codedText(said)],
      );
  if (refused.length > 0)
    later(
      'DELETE FROM batch_refusal WHERE box_no = ?1 AND id <= (SELECT id FROM batch_refusal WHERE box_no = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)',
      ...[boxNo, refusedLinesMax],
    );
  later(
    `INSERT INTO batch_cursor (box_no, epoch, seq) VALUES (?, ?, ?)
       ON CONFLICT (box_no, epoch) DO UPDATE SET seq = max(batch_cursor.seq, excluded.seq)`,
    ...[boxNo, epoch, ackedSeq],
  );
}

const batchWrites = { receiveBatch };

export type { InboxMessage } from './inbox.ts';
export type { DeviceEvent, GatewayName, RefusalNote } from './logins.ts';

/** For the gateways of devices. The journal, which takes the records, is beside it. */
export const gateway = {
  reads(reading: Reading) {
    const { orm } = reading.connection;
    const logsOfDay = query((value: Params<{ day: string }>) =>
      orm
        .select({ deviceNo: logDayCount.deviceNo, stored: logDayCount.stored })
        .from(logDayCount)
        .where(eq(logDayCount.day, value.day)),
    );
    return {
      ...inboxReads(reading),
      ...batchReads(reading),
      ...loginReads(reading),

      /**
       * Logs that were stored for each device on that day (`YYYY-MM-DD` in the site's time zone),
       * to go on counting after a restart.
       */
      logCounts: async (day: string): Promise<Map<DeviceNo, number>> =>
        new Map(logsOfDay.all({ day }).map(({ deviceNo, stored }) => [deviceNo, stored])),
    };
  },

  writes: { ...inboxWrites, ...batchWrites, ...loginWrites },
};

export type GatewayReads = ReadsOf<typeof gateway>;
export type GatewayWrites = WritesOf<typeof gateway>;
export type GatewayStore = StorePart<
  GatewayReads & Pick<DeviceReads, 'lastAddresses' | 'lastConnected' | 'newDevicesSince' | 'wereHere'>,
  GatewayWrites & DeviceWrites
>;
