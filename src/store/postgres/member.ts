import { storeFaults } from '../../words/store.ts';
import type { Connection, Writes } from '../schema/database.ts';
import { EngineError, LeaseLost } from '../schema/engine-error.ts';
import type { UnnumberedSegment } from '../writer/engine.ts';
import type { RowLease } from './lease.ts';
import { fenceGone } from './process-tables.ts';
import { appendUnnumbered, placeBefore } from './unnumbered.ts';

/** Any number: whoever writes more than records holds this lock until its commit. */
const writingLock = 4_709_114;

/** Error of a process that another one has fenced. */
export const fenced = storeFaults.say('process_fenced');

/**
 * One process among those that write to the same database. It is in (`process.live`) from its start
 * until it leaves or another one fences it; each of its transactions looks, so that none commits
 * afterwards. It never comes in again: its next start has another number.
 *
 * Records need no other lock than the end of the journal. Operations and the tables read before
 * they write and were written for one writer: they wait for each other, in whichever process. A
 * process that stops in the middle of a transaction is disconnected by the server after some
 * seconds (connection.ts).
 */
export class Member {
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
