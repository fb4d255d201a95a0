import type { Connection } from '../schema/database.ts';

/** Blocks dropped in one step: some thousand pages are freed, and few of them written. */
const stepBlocks = 50;

interface Dropped {
  readonly first_seq: number;
  readonly count: number;
}

/**
 * Drops the oldest blocks whose newest log is old. `isOld`: a condition of SQL on `log_block`, with
 * two parameters. Returns how many logs they had.
 */
export function dropOldBlocks({ sql }: Pick<Connection, 'sql'>, isOld: string, before: number, now: number): number {
  const old = sql(`SELECT first_seq, count FROM log_block WHERE ${isOld} ORDER BY first_seq LIMIT ${stepBlocks}`).all(
    before,
    now,
  ) as unknown as Dropped[];
  return drop({ sql }, old);
}

/**
 * Drops the blocks of a segment that was dropped, but for those that hold logs of another segment
 * too: they go with the last of them.
 */
export function dropBlocksOfSegment({ sql }: Pick<Connection, 'sql'>, firstSeq: number, lastSeq: number): void {
  const without = sql(
    `SELECT first_seq, count FROM log_block
       WHERE first_seq BETWEEN coalesce((SELECT max(first_seq) FROM log_block WHERE first_seq <= ?1), ?1) AND ?2
         AND last_seq >= ?1
         AND NOT EXISTS (SELECT 1 FROM segment WHERE segment.first_seq BETWEEN
           coalesce((SELECT max(first_seq) FROM segment WHERE first_seq <= log_block.first_seq), 0) AND log_block.last_seq
           AND segment.first_seq + segment.count > log_block.first_seq)`,
  ).all(firstSeq, lastSeq) as unknown as Dropped[];
  drop({ sql }, without);
}

/** About `mostBytes` of the oldest ones, but at least one. Returns how many logs they had. */
export function dropOldestBlocks({ sql }: Pick<Connection, 'sql'>, mostBytes: number): number {
  const oldest = sql(
    `SELECT first_seq, log_block.count, length(sealed_logs) AS bytes FROM log_block JOIN log_block_content USING (first_seq)
       ORDER BY first_seq LIMIT ${stepBlocks}`,
  ).all() as unknown as (Dropped & { bytes: number })[];
  let left = mostBytes;
  return drop(
    { sql },
    oldest.filter(({ bytes }, index) => {
      const goes = index === 0 || left > 0;
      left -= bytes;
      return goes;
    }),
  );
}

function drop({ sql }: Pick<Connection, 'sql'>, blocks: readonly Dropped[]): number {
  let logs = 0;
  for (const { first_seq: firstSeq, count } of blocks) {
    sql('DELETE FROM log_block WHERE first_seq = ?').run(firstSeq);
    sql('DELETE FROM log_block_content WHERE first_seq = ?').run(firstSeq);
    logs += count;
  }
  return logs;
}
