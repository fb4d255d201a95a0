import { SegmentPacker } from '../journal/segment.ts';
import type { DeviceNo, JournalRecord } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { type Gap, openBlock, sealBlock, UnreadableBlock } from './block.ts';
import { blockDevices, packBlockDevices } from './block-devices.ts';

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
