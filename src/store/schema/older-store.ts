import type { Connection } from './database.ts';
import { schemaVersion, versionOf } from './migrate.ts';

/**
 * The connection to a store that may be of an older program. Only the owner of a store may migrate
 * it, so a reader cannot: a statement that names what the store does not have yet throws what
 * `refused` makes of the reason and the remedy.
 */
export function explainingOlder(connection: Connection, refused: (why: string) => Error): Connection {
  if (versionOf(connection.database) >= schemaVersion) return connection;
  const sql = (text: string) => {
    try {
      return connection.sql(text);
    } catch {
      throw refused(
        'the store is of an older Gatehouse and does not have this yet: start the box once with `gatehouse serve`, which brings it up to date',
      );
    }
  };
  return Object.create(connection, { sql: { value: sql } }) as Connection;
}
