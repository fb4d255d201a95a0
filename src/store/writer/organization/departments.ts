import type { OrganizationOutcome, OrganizationRefusal } from '../../port/organization.ts';
import type { Connection } from '../../schema/database.ts';
import { renamePlansOfDepartment } from '../schedules/of-person.ts';

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

  constructor(connection: Connection) {
    this.#connection = connection;
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

  /** Creates or updates. Without a parent it is placed under the root; the root stays the root. */
  put(extId: string, name: string, parentExtId: string | null): OrganizationOutcome<{ extId: string; name: string }> {
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
      return refused('bad_body', 'p_ext_id', 'a department cannot stand under itself');
    if (known) sql('UPDATE department SET name = ?, parent_id = ? WHERE id = ?').run(name, parent.id, known.id);
    else sql('INSERT INTO department (ext_id, name, parent_id) VALUES (?, ?, ?)').run(extId, name, parent.id);
    return { ok: true, value: { extId, name } };
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
    for (const id of all) sql('DELETE FROM department WHERE id = ?').run(id);
    return done;
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
