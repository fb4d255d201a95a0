import { type FormerPlace, placesAfter } from '../../platform/places.ts';
import type { DateText } from '../../platform/shifts.ts';
import type { DepartmentsByDate, PeopleReads } from '../port/people.ts';
import type { Connection } from '../schema/database.ts';

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

const nodes = `SELECT id, parent_id AS "parentId", coalesce(ext_id, '') AS "extId", name FROM department
  UNION ALL SELECT id, parent_id, coalesce(ext_id, ''), name FROM gone_department ORDER BY 1`;

const formerParents = `SELECT subject_id AS id, until, department_id AS "parentId" FROM former_place
  WHERE kind = 'department' AND until >= ? ORDER BY subject_id, until`;

const formerOf = `SELECT subject_id AS id, until, department_id AS "departmentId" FROM former_place
  WHERE kind = 'person' AND until >= ?1 AND subject_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?2))
  ORDER BY subject_id, until`;

/** Where people and departments stood on which date. Hand-written: a union is shorter in SQL. */
export const placeReads = ({
  sql,
}: Pick<Connection, 'sql'>): Pick<PeopleReads, 'departmentsByDate' | 'formerDepartments'> => ({
  async departmentsByDate(since) {
    return { nodes: sql(nodes).all(), former: sql(formerParents).all(since) } as unknown as DepartmentsByDate;
  },
  async formerDepartments({ ids, since }) {
    const rows = sql(formerOf).all(since, JSON.stringify(ids)) as unknown as (FormerPlace & { id: number })[];
    const found = new Map<number, FormerPlace[]>();
    for (const { id, until, departmentId } of rows) {
      const places = found.get(id);
      if (places) places.push({ until, departmentId });
      else found.set(id, [{ until, departmentId }]);
    }
    return found;
  },
});
