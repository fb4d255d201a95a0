import { storeFaults } from '../../words/store.ts';
import type { Connection, Writes } from '../schema/database.ts';
import { EngineError, LeaseLost } from '../schema/engine-failures.ts';
import type { BoxCursor, UnnumberedSegment, WriterEngine } from '../writer/engine.ts';
import type { WriterLease } from '../writer/messages.ts';
import { connectToPostgres, type PostgresAddress } from './database.ts';
import { RowLease } from './lease.ts';
import { fenceGone } from './process-tables.ts';
import { whyFailed } from './server-faults.ts';
import { appendUnnumbered, placeBefore } from './unnumbered.ts';

/**
 * Holds the cursors of boxes below until the commit, so that two processes that got the same batch
 * store it once. They are locked in one order, so that no two processes deadlock.
 */
function holdBoxCursors({ each }: Pick<Connection, 'each'>, boxes: readonly BoxCursor[]): number[] {
  const keyOf = ({ boxNo, epoch }: BoxCursor): string => `${String(boxNo).padStart(16, '0')} ${epoch}`;
  const byKey = new Map(boxes.map(box => [keyOf(box), box]));
  const keys = [...byKey.keys()].sort();
  const known = new Map<string, number>();
  for (const statement of [
    'SELECT seq FROM batch_cursor WHERE box_no = ? AND epoch = ? FOR UPDATE',
    // The first batch of a box: it may come to two processes at once, too.
    `INSERT INTO batch_cursor (box_no, epoch, seq) VALUES (?, ?, 0)
       ON CONFLICT (box_no, epoch) DO UPDATE SET seq = batch_cursor.seq RETURNING seq`,
  ]) {
    const unknown = keys.filter(key => !known.has(key));
    const rows = each(
      statement,
      unknown.map(key => [byKey.get(key)!.boxNo, byKey.get(key)!.epoch]),
    ) as readonly ({ readonly seq: number } | undefined)[];
    for (const [index, key] of unknown.entries()) if (rows[index]) known.set(key, rows[index].seq);
  }
  return boxes.map(box => known.get(keyOf(box))!);
}

/** Any number: whoever writes more than records holds this lock until its commit. */
const writingLock = 4_709_114;

/** Error of a process that another one has fenced. */
const fenced = storeFaults.say('process_fenced');

/**
 * One process among those that write to the same database. It is in (`process.live`) from its start
 * until it leaves or another one fences it; each of its transactions looks, so that none commits
 * afterwards. It never comes in again: its next start has another number.
 *
 * Records need no other lock than the end of the journal. Operations and the tables read before
 * they write and were written for one writer: they wait for each other, in whichever process. A
 * process that stops in the middle of a transaction is disconnected by the server after some
 * seconds (database.ts).
 */
class Member {
  readonly #connection: Connection;
  /** Of no other process, ever. */
  readonly id: number;
  readonly #tables: RowLease;
  /** The lease's, when the tables were filled here last. */
  #term = 0;
  isFenced = false;
  #appendNo = 0;

  /** `id`: of `nextval('member')`, which no other start has. `tables`: the lease to fill them. */
  constructor(connection: Connection, id: number, tables: RowLease) {
    this.#connection = connection;
    this.id = id;
    this.#tables = tables;
    const { sql } = connection;
    sql(fenceGone).run();
    sql(
      'DELETE FROM process WHERE NOT live AND NOT EXISTS (SELECT FROM device_session WHERE process = process.id)',
    ).run();
    sql(
      `INSERT INTO process (id, live, pid, since)
         SELECT ?, true, pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()`,
    ).run(id);
  }

