import { actionTable } from '../../platform/actions.ts';
import { BiometricIndex } from '../journal/biometric-index.ts';
import { behindTooFar, Lag } from '../journal/lag.ts';
import { packDevices, segmentPlace, summarize } from '../journal/segment.ts';
import { StoreError, type StoreErrorCode } from '../port/journal.ts';
import { Projection } from '../projection/projection.ts';
import { type Connection, failureOf, openForWriting } from '../schema/database.ts';
import { Erasing } from './erasing.ts';
import type { Reply, Request, WriterData, WriterState } from './messages.ts';
import type { OperationContext } from './operation-context.ts';
import { operations } from './operations.ts';
import { takeOverLateCheckIns } from './organization/late-check-ins.ts';
import { sealClearMobiles } from './organization/mobile.ts';
import { People } from './organization/people.ts';
import { Retention } from './retention.ts';
import { Room } from './room.ts';
import { nothingWritten, type WriteCounts } from './wear.ts';

/**
 * How much room the disk has is looked at again after this many bytes of journal, or of what the
 * tables took from it; earlier on a small disk.
 */
const roomCheckBytesMax = 1 << 20;

const roomRetryMs = 1000;

/**
 * A checkpoint holds the next commit for 2 ms a mebibyte or more. While large commits come one
 * after the other it is made after so many bytes of segments and of what the tables took from them;
 * small commits leave it to SQLite, after more (database.ts), for pages that are written again and
 * again go to the card once.
 */
const checkpointBytes = 512 << 10;

const sealingRoomBytes = 256 << 10;

const remedies: Record<Exclude<StoreErrorCode, 'closed' | 'too_busy'>, string> = {
  disk_full:
    'the disk is full and nothing more may be dropped: make room on the page "Today", free some space, or connect the cloud so that waiting records can go',
  read_only:
    'the data directory cannot be written: check its owner and whether the disk was mounted read-only after an error',
  broken:
    'the database file is damaged or the disk fails: stop the box and restore a backup with `gatehouse restore FILE`',
};

/**
 * Owns the one write connection: runs batches, each one transaction, and the projection between
 * them.
 */
export class Writer {
  readonly #connection: Connection;
  readonly #context: OperationContext;
  readonly #projection: Projection;
  readonly #room: Room;
  readonly #tell: (state: WriterState) => void;
  #lastSeq: number;
  #health: WriterState['health'] = 'ok';
  #why = '';
  #roomCheckedAtBytes = 0;
  #checkpointAt = checkpointBytes;
  #appendedBytes = 0;
  #roomTriedAt = Number.NEGATIVE_INFINITY;
  readonly #people: People;
  #personChangeNo = 0;
  #written: WriteCounts = nothingWritten;
  /** By this thread's own monotonic clock. */
  readonly lag: Lag;
  /**
   * Segments are sealed into the same memory: a new piece for each costs more than half of the
   * cipher. A larger one has its own.
   */
  readonly #sealingRoom = Buffer.allocUnsafeSlow(sealingRoomBytes);

