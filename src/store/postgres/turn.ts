import type { Connection } from '../schema/database.ts';
import { EngineError } from '../schema/engine-error.ts';

/** Another process takes the turn when it has seen no renewal for so long. */
const abandonedMs = 6000;
/** Its holder stops so much earlier: for what is on its way, and a late timer. */
const marginMs = 1500;
const renewMs = 1500;
/** How often others look. */
const lookMs = 500;

/** In milliseconds: the same in all threads of the process, unlike performance.now(). */
export const machineMonotonic = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;

interface TurnParts {
  readonly name: string;
  readonly holder: number;
  readonly line: Int32Array;
}

/**
 * The turn at something that only one process may do at a time, as a row that its holder renews.
 * Only monotonic clocks count: those who wait measure how long the row stood still, and its holder
 * how long ago it began to renew it. So clocks that differ or are set do no harm.
 */
export class RenewedTurn {
  readonly #connection: Connection;
  readonly #name: string;
  readonly #holder: number;
  readonly #now: () => number;
  /** The first number: 1 while the line of this process is up, written by its main thread. */
  readonly #line: Int32Array;
  /** What the holder says of its line, where that is another process. */
  isUpElsewhere = false;
  #until = Number.NEGATIVE_INFINITY;
  #nextLook = Number.NEGATIVE_INFINITY;
  #seen: { readonly renewed: number; readonly at: number } | null = null;

  constructor(connection: Connection, { name, holder, line }: TurnParts, now = machineMonotonic) {
    this.#connection = connection;
    this.#name = name;
    this.#holder = holder;
    this.#line = line;
    this.#now = now;
  }

  /**
   * To be called often, outside of transactions. Until when the turn is this process's, as
   * `machineMonotonic`; null: it is another's, or nobody's since the database takes no writes.
   */
  look(): number | null {
    const begun = this.#now();
    if (begun >= this.#nextLook) {
      const isMine = this.#isMine();
      if (isMine) this.isUpElsewhere = false;
      this.#until = isMine ? begun + abandonedMs - marginMs : Number.NEGATIVE_INFINITY;
      this.#nextLook = begun + (isMine ? renewMs : lookMs);
    }
    return this.#until > Number.NEGATIVE_INFINITY ? this.#until : null;
  }

  #isMine(): boolean {
    try {
      return this.#until > Number.NEGATIVE_INFINITY ? this.#renews() : this.#takes();
    } catch (error) {
      if (error instanceof EngineError) return false;
      throw error;
    }
  }

  #renews(): boolean {
    this.#seen = null;
    return this.#answers(
      'UPDATE turn SET renewed = renewed + 1, up = ? WHERE name = ? AND holder = ? RETURNING renewed',
      Atomics.load(this.#line, 0),
      this.#name,
      this.#holder,
    );
  }

  #takes(): boolean {
    const row = this.#connection.sql('SELECT renewed, up FROM turn WHERE name = ?').get(this.#name) as
      | { renewed: number; up: number }
      | undefined;
    const now = this.#now();
    this.isUpElsewhere = row?.up === 1;
    if (!row)
      return this.#answers(
        `INSERT INTO turn (name, holder, renewed, up) VALUES (?, ?, 0, 0)
           ON CONFLICT (name) DO NOTHING RETURNING renewed`,
        this.#name,
        this.#holder,
      );
    if (this.#seen?.renewed !== row.renewed) {
      this.#seen = { renewed: row.renewed, at: now };
      return false;
    }
    if (now - this.#seen.at < abandonedMs) return false;
    return this.#answers(
      'UPDATE turn SET holder = ?, renewed = renewed + 1, up = 0 WHERE name = ? AND renewed = ? RETURNING renewed',
      this.#holder,
      this.#name,
      row.renewed,
    );
  }

  #answers(text: string, ...values: (string | number)[]): boolean {
    return this.#connection.sql(text).get(...values) !== undefined;
  }
}
