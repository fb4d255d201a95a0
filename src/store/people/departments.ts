import type { DateText } from '../../platform/shifts.ts';
import type { OrganizationOutcome, OrganizationRefusal } from '../port/organization.ts';
import type { Connection } from '../schema/database.ts';
import { renamePlansOfDepartment } from './person-rows.ts';
import { PlaceHistory } from './places.ts';

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
      return refused('bad_body', 'p_ext_id', 'a department cannot stand under itself');
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
