import { SegmentPacker } from '../journal/segment.ts';
import type { DeviceNo, JournalRecord } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { blockDevices, type Gap, openBlock, packBlockDevices, sealBlock, UnreadableBlock } from './block.ts';

/** Before they are compressed. A reader opens such a block in a millisecond. */
const blockBytesMax = 256 << 10;
/**
 * A newest block below this is written again, together with what comes: while somebody looks, the
 * tables take a log each second, and a block of one log would cost a search as much as a large one.
 */
const growsBelowBytes = 16 << 10;
/** Retention drops blocks as a whole, by their newest log: no log stays longer than this for it. */
const receivedWithinMs = 3600 * 1000;

/** A block that still takes logs. */
interface OpenBlock {
  readonly packer: SegmentPacker;
  readonly firstSeq: number;
  lastSeq: number;
  receivedFrom: number;
  receivedTo: number;
  readonly gaps: Gap[];
  readonly counts: Map<DeviceNo, number>;
}

interface StoredBlock {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly received_from: number;
  readonly received_to: number;
  readonly count: number;
  readonly devices: Uint8Array;
  readonly device_counts: Uint8Array;
  readonly sealed_logs: Uint8Array;
}

/**
 * Packs logs into blocks, in the order of their seqs and within the transactions of its caller, who
 * ends each of them with `finish` or `forget`.
 */
export class LogBlockWriter {
  readonly #connection: Connection;
  #open: OpenBlock | null = null;
  /** Whether this transaction has written a block or looked for one to go on with. */
  #isBegun = false;
  /** Used for one block after the other. */
  #memory = new SharedArrayBuffer(blockBytesMax);
  readonly #sealingRoom = Buffer.allocUnsafeSlow(blockBytesMax);
  /** Of sealed blocks, since the start. */
  writtenBytes = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  add(log: JournalRecord): void {
    if (!this.#isBegun) {
      this.#isBegun = true;
      this.#open = this.#newest(log.seq);
    }
    let block = this.#open;
    if (block && !fits(block, log)) {
      this.#write(block);
      block = null;
    }
    if (!block) {
      block = {
        packer: new SegmentPacker(this.#memory),
        firstSeq: log.seq,
        lastSeq: log.seq - 1,
        receivedFrom: log.receivedAt,
        receivedTo: log.receivedAt,
        gaps: [],
        counts: new Map(),
      };
      this.#open = block;
    }
    const skipped = log.seq - block.lastSeq - 1;
    if (skipped > 0) block.gaps.push({ index: block.packer.count, skipped });
    block.packer.add(log);
    block.lastSeq = log.seq;
    if (log.receivedAt < block.receivedFrom) block.receivedFrom = log.receivedAt;
    if (log.receivedAt > block.receivedTo) block.receivedTo = log.receivedAt;
    block.counts.set(log.deviceNo, (block.counts.get(log.deviceNo) ?? 0) + 1);
  }

  /** Writes what it has; the caller commits. */
  finish(): void {
    if (this.#open) this.#write(this.#open);
    this.#isBegun = false;
  }

  /** The caller rolls back. */
  forget(): void {
    this.#open = null;
    this.#isBegun = false;
  }

  /** The newest block, if it is small and before `seq`. A damaged one stays as it is. */
  #newest(seq: number): OpenBlock | null {
    const { sql, seal } = this.#connection;
    const stored = sql(
      `SELECT * FROM log_block JOIN log_block_content USING (first_seq)
         WHERE first_seq = (SELECT max(first_seq) FROM log_block) AND bytes < ? AND last_seq < ?`,
    ).get(growsBelowBytes, seq) as unknown as StoredBlock | undefined;
    if (!stored) return null;
    try {
      const { firstSeq, gaps, packed } = openBlock(seal, stored.sealed_logs, stored.first_seq);
      const packer = new SegmentPacker(this.#memory);
      packer.addPacked(packed, stored.count);
      return {
        ...{ packer, firstSeq, lastSeq: stored.last_seq, gaps: [...gaps] },
        ...{ receivedFrom: stored.received_from, receivedTo: stored.received_to },
        counts: new Map(blockDevices(stored.devices, stored.device_counts)),
      };
    } catch (error) {
      if (!(error instanceof UnreadableBlock)) throw error;
      return null;
    }
  }

  #write(block: OpenBlock): void {
    const { later, seal } = this.#connection;
    const { packer, firstSeq, lastSeq, receivedFrom, receivedTo, gaps, counts } = block;
    const { packed, count } = packer;
    const { devices, deviceCounts } = packBlockDevices(counts);
    const sealed = sealBlock(seal, { firstSeq, gaps, packed }, this.#sealingRoom);
    later(
      `INSERT INTO log_block (first_seq, last_seq, received_from, received_to, count, bytes, devices)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (first_seq) DO UPDATE SET last_seq = excluded.last_seq, received_from = excluded.received_from,
           received_to = excluded.received_to, count = excluded.count, bytes = excluded.bytes, devices = excluded.devices`,
      ...[firstSeq, lastSeq, receivedFrom, receivedTo, count, packed.length, devices],
    );
    later(
      `INSERT INTO log_block_content (first_seq, device_counts, sealed_logs) VALUES (?, ?, ?)
         ON CONFLICT (first_seq) DO UPDATE SET device_counts = excluded.device_counts, sealed_logs = excluded.sealed_logs`,
      ...[firstSeq, deviceCounts, sealed],
    );
    this.writtenBytes += sealed.length;
    this.#memory = packer.take().memory;
    this.#open = null;
  }
}

function fits({ packer, receivedFrom, receivedTo }: OpenBlock, { payload, receivedAt }: JournalRecord): boolean {
  return (
    packer.bytes + payload.length <= blockBytesMax &&
    receivedTo - receivedAt <= receivedWithinMs &&
    receivedAt - receivedFrom <= receivedWithinMs
  );
}

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
