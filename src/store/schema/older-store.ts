import type { StoreReader } from '../port/store.ts';
import type { Connection } from './database.ts';
import { schemaVersion, versionOf } from './migrate.ts';

const lacks =
  'the store is of an older Gatehouse and does not have this yet: start the box once with `gatehouse serve`, which brings it up to date';

/**
 * The connection to a store that may be of an older program. Only the owner of a store may migrate
 * it, so a reader cannot: a statement that names something the store does not have yet throws the
 * error that `refused` makes from the reason and the remedy.
 */
export function explainingOlder(connection: Connection, refused: (why: string) => Error): Connection {
  if (versionOf(connection.database) >= schemaVersion) return connection;
  const sql = (text: string) => {
    try {
      return connection.sql(text);
    } catch {
      throw refused(lacks);
    }
  };
  return Object.create(connection, { sql: { value: sql } }) as Connection;
}

/** The same for reads, whose statements the query builder makes. */
export function explainingOlderReads(
  reads: StoreReader,
  { database }: Connection,
  refused: (why: string) => Error,
): StoreReader {
  if (versionOf(database) >= schemaVersion) return reads;
  const explained = (error: unknown) => {
    throw explanationOf(error, refused);
  };
  const all = Object.entries(reads).map(([name, read]) => [
    name,
    (...args: never[]) => {
      const found: unknown = (read as (...args: never[]) => unknown)(...args);
      return found instanceof Promise ? found.catch(explained) : found;
    },
  ]);
  return Object.fromEntries(all) as StoreReader;
}

/** The same for what is read when the store is opened. */
export function explainingOlderRead<T>(read: () => T, refused: (why: string) => Error): T {
  try {
    return read();
  } catch (error) {
    throw explanationOf(error, refused);
  }
}

const explanationOf = (error: unknown, refused: (why: string) => Error): unknown =>
  isMissing(error) ? refused(lacks) : error;

const isMissing = (error: unknown): boolean => {
  const { message, cause } = error as Error & { cause?: Error };
  return /no such (table|column)/.test(`${message} ${cause?.message ?? ''}`);
};
