import type { Connection, Writes } from '../schema/database.ts';
import { EngineError, NotItsTurn } from '../schema/engine-error.ts';
import type { FlightSegment } from '../writer/engine.ts';
import { appendFlight, flightPlace } from './flight.ts';
import { fenceGone } from './process-tables.ts';

/** Any number: whoever writes more than records holds this lock until its commit. */
const writingLock = 4_709_114;
/**
 * Whose turn it is to fill the tables, has it for so long, and renews it after half. It is over at
 * once when the server knows its connection no more.
 */
const turnMs = 10_000;
/** How often others look whether the turn is over. */
const lookMs = 1000;

/** What it says once another process has fenced it. */
export const fencedWords =
  'another process waited in vain for this one and took its devices over: it has to start again, and nothing is acknowledged until then';

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
  #lookAt = 0;
  #hasTurn = false;
  isFenced = false;
  #flightNo = 0;

  /** `id`: of `nextval('member')`, which no other start has. */
  constructor(connection: Connection, id: number) {
    this.#connection = connection;
    this.id = id;
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
   * Throws NotItsTurn instead of filling tables that another process fills by now, and EngineError
   * when this process was fenced.
   */
  begin(writes: Writes): void {
    const { database, sql } = this.#connection;
    this.#connection.begin(writes);
    if (writes !== 'records') this.#connection.later(`SELECT pg_advisory_xact_lock(${writingLock})`);
    const self = sql(
      `SELECT EXISTS (SELECT FROM lease WHERE name = 'tables' AND holder = ?1) AS "hasTurn"
         FROM process WHERE id = ?1 AND live FOR SHARE`,
    ).get(this.id) as { hasTurn: 0 | 1 } | undefined;
    if (self && (writes !== 'tables' || self.hasTurn)) return;
    database.exec('ROLLBACK');
    if (!self) this.refuseFenced();
    this.#hasTurn = false;
    throw new NotItsTurn();
  }

  /** The places of the next flight's segments. */
  places(): (index: number) => string {
    const flight = ++this.#flightNo;
    return index => flightPlace(this.id, flight, index);
  }

  appendFlight(segments: readonly FlightSegment[]): number {
    return appendFlight(this.#connection, this.id, segments) ?? this.refuseFenced();
  }

  /** Throws. */
  refuseFenced(): never {
    this.isFenced = true;
    throw new EngineError(fencedWords, '', 'broken');
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
      this.#connection.sql('UPDATE process SET live = false WHERE id = ?').run(this.id);
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
