import { SegmentPacker } from '../../journal/segment.ts';
import type { StoreWrites } from '../../port/store.ts';
import type { OperationContext } from '../operation-context.ts';

/** Of each box: four full batches of which no line was taken. */
const refusedLinesMax = 4000;

/**
 * A batch of a box below (CONTRACT 5): its records, its refused lines and the box's cursor in one
 * transaction. A batch that is sent again, or cut by a power failure on either side, stores each
 * record exactly once, and its refused lines are known when it comes again.
 */
export function receiveBatch(
  context: OperationContext,
  { boxNo, epoch, records, refused, ackedSeq }: Parameters<StoreWrites['receiveBatch']>[0],
): { stored: number } {
  const { sql } = context;
  context.refuseWhileBehind();
  const row = sql('SELECT seq FROM batch_cursor WHERE box_no = ? AND epoch = ?').get(boxNo, epoch) as
    | { seq: number }
    | undefined;
  const known = row?.seq ?? 0;
  const packer = new SegmentPacker();
  for (const { seq, record } of records) if (seq > known) packer.add(record);
  if (packer.count > 0) {
    const { memory, length, count } = packer.take();
    context.appendSegment(Buffer.from(memory, 0, length), count);
  }
  const remember = sql(
    'INSERT INTO batch_refusal (box_no, epoch, seq, code, msg) VALUES (?, ?, ?, ?, ?) ON CONFLICT (box_no, epoch, seq) DO NOTHING',
  );
  for (const { seq, code, msg } of refused) if (seq > known) remember.run(boxNo, epoch, seq, code, msg);
  if (refused.length > 0)
    sql(
      'DELETE FROM batch_refusal WHERE box_no = ?1 AND id <= (SELECT id FROM batch_refusal WHERE box_no = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)',
    ).run(boxNo, refusedLinesMax);
  sql(
    `INSERT INTO batch_cursor (box_no, epoch, seq) VALUES (?, ?, ?)
       ON CONFLICT (box_no, epoch) DO UPDATE SET seq = max(batch_cursor.seq, excluded.seq)`,
  ).run(boxNo, epoch, ackedSeq);
  return { stored: packer.count };
}
