import type { Connection } from '../schema/database.ts';
import type { BoxCursor } from '../writer/engine.ts';

/**
 * Holds the cursors of boxes below until the commit, so that two processes that got the same batch
 * store it once. They are locked in one order, so that no two processes deadlock.
 */
export function holdBoxCursors({ each }: Pick<Connection, 'each'>, boxes: readonly BoxCursor[]): number[] {
  const keyOf = ({ boxNo, epoch }: BoxCursor): string => `${String(boxNo).padStart(16, '0')} ${epoch}`;
  const byKey = new Map(boxes.map(box => [keyOf(box), box]));
  const keys = [...byKey.keys()].sort();
  const known = new Map<string, number>();
  for (const statement of [
    'SELECT seq FROM batch_cursor WHERE box_no = ? AND epoch = ? FOR UPDATE',
    // The first batch of a box: it may come to two processes at once, too.
    `INSERT INTO batch_cursor (box_no, epoch, seq) VALUES (?, ?, 0)
       ON CONFLICT (box_no, epoch) DO UPDATE SET seq = batch_cursor.seq RETURNING seq`,
  ]) {
    const unknown = keys.filter(key => !known.has(key));
    const rows = each(
      statement,
      unknown.map(key => [byKey.get(key)!.boxNo, byKey.get(key)!.epoch]),
    ) as readonly ({ readonly seq: number } | undefined)[];
    for (const [index, key] of unknown.entries()) if (rows[index]) known.set(key, rows[index].seq);
  }
  return boxes.map(box => known.get(keyOf(box))!);
}
