import type { Connection, Writes } from '../schema/database.ts';
import { EngineError, NotItsTurn } from '../schema/engine-error.ts';

/** Any number: whoever writes more than records holds this lock until its commit. */
const writingLock = 4_709_114;
/**
 * Whose turn it is to fill the tables, has it for so long, and renews it after half. It is over at
 * once when the server knows its connection no more.
 */
const turnMs = 10_000;
/** How often others look whether the turn is over. */
const lookMs = 1000;

/**
 * One process among those that write to the same database.
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
  #lookAt = 0;
  #hasTurn = false;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.id = (connection.sql(`SELECT nextval('member') AS id`).get() as { id: number }).id;
  }

  /** Throws NotItsTurn instead of filling tables that another process fills by now. */
  begin(writes: Writes): void {
    const { database, sql } = this.#connection;
    database.exec('BEGIN');
    if (writes === 'records') return;
    sql('SELECT pg_advisory_xact_lock(?)').get(writingLock);
    if (writes === 'operations' || sql('SELECT 1 FROM lease WHERE name = ? AND holder = ?').get('tables', this.id))
      return;
    database.exec('ROLLBACK');
    this.#hasTurn = false;
    throw new NotItsTurn();
  }

  mayFillTables(): 'yes' | 'since now' | 'no' {
    const now = performance.now();
    if (now < this.#lookAt) return this.#hasTurn ? 'yes' : 'no';
    const had = this.#hasTurn;
    this.#hasTurn = this.#takesTurn();
    this.#lookAt = now + (this.#hasTurn ? turnMs / 2 : lookMs);
    if (!this.#hasTurn) return 'no';
    return had ? 'yes' : 'since now';
  }

  /** Another process may go on at once. */
  leave(): void {
    try {
      for (const table of ['lease', 'turn']) this.#connection.sql(`DELETE FROM ${table} WHERE holder = ?`).run(this.id);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
    }
  }

  /** By the server's clock: those of the processes may differ. */
  #takesTurn(): boolean {
    const taken = this.#connection
      .sql(
        `INSERT INTO lease (name, holder, pid, until) VALUES ('tables', ?1, pg_backend_pid(), now_ms() + ?2)
           ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, pid = excluded.pid, until = excluded.until
           WHERE lease.holder = excluded.holder OR lease.until < now_ms()
             OR NOT EXISTS (SELECT FROM pg_stat_activity AS known WHERE known.pid = lease.pid) RETURNING holder`,
      )
      .get(this.id, turnMs);
    return taken !== undefined;
  }
}
