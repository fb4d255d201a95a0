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
  #until = Number.NEGATIVE_INFINITY;
  #nextLook = Number.NEGATIVE_INFINITY;
  #seen: { readonly renewed: number; readonly at: number } | null = null;

  constructor(connection: Connection, name: string, holder: number, now = machineMonotonic) {
    this.#connection = connection;
    this.#name = name;
    this.#holder = holder;
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
    const { sql } = this.#connection;
    this.#seen = null;
    return (
      sql('UPDATE turn SET renewed = renewed + 1 WHERE name = ? AND holder = ? RETURNING renewed').get(
        this.#name,
        this.#holder,
      ) !== undefined
    );
  }

  #takes(): boolean {
    const { sql } = this.#connection;
    const row = sql('SELECT renewed FROM turn WHERE name = ?').get(this.#name) as { renewed: number } | undefined;
    const now = this.#now();
    if (!row)
      return (
        sql(
          'INSERT INTO turn (name, holder, renewed) VALUES (?, ?, 0) ON CONFLICT (name) DO NOTHING RETURNING renewed',
        ).get(this.#name, this.#holder) !== undefined
      );
    if (this.#seen?.renewed !== row.renewed) {
      this.#seen = { renewed: row.renewed, at: now };
      return false;
    }
    if (now - this.#seen.at < abandonedMs) return false;
    return (
      sql('UPDATE turn SET holder = ?, renewed = renewed + 1 WHERE name = ? AND renewed = ? RETURNING renewed').get(
        this.#holder,
        this.#name,
        row.renewed,
      ) !== undefined
    );
  }
}
