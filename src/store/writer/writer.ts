import { actionTable } from '../../platform/actions.ts';
import { awaitedIn, behindTooFar, Lag } from '../journal/lag.ts';
import { BiometricIndex, Erasing } from '../people/erasing.ts';
import { People } from '../people/people.ts';
import { StoreError } from '../port/journal.ts';
import { Projection } from '../projection/projection.ts';
import { type Connection, failureOf } from '../schema/database.ts';
import { isReadFailure, LeaseLost } from '../schema/engine-failures.ts';
import type { LogKeeper, RoomKeeper, WriterEngine } from './engine.ts';
import { answered, isOfRecords, JournalEnd, RecordRequests } from './journal-end.ts';
import type { Reply, Request, WriterData, WriterState, WriterTail } from './messages.ts';
import { operations, type WriterContext } from './operations.ts';
import { Retention } from './retention.ts';
import { WriterHealth } from './writer-health.ts';

/**
 * Of segments in one transaction of the tables: ten thousand check-ins. A page of an index that
 * many of them go to is written once for all; more would make the write-ahead log longer than a
 * commit that comes next can wait for.
 */
const sliceBytesMax = 1 << 20;

/**
 * Owns the one write connection: runs batches, each one transaction, and the projection between
 * them.
 */
export class Writer {
  readonly #engine: WriterEngine;
  readonly #connection: Connection;
  readonly #context: WriterContext;
  readonly #projection: Projection;
  readonly #room: RoomKeeper;
  readonly #end: JournalEnd;
  /** Requests for records; null on SQLite: records share the transaction of operations. */
  readonly #records: RecordRequests | null;
  readonly #health: WriterHealth;
  readonly #log: LogKeeper;
  /** By this thread's own monotonic clock. */
  readonly lag: Lag;

