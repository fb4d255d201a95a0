import type { Client } from 'pg';
import { MoveRefused } from '../data-dir/ownership.ts';
import { stateOf } from '../schema/engine-failures.ts';
import { type Column, type ColumnType, CopyIn, copyInto, sumOf } from './copy.ts';
import { migrationLock, tablesOfNew } from './migrate.ts';
import { unfit } from './session.ts';
import { connected } from './side-connection.ts';

/** `meta.key` of a move's id, until it has ended: until then no region starts there. */
export const unfinishedKey = 'move_unfinished';
/** And from then on. */
const endedKey = 'moved_from';

/**
 * Tables of a box whose rows stay behind, with the reason. All others are moved: a table that a
 * migration adds is moved without a word here.
 */
export const leftBehind: ReadonlyMap<string, string> = new Map([
  ['room_sample', "the room on the box's own disk, from which its fullness is foretold; the region's is elsewhere"],
]);

/** Contents of the database before. */
type Found =
  | { readonly kind: 'empty' | 'other' }
  /** `id` of the move that has begun, or ended, there. */
  | { readonly kind: 'unfinished' | 'ended'; readonly id: string };

/** Tables, views, sequences and functions where tables are made; none of extensions. */
const ownThings = `SELECT 'pg_class'::regclass AS kind, c.oid, CASE WHEN c.relkind = 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS type,
      c.oid::regclass::text AS name FROM pg_class AS c, here
      WHERE c.relnamespace = here.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
    UNION ALL SELECT 'pg_proc'::regclass, p.oid, 'ROUTINE', p.oid::regprocedure::text FROM pg_proc AS p, here WHERE p.pronamespace = here.oid`;
const things = `WITH here AS (SELECT oid FROM pg_namespace WHERE nspname = current_schema()), own AS (${ownThings})
  SELECT own.type, own.name FROM own
    WHERE NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = own.kind AND d.objid = own.oid AND d.deptype IN ('e', 'i'))`;

const clear = `DO $$ DECLARE one record; BEGIN
  FOR one IN ${things} ORDER BY type DESC LOOP
    EXECUTE format('DROP %s IF EXISTS %s CASCADE', one.type, one.name);
  END LOOP; END $$`;

/** The database that a store is moved into: one connection, and one transaction for all of it. */
export class MoveTarget implements AsyncDisposable {
  readonly #client: Client;
  #warnings: string[] = [];
  /** In words: its name and server. */
  readonly name: string;

  private constructor(client: Client) {
    this.#client = client;
    const { database, host, port } = client;
    this.name = `the database ${database} at ${host.startsWith('/') ? 'this machine' : `${host}:${port}`}`;
    client.on('error', () => {});
    client.on('notice', ({ severity, message }) => {
      if (severity === 'WARNING') this.#warnings.push(message ?? '');
    });
  }

