import type { Clock } from '../../runtime/clock.ts';
import type { Lease } from '../port/region.ts';
import type { Connection } from '../schema/database.ts';
import { EngineError } from '../schema/engine-failures.ts';
import { isConnected } from './process-tables.ts';

/** Another process takes the lease when it has seen no renewal for so long. */
const abandonedMs = 6000;
/** Its holder stops so much earlier: for what is on its way, and a late timer. */
const marginMs = 1500;
const renewMs = 1500;
/** How often others look. */
const lookMs = 500;

/** In milliseconds: the same in all threads of the process, unlike performance.now(). */
const machineMonotonic = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;

interface LeaseParts {
  readonly name: string;
  readonly holder: number;
  /** The first number: 1 while the uplink of this process is up, written by its main thread. */
  readonly uplink?: Int32Array;
  /**
   * The holder acts over this connection alone: the lease ends with it, and with the fence. Without
   * it a broken connection frees nothing, for its process may go on.
   */
  readonly endsWithConnection?: boolean;
}

/**
 * The one election of a region: a row that its holder renews. Only monotonic clocks count. Those
 * who wait measure how long the row stood still, and its holder how long ago it began to renew it,
 * so clocks that differ or are set do no harm.
 */
export class RowLease {
  readonly #connection: Connection;
  readonly #name: string;
  readonly #holder: number;
  readonly #uplink: Int32Array;
  readonly #endsWithConnection: boolean;
  readonly #now: () => number;
  /** State of the uplink at the holder, where that is another process. */
  isUpElsewhere = false;
  /** Rises each time that this process takes the lease. */
  term = 0;
  #until = Number.NEGATIVE_INFINITY;
  #nextLook = Number.NEGATIVE_INFINITY;
  #seen: { readonly renewed: number; readonly at: number } | null = null;

  constructor(
    connection: Connection,
    { name, holder, uplink = new Int32Array(1), endsWithConnection = false }: LeaseParts,
    now = machineMonotonic,
  ) {
    this.#connection = connection;
    this.#name = name;
    this.#holder = holder;
    this.#uplink = uplink;
    this.#endsWithConnection = endsWithConnection;
    this.#now = now;
  }

  get isMine(): boolean {
    return this.#now() < this.#until;
  }

  /**
   * Renews or takes the lease when that is due; to be called often, outside of transactions.
   * Returns until when it is this process's, as `machineMonotonic`; null: it is another's, or
   * nobody's since the database takes no writes.
   */
  look(): number | null {
    const begun = this.#now();
    if (begun >= this.#nextLook) {
      const isMine = this.#renewsOrTakes();
      if (isMine) this.isUpElsewhere = false;
      this.#until = isMine ? begun + abandonedMs - marginMs : Number.NEGATIVE_INFINITY;
      this.#nextLook = begun + (isMine ? renewMs : lookMs);
    }
    return this.#until > Number.NEGATIVE_INFINITY ? this.#until : null;
  }

  #renewsOrTakes(): boolean {
    try {
      if (this.#until > Number.NEGATIVE_INFINITY) return this.#renews();
      const isTaken = this.#takes();
      if (isTaken) this.term++;
      return isTaken;
    } catch (error) {
      if (error instanceof EngineError) return false;
      throw error;
    }
  }

  #renews(): boolean {
    this.#seen = null;
    return this.#answers(
      'UPDATE lease SET renewed = renewed + 1, up = ? WHERE name = ? AND holder = ? RETURNING renewed',
      Atomics.load(this.#uplink, 0),
      this.#name,
      this.#holder,
    );
  }

  #takes(): boolean {
    const row = this.#connection
      .sql(
        `SELECT renewed, up, EXISTS (SELECT FROM process WHERE id = lease.holder AND ${isConnected}) AS connected
           FROM lease WHERE name = ?`,
      )
      .get(this.#name) as { renewed: number; up: number; connected: 0 | 1 } | undefined;
    const now = this.#now();
    this.isUpElsewhere = row?.up === 1;
    if (!row)
      return this.#answers(
        `INSERT INTO lease (name, holder, renewed, up) VALUES (?, ?, 0, 0)
           ON CONFLICT (name) DO NOTHING RETURNING renewed`,
        this.#name,
        this.#holder,
      );
    if (this.#seen?.renewed !== row.renewed) this.#seen = { renewed: row.renewed, at: now };
    const isOver = this.#endsWithConnection && !row.connected;
    if (!isOver && now - this.#seen.at < abandonedMs) return false;
    return this.#answers(
      'UPDATE lease SET holder = ?, renewed = renewed + 1, up = 0 WHERE name = ? AND renewed = ? RETURNING renewed',
      this.#holder,
      this.#name,
      row.renewed,
    );
  }

  #answers(text: string, ...values: (string | number)[]): boolean {
    return this.#connection.sql(text).get(...values) !== undefined;
  }
}

/** The main thread's side of a lease that the writer thread renews. */
export class HeldLease implements Lease, Disposable {
  readonly #sleep: Clock['sleep'];
  readonly #now: () => number;
  /** See LeaseParts: shared with the writer thread. */
  readonly uplink = new Int32Array(new SharedArrayBuffer(4));
  isUpElsewhere = false;
  #until = Number.NEGATIVE_INFINITY;
  #wasMine = false;
  #waiting = new AbortController();
  readonly #listeners: ((isMine: boolean) => void)[] = [];

  constructor({ sleep }: Pick<Clock, 'sleep'>, now = machineMonotonic) {
    this.#sleep = sleep;
    this.#now = now;
  }

  get isMine(): boolean {
    return this.#now() < this.#until;
  }

  onChange(listener: (isMine: boolean) => void): void {
    this.#listeners.push(listener);
  }

  tellUp(isUp: boolean): void {
    Atomics.store(this.uplink, 0, isUp ? 1 : 0);
  }

  /** See RowLease. */
  follow(until: number | null, isUpElsewhere: boolean): void {
    this.isUpElsewhere = isUpElsewhere;
    // A timer may be late: whoever saw that the lease had expired hears of it.
    this.#check();
    this.#until = until ?? Number.NEGATIVE_INFINITY;
    this.#check();
  }

  #check(): void {
    this.#waiting.abort();
    const { isMine } = this;
    if (isMine) this.#checkLater(this.#until - this.#now());
    if (isMine === this.#wasMine) return;
    this.#wasMine = isMine;
    for (const listener of this.#listeners) listener(isMine);
  }

  #checkLater(ms: number): void {
    this.#waiting = new AbortController();
    this.#sleep(Math.max(1, ms), this.#waiting.signal).then(
      () => this.#check(),
      () => {},
    );
  }

  [Symbol.dispose](): void {
    this.#waiting.abort();
  }
}
