import { type BulkWhat, bulkChangeKept } from '../port/bulk-changes.ts';
import type { Connection } from '../schema/database.ts';

interface StoredRow {
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Log of changes of many devices or people, in the writer thread: each row with the state before
 * and after, so that it can be undone. Only the newest changes are kept; retention removes the rows
 * of older ones.
 */
export class BulkLog {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  isThere(id: number): boolean {
    return this.#connection.sql('SELECT 1 FROM bulk_change WHERE id = ?').get(id) !== undefined;
  }

  /** Returns its id. */
  begin(what: BulkWhat, at: number, by: string): number {
    const { sql } = this.#connection;
    const { id } = sql('INSERT INTO bulk_change (at, by, what) VALUES (?, ?, ?) RETURNING id').get(at, by, what) as {
      id: number;
    };
    sql('DELETE FROM bulk_change WHERE id NOT IN (SELECT id FROM bulk_change ORDER BY id DESC LIMIT ?)').run(
      bulkChangeKept.changes,
    );
    return id;
  }

  add(id: number, { subject, before, after }: StoredRow): void {
    this.#connection
      .sql(
        'INSERT INTO bulk_change_row (bulk_id, ext_id, before, after) VALUES (?, ?, ?, ?) ON CONFLICT (bulk_id, ext_id) DO NOTHING',
      )
      .run(id, subject, JSON.stringify(before), JSON.stringify(after));
  }

  /**
   * Takes the next rows out, to be undone; with the last of them the change itself is gone. None:
   * it was undone, or is forgotten.
   */
  take(id: number, limit: number): { rows: StoredRow[]; more: boolean } {
    if (!this.isThere(id)) return { rows: [], more: false };
    const { sql } = this.#connection;
    const found = sql(
      'SELECT ext_id AS subject, before, after FROM bulk_change_row WHERE bulk_id = ? ORDER BY ext_id LIMIT ?',
    ).all(id, limit) as { subject: string; before: string; after: string }[];
    const remove = sql('DELETE FROM bulk_change_row WHERE bulk_id = ? AND ext_id = ?');
    for (const { subject } of found) remove.run(id, subject);
    const more = sql('SELECT 1 FROM bulk_change_row WHERE bulk_id = ? LIMIT 1').get(id) !== undefined;
    if (!more) sql('DELETE FROM bulk_change WHERE id = ?').run(id);
    const rows = found.map(({ subject, before, after }) => ({
      subject,
      before: JSON.parse(before) as unknown,
      after: JSON.parse(after) as unknown,
    }));
    return { rows, more };
  }
}

/** Removes up to `limit` rows of changes that are not kept any more. */
export const dropForgottenRows = ({ sql }: Connection, limit: number): void =>
  void sql(
    `DELETE FROM bulk_change_row WHERE rowid IN (SELECT rowid FROM bulk_change_row
       WHERE bulk_id < coalesce((SELECT min(id) FROM bulk_change), 9007199254740991) ORDER BY bulk_id LIMIT ?)`,
  ).run(limit);

/** Of a person who is erased, or whose id is another one now. */
export const forgetBulkRowsOf = ({ sql }: Pick<Connection, 'sql'>, extId: string): void =>
  void sql('DELETE FROM bulk_change_row WHERE ext_id = ?').run(extId);