  /** Throws MoveRefused. */
  static async connect(url: string): Promise<MoveTarget> {
    try {
      // The box is read between its statements.
      return new MoveTarget(await connected(url, { idle_in_transaction_session_timeout: '0' }));
    } catch (error) {
      if (stateOf(error) === unfit) throw new MoveRefused((error as Error).message);
      throw new MoveRefused(
        `the database cannot be used (${(error as Error).message}): see that its server runs, and that user, password and name in the address are right`,
      );
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end().catch(() => {});
  }

  /** Refuses a database or user with which a region could not go on. */
  async check(): Promise<void> {
    const [found] = await this.ask(
      `SELECT pg_is_in_recovery() AS standby, current_user AS user,
         current_schema() AS schema, coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may`,
    );
    const { standby, user, schema, may } = found as Record<string, unknown>;
    if (standby) throw this.refused('it takes no writes, as it is a standby: name the primary in the address');
    if (schema === null || !may)
      throw this.refused(
        `the user ${user} may not make tables there: ALTER DATABASE … OWNER TO ${user}, or name its owner in the address`,
      );
  }

  /** Begins the transaction; nobody else makes tables until it ends. */
  async begin(onWaiting: () => void | Promise<void>): Promise<void> {
    await this.ask('BEGIN');
    const [got] = await this.ask(`SELECT pg_try_advisory_xact_lock(${migrationLock}) AS locked`);
    if (got!.locked) return;
    await onWaiting();
    await this.ask(`SELECT pg_advisory_xact_lock(${migrationLock})`);
  }

  async found(): Promise<Found> {
    const own = await this.ask(things);
    if (own.length === 0) return { kind: 'empty' };
    const [ours] = await this.ask(
      `SELECT count(*) = 2 AS is FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = 'meta' AND column_name IN ('key', 'value')`,
    );
    if (!ours!.is) return { kind: 'other' };
    const [row] = await this.ask('SELECT key, value FROM meta WHERE key = ANY ($1)', [[unfinishedKey, endedKey]]);
    if (!row) return { kind: 'other' };
    return { kind: row.key === endedKey ? 'ended' : 'unfinished', id: String(row.value) };
  }

  clear(): Promise<unknown> {
    return this.ask(clear);
  }

  async makeTables(): Promise<void> {
    for (const statement of tablesOfNew()) await this.ask(statement);
  }

  /** Of each table of this program its columns, and whether the server counts them. */
  async columns(): Promise<ReadonlyMap<string, readonly (Column & { readonly isCounted: boolean })[]>> {
    const rows = await this.ask(
      `SELECT table_name AS table, column_name AS name, data_type AS type, is_identity = 'YES' AS counted
         FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`,
    );
    const columns = rows.map(({ table, name, type, counted }) => ({
      table: String(table),
      column: { name: String(name), type: type as ColumnType, isCounted: counted === true },
    }));
    const byTable = Map.groupBy(columns, ({ table }) => table);
    return new Map([...byTable].map(([table, all]) => [table, all.map(({ column }) => column)]));
  }

  /** Into a table that has at most what a migration put there. */
  async copy(table: string, columns: readonly Column[]) {
    await this.ask(`TRUNCATE "${table}" RESTART IDENTITY`);
    const copy = CopyIn.begin(this.#client, copyInto(table, columns));
    const explained = <T>(done: Promise<T>): Promise<T> =>
      done.catch(error => {
        throw this.#explained(error, `the table ${table}`);
      });
    return {
      write: (chunk: Uint8Array) => explained(copy.write(chunk)),
      end: () => explained(copy.end()),
      abandon: () => copy.abandon(),
    };
  }

  /** The number of rows that a table has, and their sum (BinaryRows). */
  async sumOf(table: string, columns: readonly Column[]): Promise<{ readonly rows: number; readonly sum: bigint }> {
    const [row] = await this.ask(sumOf(table, columns));
    return { rows: Number(row!.rows), sum: BigInt(String(row!.sum)) };
  }

  /** The next row of the table gets a number above this one and above all that it has. */
  async countFrom(table: string, column: string, highest: string): Promise<void> {
    await this.ask(
      `SELECT setval(pg_get_serial_sequence('"${table}"', '${column}'), own.highest)
         FROM (SELECT greatest($1::bigint, max("${column}")) AS highest FROM "${table}") AS own WHERE own.highest > 0`,
      [highest],
    );
  }

  /** Rows that a region begins with, besides those of the box. */
  async begins(with_: { readonly id: string; readonly seal: string; readonly lastSeq: number }): Promise<void> {
    await this.ask('UPDATE journal_head SET seq = $1 WHERE lane = 0', [with_.lastSeq]);
    await this.ask('INSERT INTO meta (key, value) VALUES ($1, $2), ($3, $4)', [
      ...['seal', with_.seal],
      ...[unfinishedKey, with_.id],
    ]);
  }

  commit(): Promise<unknown> {
    return this.#confirmed('COMMIT');
  }

  async rollback(): Promise<void> {
    await this.#client.query('ROLLBACK').catch(() => {});
  }

  /** From now on a region may start there. */
  async end(id: string): Promise<void> {
    const rename = 'UPDATE meta SET key = $1 WHERE key = $2 AND value = $3 RETURNING key';
    const ended = await this.#confirmed(rename, [endedKey, unfinishedKey, id]);
    if (ended.length === 0)
      throw this.refused('holds another move by now: let this box start again (`gatehouse migrate --take-back`)');
  }

  refused(why: string): MoveRefused {
    return new MoveRefused(`${this.name}: ${why}`);
  }

  async ask(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
    try {
      const answer = await this.#client.query(text, values as unknown[]);
      return answer.rows as Record<string, unknown>[];
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** Confirms a statement: one that the server completes with a warning may be lost. */
  async #confirmed(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
    this.#warnings = [];
    const rows = await this.ask(text, values);
    const [warning] = this.#warnings;
    if (warning !== undefined)
      throw this.refused(`its commit is not certain (${warning}): see to its standby, and repeat the command`);
    return rows;
  }

  #explained(error: unknown, what?: string): MoveRefused {
    const { message } = error as { readonly message: string };
    const state = stateOf(error);
    const about = what === undefined ? message : `${what}: ${message}`;
    switch (state) {
      case '42501':
        return this.refused(`its user may not do what this takes (${about}): make it the owner of the database`);
      case '53100':
        return this.refused(`the disk of its server is full (${about}): make room there, and repeat the command`);
      case '25006':
        return this.refused('it takes no writes: name the primary in the address');
      default:
        return /^(?!57|08)./.test(state)
          ? this.refused(`it does not take what the box has (${about}): report this; the box is as before`)
          : this.refused(`the connection broke (${about}): see that its server runs, and repeat the command`);
    }
  }
}