  /**
   * Throws LeaseLost instead of filling tables that another process fills by now, and EngineError
   * when this process was fenced.
   */
  begin(writes: Writes): void {
    const { database, sql } = this.#connection;
    this.#connection.begin(writes);
    if (writes !== 'records') this.#connection.later(`SELECT pg_advisory_xact_lock(${writingLock})`);
    const self = sql(
      `SELECT EXISTS (SELECT FROM lease WHERE name = 'tables' AND holder = ?1) AS leased
         FROM process WHERE id = ?1 AND live FOR SHARE`,
    ).get(this.id) as { leased: 0 | 1 } | undefined;
    if (self && (writes !== 'tables' || self.leased)) return;
    database.exec('ROLLBACK');
    if (!self) this.refuseFenced();
    throw new LeaseLost();
  }

  /** Places of the segments that are appended next. */
  places(): (index: number) => string {
    const append = ++this.#appendNo;
    return index => placeBefore(this.id, append, index);
  }

  appendUnnumbered(segments: readonly UnnumberedSegment[]): number {
    return appendUnnumbered(this.#connection, this.id, segments) ?? this.refuseFenced();
  }

  /** Throws. */
  refuseFenced(): never {
    this.isFenced = true;
    throw new EngineError(fenced.reason, '', 'broken');
  }

  mayFillTables(): 'yes' | 'since now' | 'no' {
    const { isMine, term } = this.#tables;
    if (!isMine) return 'no';
    if (term === this.#term) return 'yes';
    this.#term = term;
    return 'since now';
  }

  /** Another process may go on at once. */
  leave(): void {
    try {
      this.#connection.sql('DELETE FROM lease WHERE holder = ?').run(this.id);
      this.#connection.sql('UPDATE process SET live = false WHERE id = ?').run(this.id);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
    }
  }
}

const biteBytes = 2 << 20;
const lowWaterBytes = 64 << 20;

/**
 * One of several processes that write. The server's disk is not the program's: neither its room nor
 * its log.
 */
export function postgresEngine(
  address: PostgresAddress & { readonly process: number; readonly uplink: Int32Array },
): WriterEngine & { readonly leases: Readonly<Record<WriterLease['name'] | 'tables', RowLease>> } {
  const connection = connectToPostgres(address);
  const { process: holder, uplink } = address;
  const leases = {
    forwarding: new RowLease(connection, { name: 'forwarding', holder, uplink }),
    once: new RowLease(connection, { name: 'once', holder }),
    tables: new RowLease(connection, { name: 'tables', holder, endsWithConnection: true }),
  };
  const member = new Member(connection, holder, leases.tables);
  const { sql } = connection;
  let transactions = 0;
  return {
    leases,
    connection: { ...connection, begin: writes => member.begin(writes) },
    whyFailed: (failure, error) => (member.isFenced && failure === 'broken' ? fenced : whyFailed(failure, error)),
    keepers: () => ({
      room: { biteBytes, lowWaterBytes, low: false, make: () => false, sample() {} },
      log: { whenDue() {}, ofLongLog() {}, last: () => member.leave() },
    }),
    /**
     * The head's row stays locked until the commit is visible, so that numbers have no gaps and
     * rise in the order of commits, whichever process appends.
     */
    place(count) {
      const head = sql('UPDATE journal_head SET seq = seq + ? WHERE lane = 0 RETURNING seq').get(count);
      return (head as { seq: number }).seq - count + 1;
    },
    sharedJournal: {
      places: () => member.places(),
      append: segments => member.appendUnnumbered(segments),
      holdBoxCursors: boxes => holdBoxCursors(connection, boxes),
    },
    mayFillTables: () => member.mayFillTables(),
    tail() {
      const { isIn, ...tail } = sql(
        `SELECT (SELECT seq FROM journal_head) AS lastSeq, (SELECT seq FROM projection_cursor) AS projectedSeq,
           (SELECT no FROM directory_change) AS directoryNo, EXISTS (SELECT FROM process WHERE id = ? AND live) AS isIn`,
      ).get(holder) as { lastSeq: number; projectedSeq: number; directoryNo: number; isIn: 0 | 1 };
      if (!isIn) member.refuseFenced();
      return tail;
    },
    // One that changes nothing is not told apart.
    changes: () => ++transactions,
  };
}
