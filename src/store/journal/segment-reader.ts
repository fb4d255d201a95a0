import type {
  Channel,
  DeviceNo,
  DeviceNos,
  JournalRead,
  JournalReading,
  JournalRecord,
  Seq,
  Tally,
} from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { isReadFailure } from '../schema/engine-failures.ts';
import { unpack } from './segment.ts';
import { eachDevice, readSegment, someDevice, UnreadableSegment } from './segment-row.ts';
import { firstReadable } from './unreadable-places.ts';

/** The row of a segment without its records. */
export interface SegmentHead {
  readonly first_seq: number;
  readonly count: number;
  readonly devices: Uint8Array;
}

/**
 * Heads read in one query, and kept for the readings that follow; doubled after a query that found
 * nothing wanted.
 */
const headsAtFirst = 16;
const headsAtMost = 256;
/** In one reading, which holds the event loop: a few milliseconds. */
const headsLookedAtMax = 2048;

/**
 * Reads segments in order on a read-only connection. A segment without a record that is asked for
 * is not opened: its head tells. What cannot be read is passed over, and noted in the connection's
 * `unreadable`.
 */
export class SegmentReader {
  readonly #connection: Connection;
  /**
   * Opened segments, oldest first: many devices read the same place one after another. Few, for a
   * buffer that is kept for long is freed only when the whole heap is collected.
   */
  readonly #opened = new Map<number, Buffer>();
  #openedBytes = 0;
  readonly #openedBytesMax: number;
  /** Heads behind `#knownAfter`, as far as they are known: most readings go on from the last. */
  #known: readonly SegmentHead[] = [];
  #knownAfter = 0;

  constructor(connection: Connection, openedBytesMax = 2 << 20) {
    this.#connection = connection;
    this.#openedBytesMax = openedBytesMax;
  }

  /** See Journal.read. `lastSeq`: the last committed record. */
  read(after: Seq, lastSeq: Seq, options: JournalReading): JournalRead {
    const records: JournalRecord[] = [];
    let through = after as number;
    let bytes = 0;
    const { deviceNos, wanted } = options;
    const asked = (deviceNo: DeviceNo, seq: number, channel: Channel) =>
      seq > after && (wanted ? wanted(deviceNo, seq, channel) : !deviceNos || deviceNos.has(deviceNo, channel));
    let looked = 0;
    for (let step = headsAtFirst; through < lastSeq; step = Math.min(step * 2, headsAtMost)) {
      if (looked >= headsLookedAtMax) return { records, through: through as Seq };
      const heads = this.#headsToRead(through, step, lastSeq);
      looked += heads.length;
      if (heads.length === 0) return { records, through: lastSeq };
      for (const head of heads) {
        through = lastOf(head);
        if (!holdsAny(head, deviceNos)) continue;
        const packed = this.open(head.first_seq);
        if (!packed) continue;
        unpack(packed, head.first_seq, record => records.push(record), asked);
        bytes += packed.length;
        if (bytes >= options.bytesMax) return { records, through: through as Seq };
      }
    }
    return { records, through: Math.max(through, lastSeq) as Seq };
  }

