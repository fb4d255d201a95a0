import type { JournalRecord, Seq } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { isReadFailure } from '../schema/engine-failures.ts';
import { OpenedSegments } from './opened-segments.ts';
import { unpack } from './segment.ts';
import { readSegment, UnreadableSegment } from './segment-row.ts';
import { firstReadable } from './unreadable-places.ts';

/** The row of a segment without its records. */
export interface SegmentHead {
  readonly first_seq: number;
  readonly count: number;
  readonly devices: Uint8Array;
}

/** Of the segment that holds a record, and of those behind it. */
export const headsQuery = `SELECT first_seq, count, devices FROM segment
  WHERE first_seq >= coalesce((SELECT max(first_seq) FROM segment WHERE first_seq <= ?), 0) ORDER BY first_seq LIMIT ?`;

export const headsAfter = (heads: readonly SegmentHead[], after: number, lastSeq: number): SegmentHead[] =>
  heads.filter(head => lastOf(head) > after && head.first_seq <= lastSeq);

/** Heads read in one query, unless the caller says otherwise. */
const headsTogether = 256;

/**
 * Reads segments on a read-only connection. What cannot be read is passed over, and noted in the
 * connection's `unreadable`.
 */
export class SegmentReader {
  readonly #connection: Connection;
  readonly #opened: OpenedSegments;

  constructor(connection: Connection, openedBytesMax?: number) {
    this.#connection = connection;
    this.#opened = new OpenedSegments(openedBytesMax);
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
  heads(after: number, atMost = headsTogether, lastSeq: number = Number.POSITIVE_INFINITY): SegmentHead[] {
    try {
      return this.#headsAfter(after, atMost, lastSeq);
    } catch (error) {
      if (!isReadFailure(error)) throw error;
      return this.#headPastDamage(after, lastSeq);
    }
  }

  #headsAfter(after: number, atMost: number, lastSeq: number): SegmentHead[] {
    const rows = this.#connection.sql(headsQuery).all(after + 1, atMost) as unknown as SegmentHead[];
    return headsAfter(rows, after, lastSeq);
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
      if (packed) this.#opened.keep(firstSeq, packed);
      return packed;
    } catch (error) {
      if (error instanceof UnreadableSegment) return null;
      throw error;
    }
  }

  /** Drops these segments from the cache, because they were rewritten. */
  forget(firstSeqs: readonly number[]): void {
    this.#opened.forget(firstSeqs);
  }
}

export const lastOf = ({ first_seq, count }: SegmentHead): number => first_seq + count - 1;
