import type { DeviceNo } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { isReadFailure } from '../schema/engine-failures.ts';
import { blockDevices, deviceBit, holdsDevice, type LogBlock, openBlock, UnreadableBlock } from './block.ts';

/** Which blocks are asked for: those that may hold a log between two seqs, both excluded. */
export interface BlockQuery {
  readonly after: number;
  readonly before: number;
  readonly deviceNo?: DeviceNo | undefined;
  /** Inclusive, by time of receipt. */
  readonly from?: number | undefined;
  /** Exclusive. */
  readonly to?: number | undefined;
}

/** The row of a block without its logs. */
interface BlockHead {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly count: number;
}

/** In one statement: a millisecond or two. */
const headsLookedAt = 4096;
const headsFound = 64;
const openedMax = 4;

/**
 * Reads blocks on a read-only connection. A block without a log that is asked for is not opened:
 * its head tells. A damaged one is passed over, and told to `onDamaged`.
 */
export class LogBlockReader {
  readonly #connection: Connection;
  readonly #onDamaged: (firstSeq: number) => void;
  /** Opened blocks, oldest first: pages go through the same block one after another. */
  readonly #opened = new Map<number, { readonly lastSeq: number; readonly block: LogBlock }>();

  constructor(connection: Connection, onDamaged: (firstSeq: number) => void) {
    this.#connection = connection;
    this.#onDamaged = onDamaged;
  }

  /** The seq of the newest log in a block; 0: there is none. */
  newestSeq(): number {
    const newest = 'SELECT last_seq FROM log_block ORDER BY first_seq DESC LIMIT 1';
    return (this.#connection.sql(newest).get() as { last_seq: number } | undefined)?.last_seq ?? 0;
  }

  /**
   * The heads of the blocks that may hold what is asked for, in the order of their seqs or against
   * it. Between them comes a seq: all blocks up to there were looked at. A turn may end after
   * each.
   */
  *heads(query: BlockQuery, order: 'ASC' | 'DESC'): Iterable<BlockHead | number> {
    const { sql } = this.#connection;
    const { after, before, deviceNo, from, to } = query;
    const isUp = order === 'ASC';
    const place = `first_seq BETWEEN ?1 AND ?2 ORDER BY first_seq ${order}`;
    const step = sql(`SELECT first_seq FROM log_block WHERE ${place} LIMIT 1 OFFSET ${headsLookedAt}`);
    const own = deviceNo === undefined ? '' : `AND ${holdsDevice(6)}`;
    const fitting = sql(
      `SELECT first_seq, last_seq, count FROM log_block
         WHERE last_seq > ?3 AND received_to >= ?4 AND received_from < ?5 ${own} AND ${place} LIMIT ${headsFound}`,
    );
    const asked = [after, from ?? Number.MIN_SAFE_INTEGER, to ?? Number.MAX_SAFE_INTEGER];
    const device = deviceNo === undefined ? [] : deviceBit(deviceNo);
    let lowest = this.#firstWith(after + 1);
    let highest = before - 1;
    while (lowest <= highest) {
      const end = step.get(lowest, highest) as { first_seq: number } | undefined;
      const [low, high] = isUp ? [lowest, end?.first_seq ?? highest] : [end?.first_seq ?? lowest, highest];
      const found = fitting.all(low, high, ...asked, ...device) as unknown as BlockHead[];
      yield* found;
      const through = found.length === headsFound ? found.at(-1)!.first_seq : isUp ? high : low;
      yield through;
      if (isUp) lowest = through + 1;
      else highest = through - 1;
    }
  }

  /** The first seq of the block that holds `seq`, or of none: blocks from there on. */
  #firstWith(seq: number): number {
    const before = 'SELECT max(first_seq) AS first FROM log_block WHERE first_seq <= ?';
    return (this.#connection.sql(before).get(seq) as { first: number | null }).first ?? 0;
  }

  /** Null when the block is gone or damaged. It may hold newer logs than its head said. */
  open({ first_seq: firstSeq, last_seq: lastSeq }: BlockHead): LogBlock | null {
    const known = this.#opened.get(firstSeq);
    if (known?.lastSeq === lastSeq) return known.block;
    const { sql, seal } = this.#connection;
    try {
      const row = sql('SELECT sealed_logs FROM log_block_content WHERE first_seq = ?').get(firstSeq) as
        | { sealed_logs: Uint8Array }
        | undefined;
      if (!row) return null;
      const block = openBlock(seal, row.sealed_logs, firstSeq);
      this.#opened.delete(firstSeq);
      this.#opened.set(firstSeq, { lastSeq, block });
      for (const oldest of this.#opened.keys()) if (this.#opened.size > openedMax) this.#opened.delete(oldest);
      return block;
    } catch (error) {
      if (!(error instanceof UnreadableBlock) && !isReadFailure(error)) throw error;
      this.#onDamaged(firstSeq);
      return null;
    }
  }

  /** How many logs of a device a block has, without opening it. */
  countOf({ first_seq: firstSeq }: BlockHead, deviceNo: DeviceNo): number {
    const row = this.#connection
      .sql('SELECT devices, device_counts FROM log_block JOIN log_block_content USING (first_seq) WHERE first_seq = ?')
      .get(firstSeq) as { devices: Uint8Array; device_counts: Uint8Array } | undefined;
    if (row)
      for (const [one, count] of blockDevices(row.devices, row.device_counts)) if (one === deviceNo) return count;
    return 0;
  }
}