  constructor(engine: WriterEngine, data: WriterData, tell: (state: WriterState) => void) {
    const { connection } = engine;
    this.#engine = engine;
    this.#connection = connection;
    const actions = actionTable(data.actions);
    this.#projection = new Projection(connection, {
      ...{ actions, timeZone: data.timeZone, biometrics: new BiometricIndex(connection) },
    });
    const retention = new Retention(connection, data.upstream);
    const { room, log } = engine.keepers({
      retention,
      bytes: () => this.#bytesSoFar,
      stuck: isStuck => this.#health.logIs(isStuck),
    });
    this.#room = room;
    this.#log = log;
    const people = new People(connection);
    this.#begin();
    this.#end = new JournalEnd(engine, this.#projection, awaitedIn(actions));
    this.#records = engine.sharedJournal
      ? new RecordRequests(engine.sharedJournal, { connection, end: this.#end, isBehind: () => this.lag.isOver })
      : null;
    this.#health = new WriterHealth({ connection, projection: this.#projection, room, people, tell });
    this.#context = {
      ...connection,
      appendSegment: (packed, count) => this.#end.append(packed, count),
      projection: this.#projection,
      retention,
      erasing: new Erasing(connection, data.upstream),
      room: this.#room,
      dateOf: at => this.#projection.dateOf(at),
      refuseWhileBehind: () => {
        if (this.lag.isOver) throw new StoreError('too_busy', behindTooFar);
      },
    };
    this.lag = new Lag(data.lagBound, this.#end.lastSeq, this.#projection.seq, performance.now());
  }

  get lastSeq(): number {
    return this.#end.lastSeq;
  }

  get projectedSeq(): number {
    return this.#projection.seq;
  }

  /** The memory for segments that the tables need not read again is half full (projection.ts). */
  get isMemoryFilling(): boolean {
    return this.#projection.recentFilled > 0.5;
  }

  /** A part of the box waits until the tables hold a record that they do not hold yet. */
  get isAwaited(): boolean {
    return this.#end.awaitedSeq > this.#projection.seq;
  }

  /**
   * Runs the requests as one transaction. Each reply holds when it is sent: committed and synced,
   * or nothing of it stored.
   */
  run(requests: readonly Request[]): Reply[] {
    if (this.#records) {
      const [records, others] = [true, false].map(ofRecords => requests.filter(one => isOfRecords(one) === ofRecords));
      if (records!.length > 0 && others!.length > 0) return [...this.run(records!), ...this.run(others!)];
    }
    const appends = requests.some(request => request.kind === 'append');
    if (this.#health.isFull) this.#health.tryForRoom();
    for (let attempt = 0; ; attempt++) {
      const { lastSeq, written } = this.#end;
      try {
        this.#connection.log.makeWhole();
        const replies = this.#transact(requests);
        this.lag.committed(this.#end.lastSeq, performance.now());
        if (appends || !this.#health.isFull) this.#health.become('ok');
        if (requests.some(request => request.kind === 'operation')) this.#health.announcePeople();
        this.#health.watchRoom(this.#bytesSoFar);
        return replies;
      } catch (error) {
        if (this.#connection.database.isTransaction) this.#connection.database.exec('ROLLBACK');
        this.#end.undoTo(lastSeq, written);
        const code = failureOf(error);
        if (code === null) throw error;
        if (code === 'broken' && !isReadFailure(error)) this.#connection.log.doubt();
        if (code === 'disk_full' && attempt === 0 && this.#room.make(this.#projection.seq)) continue;
        // One request hit an unreadable page: run each alone, so that the others succeed.
        if (isReadFailure(error) && requests.length > 1) return requests.flatMap(request => this.run([request]));
        const why = this.#engine.whyFailed(code, error);
        if (appends || !isReadFailure(error)) this.#health.become(code, why);
        return requests.map(({ id }) => ({ kind: 'failed', id, code, message: why.reason }));
      }
    }
  }

  #transact(requests: readonly Request[]): Reply[] {
    if (this.#records && requests.every(isOfRecords)) return this.#records.run(requests);
    const { database } = this.#connection;
    const refuseAppends = this.#health.isFull;
    const onCommitted: (() => Reply)[] = [];
    const changes = this.#engine.changes();
    this.#connection.begin('operations');
    for (const request of requests) {
      if (request.kind === 'append') {
        if (refuseAppends) {
          onCommitted.push(() => ({
            kind: 'failed',
            id: request.id,
            code: 'disk_full',
            message: this.#engine.whyFailed('disk_full', null).reason,
          }));
          continue;
        }
        for (const { memory, length, count } of request.chunks) this.#end.append(Buffer.from(memory, 0, length), count);
        onCommitted.push(() => answered(request, this.#end));
      } else if (request.kind === 'operation') onCommitted.push(this.#operate(request));
      else onCommitted.push(() => answered(request, this.#end));
    }
    database.exec('COMMIT');
    if (this.#engine.changes() > changes) this.#end.onSynced();
    return onCommitted.map(reply => reply());
  }

  /**
   * An operation that fails by itself (not because of the disk) is undone alone; the others of its
   * transaction stay.
   */
  #operate(request: Extract<Request, { kind: 'operation' }>): () => Reply {
    const { database } = this.#connection;
    const { lastSeq: before, written } = this.#end;
    this.#projection.forgetPeople();
    this.#connection.later('SAVEPOINT operation');
    try {
      const run = operations[request.name] as (context: WriterContext, input: unknown) => unknown;
      const value = run(this.#context, request.input);
      database.exec('RELEASE operation');
      return () => ({ kind: 'done', id: request.id, value, lastSeq: this.#end.lastSeq, written: this.#end.written });
    } catch (error) {
      if (failureOf(error) !== null || !database.isTransaction) throw error;
      database.exec('ROLLBACK TO operation');
      database.exec('RELEASE operation');
      this.#end.undoTo(before, written);
      const code = error instanceof StoreError ? error.code : 'broken';
      const message = `${request.name}: ${(error as Error).message}`;
      return () => ({ kind: 'failed', id: request.id, code, message });
    }
  }

  /** See Projection.project. Returns false also if the disk takes no writes. */
  project(sliceMs: number, isAsked = () => false): boolean {
    try {
      const mayFill = this.#engine.mayFillTables();
      if (mayFill === 'no') return false;
      if (mayFill === 'since now') this.#projection.begin();
      this.#connection.log.makeWhole();
      // Other processes of a region write too.
      if (this.#engine.sharedJournal) this.#projection.forgetPeople();
      const worked = this.#projection.project(sliceMs, Math.min(this.#room.biteBytes, sliceBytesMax), isAsked);
      if (worked) this.#log.ofLongLog();
      this.lag.projected(this.#projection.seq, performance.now());
      this.#health.watchRoom(this.#bytesSoFar);
      this.#health.tablesAre('');
      this.lag.isExcused = false;
      this.#health.announce();
      return worked;
    } catch (error) {
      if (error instanceof LeaseLost) return false;
      const code = failureOf(error);
      if (code === null) throw error;
      if (code === 'disk_full' && this.#health.tryForRoom()) return true;
      if (isReadFailure(error)) {
        this.lag.isExcused = true;
        this.#health.tablesAre((error as Error).message);
      } else {
        if (code === 'broken') this.#connection.log.doubt();
        this.#health.become(code, this.#engine.whyFailed(code, error));
      }
      return false;
    }
  }

  /** Takes note of what other processes have committed; null: nothing new. */
  follow(): Omit<WriterTail, 'kind'> | null {
    const tail = this.#tail();
    if (!tail) return null;
    this.#end.follow(tail.lastSeq);
    this.#projection.follow(tail.projectedSeq);
    const now = performance.now();
    this.lag.committed(this.#end.lastSeq, now);
    this.lag.projected(this.#projection.seq, now);
    return tail;
  }

  #tail(): Omit<WriterTail, 'kind'> | null {
    try {
      return this.#engine.tail();
    } catch (error) {
      const code = failureOf(error);
      if (code === null) throw error;
      this.#health.become(code, this.#engine.whyFailed(code, error));
      return null;
    }
  }

  /** Called after each batch of requests, once they are answered. */
  checkpointWhenDue(): void {
    this.#log.whenDue();
  }

  /** Of segments that went into the journal, and of what went from it into the tables. */
  get #bytesSoFar(): number {
    return this.#end.appendedBytes + this.#projection.writtenBytes;
  }

  #begin(): void {
    const { database } = this.#connection;
    this.#connection.begin('operations');
    this.#projection.begin();
    database.exec('COMMIT');
  }

  close(): void {
    this.#log.last();
    this.#connection.database.close();
  }
}
