import { type FormerPlace, placesAfter } from '../../../platform/places.ts';
import type { DateText } from '../../../platform/shifts.ts';
import type { Connection } from '../../schema/database.ts';

type PlaceKind = 'person' | 'department';

/** The columns of where it stands now. */
const columns = {
  person: { table: 'employee', place: 'department_id', since: 'department_since' },
  department: { table: 'department', place: 'parent_id', since: 'parent_since' },
} as const;

/**
 * Since when people stand in their department and departments under another, in the writer thread.
 */
export class PlaceHistory {
  readonly #connection: Pick<Connection, 'sql'>;

  constructor(connection: Pick<Connection, 'sql'>) {
    this.#connection = connection;
  }

  /** From the date `since` on it stands in `to`. */
  move(kind: PlaceKind, id: number, to: number, since: DateText): void {
    const { sql } = this.#connection;
    const { table, place, since: column } = columns[kind];
    const row = sql(`SELECT ${place} AS now, ${column} AS since FROM ${table} WHERE id = ?`).get(id) as
      | { now: number; since: DateText | null }
      | undefined;
    if (!row) return;
    const places = placesAfter({ ...row, former: this.#former(kind, id) }, to, since);
    sql(`UPDATE ${table} SET ${place} = ?, ${column} = ? WHERE id = ?`).run(to, places.since, id);
    this.forget(kind, id);
    const add = sql('INSERT INTO former_place (kind, subject_id, until, department_id) VALUES (?, ?, ?, ?)');
    for (const { until, departmentId } of places.former) add.run(kind, id, until, departmentId);
  }

  forget(kind: PlaceKind, id: number): void {
    this.#connection.sql('DELETE FROM former_place WHERE kind = ? AND subject_id = ?').run(kind, id);
  }

  /** Departments that are deleted, as long as somebody stood in one of them. */
  keepNames(ids: Iterable<number>): void {
    const { sql } = this.#connection;
    const all = [...ids];
    const stoodIn = sql('SELECT 1 FROM former_place WHERE department_id = ? LIMIT 1');
    if (!all.some(id => stoodIn.get(id))) return;
    const keep = sql(
      'INSERT INTO gone_department (id, ext_id, name, parent_id) SELECT id, ext_id, name, parent_id FROM department WHERE id = ?',
    );
    for (const id of all) keep.run(id);
  }

  #former(kind: PlaceKind, id: number): FormerPlace[] {
    return this.#connection
      .sql(
        'SELECT until, department_id AS "departmentId" FROM former_place WHERE kind = ? AND subject_id = ? ORDER BY until',
      )
      .all(kind, id) as unknown as FormerPlace[];
  }
}