  constructor(data: WriterData, tell: (state: WriterState) => void) {
    this.#tell = tell;
    const connection = openForWriting(data.dataDir, data.sealKey);
    this.#connection = connection;
    const index = new BiometricIndex(connection);
    this.#projection = new Projection(connection, actionTable(data.actions), data.timeZone, index);
    index.findGap(this.#projection.seq);
    const retention = new Retention(connection, data.upstream);
    this.#room = new Room(connection, retention, data.dataDir);
    this.#people = new People(connection);
    sealClearMobiles(connection, data.dataDir);
    this.#takeOver();
    this.#personChangeNo = this.#people.current('person_change');
    const last = connection
      .sql('SELECT first_seq + count - 1 AS seq FROM segment ORDER BY first_seq DESC LIMIT 1')
      .get() as { seq: number } | undefined;
    // Retention may have emptied the journal: numbers are never given out twice.
    this.#lastSeq = Math.max(last?.seq ?? 0, this.#projection.seq);
    this.#context = {
      ...connection,
      appendSegment: (packed, count) => this.#appendSegment(packed, count),
      projection: this.#projection,
      retention,
      erasing: new Erasing(connection, index, data.upstream),
      room: this.#room,
      refuseWhileBehind: () => {
        if (this.lag.isOver) throw new StoreError('too_busy', behindTooFar);
      },
    };
    this.lag = new Lag(data.lagBound, this.#lastSeq, this.#projection.seq, performance.now());
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get projectedSeq(): number {
    return this.#projection.seq;
  }

  /**
   * Runs the requests as one transaction; every reply is true after it: committed and synced, or
   * nothing of it stored.
   */
  run(requests: readonly Request[]): Reply[] {
    const appends = requests.some(request => request.kind === 'append');
    if (this.#health === 'disk_full') this.#tryForRoom();
    for (let attempt = 0; ; attempt++) {
      const before = this.#lastSeq;
      const written = this.#written;
      try {
        const replies = this.#transact(requests);
        this.lag.committed(this.#lastSeq, performance.now());
        if (appends || this.#health !== 'disk_full') this.#become('ok', '');
        if (requests.some(request => request.kind === 'operation')) this.#announcePeople();
        this.#watchRoom();
        return replies;
      } catch (error) {
        if (this.#connection.database.isTransaction) this.#connection.database.exec('ROLLBACK');
        this.#lastSeq = before;
        this.#written = written;
        this.#projection.forgetFrom(before + 1);
        const code = failureOf(error);
        if (code === null) throw error;
        if (code === 'disk_full' && attempt === 0 && this.#room.make(this.#projection.seq)) continue;
        this.#become(code, remedies[code]);
        return requests.map(({ id }) => ({ kind: 'failed', id, code, message: remedies[code] }));
      }
    }
  }

  #transact(requests: readonly Request[]): Reply[] {
    const { database } = this.#connection;
    const refuseAppends = this.#health === 'disk_full';
    const replies: Reply[] = [];
    const settled: (() => Reply)[] = [];
    const changes = this.#totalChanges();
    database.exec('BEGIN IMMEDIATE');
    for (const request of requests) {
      if (request.kind === 'append') {
        if (refuseAppends) {
          settled.push(() => ({ kind: 'failed', id: request.id, code: 'disk_full', message: remedies.disk_full }));
          continue;
        }
        // What the projection does not keep goes back to be packed into again.
        const memories = request.chunks
          .filter(({ memory, length, count }) => !this.#appendSegment(Buffer.from(memory, 0, length), count))
          .map(({ memory }) => memory);
        settled.push(() => ({
          kind: 'appended',
          id: request.id,
          lastSeq: this.#lastSeq,
          memories,
          written: this.#written,
        }));
      } else if (request.kind === 'operation') settled.push(this.#operate(request));
      else
        settled.push(() => ({
          kind: 'done',
          id: request.id,
          value: null,
          lastSeq: this.#lastSeq,
          written: this.#written,
        }));
    }
    database.exec('COMMIT');
    // A commit that changed nothing writes nothing.
    if (this.#totalChanges() > changes) this.#written = { ...this.#written, syncs: this.#written.syncs + 1 };
    for (const reply of settled) replies.push(reply());
    return replies;
  }

  /**
   * An operation that fails by itself (not the disk) is undone alone; the others of its transaction
   * stand.
   */
  #operate(request: Extract<Request, { kind: 'operation' }>): () => Reply {
    const { database } = this.#connection;
    const before = this.#lastSeq;
    const written = this.#written;
    database.exec('SAVEPOINT operation');
    try {
      const run = operations[request.name] as (context: OperationContext, input: unknown) => unknown;
      const value = run(this.#context, request.input);
      database.exec('RELEASE operation');
      return () => ({ kind: 'done', id: request.id, value, lastSeq: this.#lastSeq, written: this.#written });
    } catch (error) {
      if (failureOf(error) !== null || !database.isTransaction) throw error;
      database.exec('ROLLBACK TO operation');
      database.exec('RELEASE operation');
      this.#lastSeq = before;
      this.#written = written;
      this.#projection.forgetFrom(before + 1);
      const code = error instanceof StoreError ? error.code : 'broken';
      const message = `${request.name}: ${(error as Error).message}`;
      return () => ({ kind: 'failed', id: request.id, code, message });
    }
  }

  #totalChanges(): number {
    return (this.#connection.sql('SELECT total_changes() AS changes').get() as { changes: number }).changes;
  }

  /** True when the memory of `packed` stays with the projection. */
  #appendSegment(packed: Buffer, count: number): boolean {
    const firstSeq = this.#lastSeq + 1;
    const { receivedFrom, receivedTo, channels, forwardable, payloadBytes } = summarize(packed);
    const sealed = this.#connection.seal.seal(packed, segmentPlace(firstSeq), this.#sealingRoom);
    this.#connection
      .sql(
        'INSERT INTO segment (first_seq, count, received_from, received_to, channels, devices, sealed_records) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .run(firstSeq, count, receivedFrom, receivedTo, channels, packDevices(forwardable), sealed);
    this.#lastSeq += count;
    this.#appendedBytes += packed.length;
    this.#written = {
      ...this.#written,
      records: this.#written.records + count,
      payloadBytes: this.#written.payloadBytes + payloadBytes,
    };
    return this.#projection.remember(firstSeq, packed);
  }

  /** See Projection.project. False too when the disk does not let it go on. */
  project(turnMs: number): boolean {
    try {
      const worked = this.#projection.project(turnMs, this.#room.biteBytes);
      this.lag.projected(this.#projection.seq, performance.now());
      this.#watchRoom();
      this.#announce();
      return worked;
    } catch (error) {
      const code = failureOf(error);
      if (code === null) throw error;
      if (code === 'disk_full' && this.#tryForRoom()) return true;
      this.#become(code, remedies[code]);
      return false;
    }
  }

  /** To be called when nobody waits for an answer. */
  checkpointWhenDue(): void {
    const bytes = this.#bytesSoFar;
    if (bytes < this.#checkpointAt) return;
    this.#checkpointAt = bytes + checkpointBytes;
    try {
      this.#connection.database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch (error) {
      // What the disk does not take now, the next commit meets too, and says.
      if (failureOf(error) === null) throw error;
    }
  }

  /** Packed records that went into the journal, and those that the tables took from it. */
  get #bytesSoFar(): number {
    return this.#appendedBytes + this.#projection.takenBytes;
  }

  #announcePeople(): void {
    if (this.#people.current('person_change') !== this.#personChangeNo) this.#announce();
  }

  #takeOver(): void {
    const { database } = this.#connection;
    database.exec('BEGIN IMMEDIATE');
    this.#people.resolveEverybody();
    takeOverLateCheckIns(this.#connection);
    database.exec('COMMIT');
  }

  #watchRoom(): void {
    const bytes = this.#bytesSoFar;
    if (bytes - this.#roomCheckedAtBytes < Math.min(roomCheckBytesMax, this.#room.lowWaterBytes / 16)) return;
    this.#roomCheckedAtBytes = bytes;
    if (this.#room.low) this.#tryForRoom();
  }

  #tryForRoom(): boolean {
    if (performance.now() - this.#roomTriedAt < roomRetryMs) return false;
    const made = this.#room.make(this.#projection.seq);
    if (made) this.#become('ok', '');
    else this.#roomTriedAt = performance.now();
    this.#announce();
    return made;
  }

  #become(health: WriterState['health'], why: string): void {
    if (this.#health === health) return;
    this.#health = health;
    this.#why = why;
    this.#announce();
  }

  #announce(): void {
    let dropped: Record<string, number> = {};
    try {
      const rows = this.#connection.sql('SELECT reason, count FROM dropped').all() as {
        reason: string;
        count: number;
      }[];
      dropped = Object.fromEntries(rows.map(row => [row.reason, row.count]));
      this.#personChangeNo = this.#people.current('person_change');
    } catch {
      // A store that cannot even be read says so by its health.
    }
    if (this.#projection.damaged > 0) dropped['damaged segments'] = this.#projection.damaged;
    this.#tell({
      kind: 'state',
      health: this.#health,
      why: this.#why,
      projectedSeq: this.#projection.seq,
      personChangeNo: this.#personChangeNo,
      dropped,
    });
  }

  close(): void {
    this.#connection.database.close();
  }
}
