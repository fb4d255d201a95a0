import type { OperationContext } from '../../domain.ts';
import { SegmentPacker } from '../../journal/segment.ts';
import type { StoreWrites } from '../../port/store.ts';
import type { Connection } from '../../schema/database.ts';

/** Of each box: four full batches of which no line was taken. */
const refusedLinesMax = 4000;

export type Batch = Parameters<StoreWrites['receiveBatch']>[0];

/**
 * A batch of a box below (CONTRACT 5): its records, its refused lines and the box's cursor in one
 * transaction. A batch that is sent again, or cut by a power failure on either side, stores each
 * record exactly once, and its refused lines are known when it comes again.
 */
export function receiveBatch(context: OperationContext, batch: Batch): { stored: number } {
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
  for (const { seq, code, msg } of refused)
    if (seq > known)
      later(
        'INSERT INTO batch_refusal (box_no, epoch, seq, code, msg) VALUES (?, ?, ?, ?, ?) ON CONFLICT (box_no, epoch, seq) DO NOTHING',
        ...[boxNo, epoch, seq, code, msg],
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
