import type { DatabaseSync } from 'node:sqlite';
import { type Connection, connectionTo } from '../schema/database.ts';
import { EngineError } from '../schema/engine-failures.ts';
import { sealWith } from '../schema/sealing.ts';
import { Bridge } from './bridge.ts';
import type { Answer, Answers, Call, Value } from './bridge-messages.ts';
import { toPostgres } from './sql.ts';
import { openingUnnumbered } from './unnumbered.ts';

type Row = Record<string, Value> | readonly Value[];

/** One statement, as `node:sqlite` has them; it is prepared at the server when it first runs. */
class Statement {
  readonly #send: (calls: readonly Call[]) => readonly Answer[];
  readonly #text: string;
  #returnsArrays = false;

  /** `send` throws EngineError. */
  constructor(text: string, send: (calls: readonly Call[]) => readonly Answer[]) {
    this.#send = send;
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

  callWith(values: readonly Value[]): Call {
    return { text: this.#text, values: values.map(kept) };
  }

  /** The first row of each. */
  each(lists: readonly (readonly Value[])[]): (Row | undefined)[] {
    return this.#together(lists).map(answer => answer.rows[0] && this.#shaped(answer, answer.rows[0]));
  }

  changes(lists: readonly (readonly Value[])[]): number[] {
    return this.#together(lists).map(({ count }) => count);
  }

  #together(lists: readonly (readonly Value[])[]): readonly Answer[] {
    const answers: Answer[] = [];
    for (let from = 0; from < lists.length; from += togetherMax)
      answers.push(...this.#send(lists.slice(from, from + togetherMax).map(values => this.callWith(values))));
    return answers;
  }

  #run(values: Value[]): Answer {
    return this.#send([this.callWith(values)])[0]!;
  }

  #shaped({ columns }: Answer, row: readonly Value[]): Row {
    if (this.#returnsArrays) return row;
    return Object.fromEntries(columns.map((name, place) => [name, row[place]!]));
  }
}

/** PostgreSQL keeps no NUL in a text; the journal replaces one in a log in the same way. */
const kept = (value: Value): Value => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value);

function refuseWarnings({ warnings }: Answers): void {
  if (warnings.length > 0) throw new EngineError(`PostgreSQL warns: ${warnings.join('; ')}`, '01000', 'broken');
}

/** Maximum statements queued for the next one, and maximum statements sent together. */
const togetherMax = 256;
const laterBytesMax = 1 << 20;

const bytesOf = (value: Value): number => (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8);

/**
 * PostgreSQL as the store's operations and reads use SQLite: the same texts, run over a blocking
 * bridge. Only what they use is there.
 */
class PostgresDatabase {
  readonly #bridge: Bridge;
  readonly #statements = new Map<string, Statement>();
  /** Sent with what is asked next. */
  #later: Call[] = [];
  #laterBytes = 0;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  get isTransaction(): boolean {
    return this.#bridge.isTransaction;
  }

  prepare(text: string): Statement {
    return new Statement(text, this.#send);
  }

  /** See Connection.later. Bytes are copied, so that the caller may use its memory again. */
  later(text: string, ...values: Value[]): void {
    const call = this.#statement(text).callWith(
      values.map(value => (value instanceof Uint8Array ? new Uint8Array(value) : value)),
    );
    this.#later.push(call);
    for (const value of values) this.#laterBytes += bytesOf(value);
    if (this.#later.length >= togetherMax || this.#laterBytes >= laterBytesMax) this.#send([]);
  }

  /** See Connection.each. */
  each(text: string, lists: readonly (readonly Value[])[]): (Row | undefined)[] {
    return this.#statement(text).each(lists);
  }

  /** See Connection.changes. */
  changes(text: string, lists: readonly (readonly Value[])[]): number[] {
    return this.#statement(text).changes(lists);
  }

  /**
   * Throws EngineError, also when a commit was told a success that a standby has not confirmed:
   * PostgreSQL then answers with a warning, where the wait was cancelled.
   */
  exec(text: string): void {
    if (text.startsWith('ROLLBACK')) this.#rollBack(text);
    else this.#send([{ text: toPostgres(text) }]);
  }

  /** Undoes statements that were to be sent later, too. */
  #rollBack(text: string): void {
    const undone = this.#later.length > 0;
    if (text === 'ROLLBACK') this.#forget();
    else if (undone) {
      try {
        // The savepoint itself may be among them.
        this.#send([]);
      } catch (error) {
        if (!(error instanceof EngineError) || error.failure !== null) throw error;
      }
    }
    if (this.isTransaction) this.#send([{ text }]);
  }

  #forget(): Call[] {
    const calls = this.#later;
    this.#later = [];
    this.#laterBytes = 0;
    return calls;
  }

  #statement(text: string): Statement {
    let statement = this.#statements.get(text);
    if (!statement) {
      statement = new Statement(text, this.#send);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  /** Throws EngineError, also for a statement that is a commit by itself and was warned of. */
  readonly #send = (calls: readonly Call[]): readonly Answer[] => {
    const before = this.#forget();
    const answers = this.#bridge.calls(before.length > 0 ? [...before, ...calls] : calls);
    if (!answers.isTransaction) refuseWarnings(answers);
    return answers.answers.slice(before.length);
  };

  close(): void {
    this.#bridge.close();
  }
}

/** The database behind a bridge, which it closes. */
export const openPostgres = (bridge: Bridge) =>
  new PostgresDatabase(bridge) as unknown as DatabaseSync & Pick<Connection, 'later' | 'each' | 'changes'>;

export interface PostgresAddress {
  /** `postgres://…`, with what it takes to log in: a secret. */
  readonly url: string;
  readonly sealKey: Uint8Array;
  /** See WriterData. */
  readonly answers?: Int32Array;
}

/** A connection of the store to PostgreSQL, for one thread; see Bridge. Throws EngineError. */
export const connectToPostgres = ({ url, sealKey, answers }: PostgresAddress): Connection =>
  connectionOver(new Bridge(url, undefined, answers), sealKey);

/** The connection of the store over a bridge, which it closes. Throws EngineError. */
export function connectionOver(bridge: Bridge, sealKey: Uint8Array): Connection {
  const database = openPostgres(bridge);
  let isSynced = true;
  return connectionTo(database, openingUnnumbered(sealWith(sealKey)), {
    later: (text, ...values) => database.later(text, ...values),
    each: (text, lists) => database.each(text, lists),
    changes: (text, lists) => database.changes(text, lists),
    // The server keeps its own log.
    log: { mayHaveHoles: false, doubt() {}, makeWhole() {} },
    /** Sends BEGIN with the first statement of the transaction. */
    begin() {
      database.later('BEGIN');
      if (!isSynced) database.later('SET LOCAL synchronous_commit = off');
    },
    syncCommits(on) {
      isSynced = on;
    },
    // Deleted rows stay in the server's pages until it vacuums them.
    overwriting: act => act(),
  });
}
