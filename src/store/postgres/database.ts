import type { DatabaseSync } from 'node:sqlite';
import { EngineError } from '../schema/engine-error.ts';
import { type Answer, Bridge, type Value } from './bridge.ts';
import { toPostgres } from './sql.ts';

type Row = Record<string, Value> | readonly Value[];

/** One statement, as `node:sqlite` has them; it is prepared at the server when it first runs. */
class Statement {
  readonly #bridge: Bridge;
  readonly #text: string;
  #returnsArrays = false;

  constructor(bridge: Bridge, text: string) {
    this.#bridge = bridge;
    this.#text = toPostgres(text);
  }

  setReturnArrays(on: boolean): void {
    this.#returnsArrays = on;
  }

  get(...values: Value[]): Row | undefined {
    const answer = this.#run(values);
    const [row] = answer.rows;
    return row && this.#shaped(answer, row);
  }

  all(...values: Value[]): Row[] {
    const answer = this.#run(values);
    return answer.rows.map(row => this.#shaped(answer, row));
  }

  iterate(...values: Value[]): Iterator<Row> {
    return this.all(...values)[Symbol.iterator]();
  }

  /** The number of a new row is asked for by `RETURNING`. */
  run(...values: Value[]): { changes: number } {
    return { changes: this.#run(values).count };
  }

  /** Throws EngineError, also for a statement that is a commit by itself and was warned of. */
  #run(values: Value[]): Answer {
    const answer = this.#bridge.call({ text: this.#text, values: values.map(kept) });
    if (!answer.isTransaction) refuseWarnings(answer);
    return answer;
  }

  #shaped({ columns }: Answer, row: readonly Value[]): Row {
    if (this.#returnsArrays) return row;
    return Object.fromEntries(columns.map((name, place) => [name, row[place]!]));
  }
}

/** PostgreSQL keeps no NUL in a text; the journal replaces one in a log in the same way. */
const kept = (value: Value): Value => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value);

function refuseWarnings({ warnings }: Answer): void {
  if (warnings.length > 0) throw new EngineError(`PostgreSQL warns: ${warnings.join('; ')}`, '01000', 'broken');
}

/**
 * PostgreSQL as the store's operations and reads use SQLite: the same texts, run over a blocking
 * bridge. Only what they use is there.
 */
class PostgresDatabase {
  readonly #bridge: Bridge;

  constructor(url: string, answerWithinMs?: number) {
    this.#bridge = new Bridge(url, answerWithinMs);
  }

  get isTransaction(): boolean {
    return this.#bridge.isTransaction;
  }

  prepare(text: string): Statement {
    return new Statement(this.#bridge, text);
  }

  /**
   * Throws EngineError, also when a commit was told a success that a standby has not confirmed:
   * PostgreSQL then answers with a warning, where the wait was cancelled.
   */
  exec(text: string): void {
    refuseWarnings(this.#bridge.call({ text: toPostgres(text) }));
  }

  close(): void {
    this.#bridge.close();
  }
}

/** Opens a connection; see Bridge. */
export const openPostgres = (url: string, answerWithinMs?: number): DatabaseSync =>
  new PostgresDatabase(url, answerWithinMs) as unknown as DatabaseSync;
