import type { SQLInputValue } from 'node:sqlite';
import { is, Placeholder, sql } from 'drizzle-orm';
import type { Connection } from './database.ts';

/** A placeholder for each value of a query. */
export type Params<Values> = { readonly [Name in keyof Values]-?: Placeholder<string, Values[Name]> };

/** None for a query without parameters. */
type Given<Values> = unknown extends Values ? [] : [values: Values];

export interface Query<Values, Row> {
  all(...values: Given<Values>): Row[];
  get(...values: Given<Values>): Row | undefined;
  /**
   * Rows as arrays, in the order of the selection: of a long report the objects of the query
   * builder take more time than the read.
   */
  arrays(connection: Pick<Connection, 'sql'>, values: Values): unknown[][];
}

interface Prepared<Row> {
  all(values?: Record<string, unknown>): Row[];
  get(values?: Record<string, unknown>): Row | undefined;
}

interface Preparable<Row> {
  prepare(): Prepared<Row>;
  toSQL(): { readonly sql: string; readonly params: unknown[] };
}

/**
 * A query of the query builder, built and prepared when it first runs, so that neither the start of
 * the box nor a second call pays for it. Booleans are constants of a query, not values, because
 * SQLite's driver accepts none.
 */
export function query<Values, Row>(build: (value: Params<Values>) => Preparable<Row>): Query<Values, Row> {
  let prepared: Prepared<Row> | undefined;
  const ready = (): Prepared<Row> => {
    prepared ??= build(placeholders as Params<Values>).prepare();
    return prepared;
  };
  let text: ReturnType<Preparable<Row>['toSQL']> | undefined;
  return {
    all: (...[values]) => ready().all(values as never),
    get: (...[values]) => ready().get(values as never),
    arrays(connection, values) {
      text ??= build(placeholders as Params<Values>).toSQL();
      const statement = connection.sql(text.sql);
      statement.setReturnArrays(true);
      const bound = text.params.map(one => (is(one, Placeholder) ? values[nameOf(one) as keyof Values] : one));
      return statement.all(...(bound as SQLInputValue[])) as unknown as unknown[][];
    },
  };
}

/**
 * A query whose conditions differ, such as with a filter and without: prepared once for each
 * `variant`, of which there must be few. The planner sees only the conditions that hold, so that
 * each variant gets its index.
 */
export function queryFor<Variant extends string | boolean | Readonly<Record<string, string | boolean>>, Values, Row>(
  build: (variant: Variant, value: Params<Values>) => Preparable<Row>,
): (variant: Variant) => Query<Values, Row> {
  const queries = new Map<string, Query<Values, Row>>();
  return variant => {
    const key = JSON.stringify(variant);
    let found = queries.get(key);
    if (!found) {
      found = query<Values, Row>(value => build(variant, value));
      queries.set(key, found);
    }
    return found;
  };
}

/** A query of functions that are handed a connection: prepared once for each connection. */
export function queryOn<Values, Row>(
  build: (orm: Connection['orm'], value: Params<Values>) => Preparable<Row>,
): (connection: Pick<Connection, 'orm'>) => Query<Values, Row> {
  const queries = new WeakMap<Connection['orm'], Query<Values, Row>>();
  return ({ orm }) => {
    let found = queries.get(orm);
    if (!found) {
      found = query<Values, Row>(value => build(orm, value));
      queries.set(orm, found);
    }
    return found;
  };
}

/** The query builder keeps it to itself, and is asked for no row here. */
const nameOf = (one: Placeholder): string => (one as unknown as { readonly name: string }).name;

/** Whatever is read from it is the placeholder of that name. */
const placeholders = new Proxy({}, { get: (_target, name) => sql.placeholder(String(name)) });
