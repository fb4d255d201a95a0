import { type Batch, newRecords, noteBatch } from '../domains/gateway/gateway.ts';
import { behindTooFar } from '../journal/lag.ts';
import { channelBits, SegmentPacker, summarize } from '../journal/segment.ts';
import { packDevices, sealSegment } from '../journal/segment-row.ts';
import type { Projection } from '../projection/projection.ts';
import { type Connection, failureOf } from '../schema/database.ts';
import type { SharedJournal, WriterEngine } from './engine.ts';
import type { Reply, Request } from './messages.ts';
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

interface Chunk {
  readonly packed: Buffer;
  readonly count: number;
}

type BatchRequest = Extract<Request, { kind: 'operation' }>;

interface RecordParts {
  readonly connection: Connection;
  readonly end: JournalEnd;
  /** The tables are too far behind. */
  readonly isBehind: () => boolean;
}

/** As much is sealed into one segment, and as much is sent in one statement. */
const segmentBytesMax = 128 << 10;
const statementBytesMax = 8 << 20;

const isBatch = (request: Request): request is BatchRequest =>
  request.kind === 'operation' && request.name === 'receiveBatch';

/** Records that devices or boxes below have sent, and what changes nothing. */
export const isOfRecords = (request: Request): boolean => request.kind !== 'operation' || isBatch(request);

/** The reply to one that was committed. */
export function answered(request: Request, { lastSeq, written }: Pick<JournalEnd, 'lastSeq' | 'written'>): Reply {
  const { id } = request;
  if (request.kind !== 'append') return { kind: 'done', id, value: null, lastSeq, written };
  return { kind: 'appended', id, lastSeq, memories: request.chunks.map(({ memory }) => memory), written };
}

/**
 * Appends records where several processes do. They wait for the end of the journal alone, while
 * operations wait for each other, in whichever process.
 */
export class RecordRequests {
  readonly #journal: SharedJournal;
  readonly #parts: RecordParts;

  constructor(journal: SharedJournal, parts: RecordParts) {
    this.#journal = journal;
    this.#parts = parts;
  }

  /** Throws what the engine throws; a batch that fails by itself fails alone. */
  run(requests: readonly Request[]): Reply[] {
    const batches = requests.filter(isBatch);
    if (batches.length === 0) return this.#append(requests);
    if (this.#parts.isBehind())
      return [
        ...batches.map(({ id }): Reply => ({ kind: 'failed', id, code: 'too_busy', message: behindTooFar })),
        ...this.#append(requests.filter(request => !isBatch(request))),
      ];
    const { connection, end } = this.#parts;
    const { lastSeq, written } = end;
    try {
      return this.#receive(requests, batches);
    } catch (error) {
      if (failureOf(error) !== null) throw error;
      if (connection.database.isTransaction) connection.database.exec('ROLLBACK');
      end.undoTo(lastSeq, written);
      if (requests.length > 1) return requests.flatMap(request => this.run([request]));
      const message = `receiveBatch: ${(error as Error).message}`;
      return [{ kind: 'failed', id: requests[0]!.id, code: 'broken', message }];
    }
  }

  /** One statement, which is the whole transaction. */
  #append(requests: readonly Request[]): Reply[] {
    const { end } = this.#parts;
    const chunks = chunksOf(requests);
    if (chunks.length > 0) {
      end.appendUnnumbered(this.#journal, chunks);
      end.onSynced();
    }
    return requests.map(request => answered(request, end));
  }

  #receive(requests: readonly Request[], batches: readonly BatchRequest[]): Reply[] {
    const { connection, end } = this.#parts;
    connection.begin('records');
    const stored = new Map<number, number>();
    const chunks = chunksOf(requests);
    const inputs = batches.map(({ input }) => input as Batch);
    const cursors = this.#journal.holdBoxCursors(inputs);
    const places = new Map<string, number>();
    for (const [index, batch] of inputs.entries()) {
      const box = `${batch.boxNo} ${batch.epoch}`;
      const known = places.get(box) ?? cursors[index]!;
      const records = newRecords(batch, known);
      if (records.count > 0) chunks.push(records);
      noteBatch(connection, batch, known);
      places.set(box, Math.max(known, batch.ackedSeq));
      stored.set(batches[index]!.id, records.count);
    }
    for (const some of inStatements(joined(chunks))) end.appendUnnumbered(this.#journal, some);
    connection.database.exec('COMMIT');
    end.onSynced();
    return requests.map(request => {
      const reply = answered(request, end);
      const count = stored.get(request.id);
      return reply.kind === 'done' && count !== undefined ? { ...reply, value: { stored: count } } : reply;
    });
  }
}

/** Chunks that devices of this process have sent. */
const chunksOf = (requests: readonly Request[]): Chunk[] =>
  requests
    .flatMap(request => (request.kind === 'append' ? request.chunks : []))
    .map(({ memory, length, count }) => ({ packed: Buffer.from(memory, 0, length), count }));

/** Small ones in one segment: a box sends a record at a time when little happens. */
function joined(chunks: readonly Chunk[]): Chunk[] {
  const all: Chunk[] = [];
  let packer = new SegmentPacker();
  const end = () => {
    if (packer.count > 0) all.push({ packed: packer.packed, count: packer.count });
    packer = new SegmentPacker();
  };
  for (const { packed, count } of chunks) {
    if (packer.bytes + packed.length > segmentBytesMax) end();
    packer.addPacked(packed, count);
  }
  end();
  return all;
}

function* inStatements(chunks: readonly Chunk[]): Generator<readonly Chunk[]> {
  let some: Chunk[] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    if (bytes + chunk.packed.length > statementBytesMax && some.length > 0) {
      yield some;
      some = [];
      bytes = 0;
    }
    some.push(chunk);
    bytes += chunk.packed.length;
  }
  if (some.length > 0) yield some;
}
