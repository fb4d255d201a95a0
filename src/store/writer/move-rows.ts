import type { Connection } from '../schema/database.ts';

/** Which rows of a table move from one value of `column` to another. */
export interface Moved {
  readonly table: string;
  readonly column: string;
  /** The other columns of its unique key; null: it has none with `column`. */
  readonly beside: readonly string[] | null;
  /** A condition of SQL: only these rows. */
  readonly only?: string;
}

/**
 * A row that has the new value already, and the same `beside`, makes way for the one that comes.
 */
export function moveRows({ sql }: Pick<Connection, 'sql'>, moved: Moved, before: string, after: string): void {
  if (before === after) return;
  const { table, column, beside, only = '1 = 1' } = moved;
  const same = (beside ?? []).map(key => ` AND coming.${key} = ${table}.${key}`).join('');
  if (beside)
    sql(
      `DELETE FROM ${table} WHERE ${column} = ?2 AND ${only}
         AND EXISTS (SELECT 1 FROM ${table} coming WHERE coming.${column} = ?1${same})`,
    ).run(before, after);
  sql(`UPDATE ${table} SET ${column} = ?2 WHERE ${column} = ?1 AND ${only}`).run(before, after);
}
