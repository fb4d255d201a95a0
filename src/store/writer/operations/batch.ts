import { SegmentPacker } from '../../journal/segment.ts';
import type { StoreWrites } from '../../port/store.ts';
import type { OperationContext } from '../operation-context.ts';

/**
 * A batch of a box below (CONTRACT 5): its records and the box's cursor in one transaction, so that
 * a batch that is sent again, or cut by a power failure on either side, stores each record exactly
 * once.
 */
export function receiveBatch(
  context: OperationContext,
  { boxNo, epoch, records, ackedSeq }: Parameters<StoreWrites['receiveBatch']>[0],
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
  sql(
    'INSERT INTO batch_cursor (box_no, epoch, seq) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET seq = max(seq, excluded.seq)',
  ).run(boxNo, epoch, ackedSeq);
  return { stored: packer.count };
}
