import { type FormerPlace, placesAfter } from '../../platform/places.ts';
import type { DateText } from '../../platform/shifts.ts';
import type { OrganizationOutcome, OrganizationRefusal } from '../port/organization.ts';
import type { DepartmentsByDate, PeopleReads } from '../port/people.ts';
import type { Connection } from '../schema/database.ts';
import { renamePlansOfDepartment } from './person-rows.ts';

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

export interface DepartmentRow {
  id: number;
  ext_id: string | null;
  name: string;
  parent_id: number | null;
  cloud_id: string | null;
  mirrored: string | null;
  missing_since: number | null;
}

export const done: OrganizationOutcome = { ok: true, value: null };
export const refused = (
  code: OrganizationRefusal['code'],
  field: string,
  reason: string,
): { readonly ok: false; readonly refusal: OrganizationRefusal } => ({ ok: false, refusal: { code, field, reason } });

/**
 * The tree of departments (SPEC 2.14, 4.8), in the writer thread. It has one root from the first
 * start on, with external id 0.
 */
export class Departments {
  readonly #connection: Connection;
  readonly #places: PlaceHistory;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#places = new PlaceHistory(connection);
  }

  root(): DepartmentRow {
    return this.#row('SELECT * FROM department WHERE parent_id IS NULL')!;
  }

  byExtId(extId: string): DepartmentRow | undefined {
    return this.#row('SELECT * FROM department WHERE ext_id = ?', extId);
  }

  /** By the id that callers see: the cloud's where it has one. */
  byShownId(id: string): DepartmentRow | undefined {
    return (
      this.#row('SELECT * FROM department WHERE cloud_id = ?', id) ??
      this.#row('SELECT * FROM department WHERE CAST(id AS TEXT) = ?', id)
    );
  }

  /**
   * Creates or updates. Without a parent it is placed under the root; the root stays the root.
   * Under another parent it is from `since` on, or from today.
   */
  put(
    extId: string,
    name: string,
    parentExtId: string | null,
    today: DateText,
    since?: DateText,
  ): OrganizationOutcome<{ extId: string; name: string }> {
    const { sql } = this.#connection;
    const known = this.byExtId(extId);
    const root = this.root();
    const parent = parentExtId === null ? root : this.byExtId(parentExtId);
    if (known?.id === root.id) {
      if (parentExtId !== null && parent?.id !== root.id)
        return refused('bad_body', 'p_ext_id', 'the root of the organization has no parent');
      sql('UPDATE department SET name = ? WHERE id = ?').run(name, root.id);
      return { ok: true, value: { extId, name } };
    }
    if (!parent) return refused('unknown_id', 'p_ext_id', 'no department has this external id');
    if (known && this.within(known.id).has(parent.id))
      return refused('bad_body', 'p_ext_id', 'a department cannot be its own parent');
    const text = 'INSERT INTO department (ext_id, name, parent_id, parent_since) VALUES (?, ?, ?, ?)';
    if (!known) sql(text).run(extId, name, parent.id, since ?? today);
    else {
      sql('UPDATE department SET name = ? WHERE id = ?').run(name, known.id);
      this.place(known, parent.id, today, since);
    }
    return { ok: true, value: { extId, name } };
  }

  /** Under `to` from `since` on, or from today if it stands under another. The root has none. */
  place({ id, parent_id: now }: DepartmentRow, to: number | null, today: DateText, since?: DateText): void {
    if (now === null || to === null || (now === to && since === undefined)) return;
    this.#places.move('department', id, to, since ?? today);
  }

  setExtId(row: DepartmentRow, extId: string, field: string): OrganizationOutcome {
    const owner = this.byExtId(extId);
    if (owner && owner.id !== row.id) return refused('ext_id_in_use', field, 'another department has this external id');
    this.#connection.sql('UPDATE department SET ext_id = ? WHERE id = ?').run(extId, row.id);
    if (row.ext_id !== null) renamePlansOfDepartment(this.#connection, row.ext_id, extId);
    return done;
  }

  /** Deletes it with its empty sub-departments (SPEC 4.8: none of them may have employees). */
  delete(row: DepartmentRow): OrganizationOutcome {
    const { sql } = this.#connection;
    if (row.parent_id === null)
      return refused('bad_body', 'department_ext_id', 'the root of the organization cannot be deleted');
    const all = this.within(row.id);
    const busy = sql('SELECT count(*) AS many FROM employee WHERE department_id = ?');
    for (const id of all)
      if ((busy.get(id) as { many: number }).many > 0)
        return refused(
          'department_has_employees',
          'department_ext_id',
          'it or a department below it still has employees: move or delete them first',
        );
    this.drop(all);
    return done;
  }

  /** Deletes departments as they stand. */
  drop(ids: ReadonlySet<number>): void {
    this.#places.keepNames(ids);
    for (const id of ids) this.#connection.sql('DELETE FROM department WHERE id = ?').run(id);
  }

  /** The department and all below it. */
  within(id: number): Set<number> {
    const rows = this.#connection
      .sql(
        'WITH RECURSIVE below(id) AS (SELECT CAST(? AS INTEGER) UNION SELECT d.id FROM department d JOIN below b ON d.parent_id = b.id) SELECT id FROM below',
      )
      .all(id) as { id: number }[];
    return new Set(rows.map(row => row.id));
  }

  #row(text: string, ...values: string[]): DepartmentRow | undefined {
    return this.#connection.sql(text).get(...values) as DepartmentRow | undefined;
  }
}
