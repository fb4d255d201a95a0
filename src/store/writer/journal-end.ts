import { channelBits, summarize } from '../journal/segment.ts';
import { packDevices, sealSegment } from '../journal/segment-row.ts';
import type { Projection } from '../projection/projection.ts';
import type { SharedJournal, WriterEngine } from './engine.ts';
import { nothingWritten, type WriteCounts } from './wear.ts';

const sealingRoomBytes = 256 << 10;

/**
 * The end of the journal: the last number used, and what was written since the start. Both advance
 * within a transaction, and are undone with one that is rolled back.
 */
export class JournalEnd {
  readonly #engine: WriterEngine;
  readonly #projection: Projection;
  readonly #isAwaited: (packed: Buffer) => boolean;
  /** The last record of the newest segment with one that a part of the box waits for. */
  awaitedSeq = 0;
  #lastSeq: number;
  #written: WriteCounts = nothingWritten;
  #appendedBytes = 0;
  /**
   * Segments are sealed into the same memory: allocating it for each costs more than half as much
   * as the cipher. A larger segment gets its own.
   */
  readonly #sealingRoom = Buffer.allocUnsafeSlow(sealingRoomBytes);

  constructor(engine: WriterEngine, projection: Projection, isAwaited: (packed: Buffer) => boolean) {
    this.#engine = engine;
    this.#isAwaited = isAwaited;
    this.#projection = projection;
    const last = engine.connection
      .sql('SELECT first_seq + count - 1 AS seq FROM segment ORDER BY first_seq DESC LIMIT 1')
      .get() as { seq: number } | undefined;
    // Retention may have emptied the journal: numbers are never used twice.
    this.#lastSeq = Math.max(last?.seq ?? 0, projection.seq);
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get written(): WriteCounts {
    return this.#written;
  }

  /** Bytes of sealed segments since the start, those that were undone included. */
  get appendedBytes(): number {
    return this.#appendedBytes;
  }

  /**
   * Seals a segment and writes it; `packed` is not needed any more then. Hand-written SQL, because
   * it runs for each segment.
   */
  append(packed: Buffer, count: number): void {
    const { connection } = this.#engine;
    const firstSeq = this.#engine.place(count, this.#lastSeq);
    const { receivedFrom, receivedTo, channels, forwardable, payloadBytes } = summarize(packed);
    const sealed = sealSegment(connection.seal, packed, firstSeq, this.#sealingRoom);
    connection.later(
      'INSERT INTO segment (first_seq, count, received_from, received_to, channels, devices, sealed_records) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[firstSeq, count, receivedFrom, receivedTo, channels, packDevices(forwardable), sealed],
    );
    this.#appended({ packed, count, firstSeq, channels, payloadBytes, sealedBytes: sealed.length });
  }

  /** Seals segments first, and then appends all of them by one statement. */
  appendUnnumbered(
    journal: SharedJournal,
    chunks: readonly { readonly packed: Buffer; readonly count: number }[],
  ): void {
    const places = journal.places();
    const segments = chunks.map(({ packed, count }, index) => {
      const { receivedFrom, receivedTo, channels, forwardable, payloadBytes } = summarize(packed);
      const place = places(index);
      const sealed = sealSegment(this.#engine.connection.seal, packed, place);
      const devices = packDevices(forwardable);
      return { packed, count, receivedFrom, receivedTo, channels, devices, payloadBytes, place, sealed };
    });
    let firstSeq = journal.append(segments);
    for (const { packed, count, channels, payloadBytes, sealed } of segments) {
      this.#appended({ packed, count, firstSeq, channels, payloadBytes, sealedBytes: sealed.length });
      firstSeq += count;
    }
  }

  #appended(segment: {
    readonly packed: Buffer;
    readonly count: number;
    readonly firstSeq: number;
    readonly channels: number;
    readonly payloadBytes: number;
    readonly sealedBytes: number;
  }): void {
    const { packed, count, firstSeq, channels, payloadBytes, sealedBytes } = segment;
    this.#lastSeq = firstSeq + count - 1;
    if ((channels & channelBits.device) !== 0 && this.#isAwaited(packed)) this.awaitedSeq = this.#lastSeq;
    this.#appendedBytes += sealedBytes;
    this.#written = {
      ...this.#written,
      records: this.#written.records + count,
      payloadBytes: this.#written.payloadBytes + payloadBytes,
    };
    this.#projection.remember(firstSeq, packed, count);
  }

  /** Another process has appended up to here. */
  follow(lastSeq: number): void {
    this.#lastSeq = Math.max(this.#lastSeq, lastSeq);
  }

  /** Returns to the state before a transaction, or before one of its operations. */
  undoTo(lastSeq: number, written: WriteCounts): void {
    this.#lastSeq = lastSeq;
    this.#written = written;
    this.#projection.forgetFrom(lastSeq + 1);
  }

  /** A commit was synced. One that changed nothing writes nothing, and is not counted. */
  onSynced(): void {
    this.#written = { ...this.#written, syncs: this.#written.syncs + 1 };
  }
}