  /** Those that an earlier reading has found, or else the next ones on disk. */
  #headsToRead(after: number, atMost: number, lastSeq: number): readonly SegmentHead[] {
    if (after >= this.#knownAfter) {
      const next = this.#known.findIndex(head => lastOf(head) > after);
      if (next >= 0) return this.#known.slice(next);
    }
    const heads = this.heads(after, atMost, lastSeq);
    if (atMost === headsAtFirst) {
      this.#known = heads;
      this.#knownAfter = after;
    }
    return heads;
  }

  /** See Journal.tally. */
  tally(after: Seq, lastSeq: Seq, segmentsMax = Number.POSITIVE_INFINITY): Tally {
    const byDevice = new Map<DeviceNo, number>();
    let through = after as number;
    for (let looked = 0; through < lastSeq; ) {
      if (looked >= segmentsMax) return { through: through as Seq, byDevice };
      const heads = this.heads(through, headsAtMost, lastSeq);
      if (heads.length === 0) break;
      looked += heads.length;
      for (const head of heads) {
        through = lastOf(head);
        eachDevice(head.devices, (device, count) => {
          if (count > 0) byDevice.set(device, (byDevice.get(device) ?? 0) + count);
        });
      }
    }
    return { through: Math.max(through, lastSeq) as Seq, byDevice };
  }

  record(seq: Seq): JournalRecord | null {
    const head = this.#connection
      .sql('SELECT first_seq, count FROM segment WHERE first_seq <= ? ORDER BY first_seq DESC LIMIT 1')
      .get(seq) as { first_seq: number; count: number } | undefined;
    if (!head || seq >= head.first_seq + head.count) return null;
    const packed = this.open(head.first_seq);
    let found: JournalRecord | null = null;
    if (packed)
      unpack(
        packed,
        head.first_seq,
        record => {
          found = record;
        },
        (_, one) => one === seq,
      );
    return found;
  }

  /**
   * The segment that holds the record after `after`, and those behind it, up to `lastSeq`. The disk
   * may already hold a segment whose commit was not reported yet: for readers it is not there.
   */
  heads(after: number, atMost = headsAtMost, lastSeq: number = Number.POSITIVE_INFINITY): SegmentHead[] {
    try {
      return this.#headsAfter(after, atMost, lastSeq);
    } catch (error) {
      if (!isReadFailure(error)) throw error;
      return this.#headPastDamage(after, lastSeq);
    }
  }

  #headsAfter(after: number, atMost: number, lastSeq: number): SegmentHead[] {
    const rows = this.#connection
      .sql(
        `SELECT first_seq, count, devices FROM segment
         WHERE first_seq >= coalesce((SELECT max(first_seq) FROM segment WHERE first_seq <= ?), 0) ORDER BY first_seq LIMIT ?`,
      )
      .all(after + 1, atMost) as unknown as SegmentHead[];
    return rows.filter(head => lastOf(head) > after && head.first_seq <= lastSeq);
  }

  /** The next head that can be read, alone. */
  #headPastDamage(after: number, lastSeq: number): SegmentHead[] {
    try {
      return this.#headsAfter(after, 1, lastSeq);
    } catch (error) {
      if (!isReadFailure(error)) throw error;
    }
    const next = firstReadable(this.#connection, after + 1);
    const last = Math.min(lastSeq, next === null ? lastSeq : next - 1);
    if (Number.isFinite(last)) this.#connection.unreadable.addGap({ first: after + 1, last });
    return next === null ? [] : this.#headsAfter(next - 1, 1, lastSeq);
  }

  /** Null when the segment is gone or damaged. */
  open(firstSeq: number): Buffer | null {
    const known = this.#opened.get(firstSeq);
    if (known) return known;
    try {
      const packed = readSegment(this.#connection, firstSeq);
      if (packed) this.#keep(firstSeq, packed);
      return packed;
    } catch (error) {
      if (error instanceof UnreadableSegment) return null;
      throw error;
    }
  }

  /** Drops these segments from the cache, because they were rewritten. */
  forget(firstSeqs: readonly number[]): void {
    for (const firstSeq of firstSeqs) {
      const known = this.#opened.get(firstSeq);
      if (!known) continue;
      this.#opened.delete(firstSeq);
      this.#openedBytes -= known.length;
    }
  }

  #keep(firstSeq: number, packed: Buffer): void {
    this.#opened.set(firstSeq, packed);
    this.#openedBytes += packed.length;
    for (const [oldest, bytes] of this.#opened) {
      if (this.#openedBytes <= this.#openedBytesMax) break;
      this.#opened.delete(oldest);
      this.#openedBytes -= bytes.length;
    }
  }
}

const lastOf = ({ first_seq, count }: SegmentHead): number => first_seq + count - 1;

function holdsAny(head: SegmentHead, deviceNos: DeviceNos | undefined): boolean {
  return !deviceNos || someDevice(head.devices, (device, channel) => deviceNos.has(device, channel));
}
