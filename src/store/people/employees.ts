import { employeeName } from '../../platform/reserved-names.ts';
import type { DateText } from '../../platform/shifts.ts';
import type { Employee, EmployeeChange, OrganizationOutcome } from '../port/organization.ts';
import type { Connection } from '../schema/database.ts';
import { forgetBulkRowsOf } from './bulk-changes.ts';
import { Departments, done, PlaceHistory, refused } from './departments.ts';
import { erase } from './erasing.ts';
import { Features } from './features.ts';
import { mobileOf, putMobile } from './mobile.ts';
import { People } from './people.ts';
import { deleteCorrections, forgetPlansOf, moveRows, renamePlansOf } from './person-rows.ts';
import { searchKeysOf } from './search-keys.ts';
import { Aliases, unresolve } from './unresolving.ts';

/** With the mobile number decrypted. */
export interface EmployeeRow {
  id: number;
  ext_id: string | null;
  name: string;
  mobile: string;
  employee_num: string;
  department_id: number;
  /** The first local date in it; null: always, as far as is known. */
  department_since: DateText | null;
  title: string;
  cloud_id: string | null;
  mirrored: string | null;
  missing_since: number | null;
}

const needed = ({ name, mobile, employeeNum }: EmployeeChange) =>
  [
    ['name', name],
    ['mobile', mobile],
    ['employee_num', employeeNum],
  ] as const;

/**
 * Employees (SPEC 2.14, 4.8), in the writer thread, with what depends on them: check-ins, access
 * records, features, the copies on terminals.
 */
export class Employees {
  readonly #connection: Connection;
  readonly #departments: Departments;
  readonly #people: People;
  readonly #features: Features;
  readonly #places: PlaceHistory;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#departments = new Departments(connection);
    this.#people = new People(connection);
    this.#features = new Features(connection);
    this.#places = new PlaceHistory(connection);
  }

  byExtId(extId: string): EmployeeRow | undefined {
    return this.#row('SELECT * FROM employee WHERE ext_id = ?', extId);
  }

  /** By the id that callers see: the cloud's where it has one. */
  byShownId(id: string): EmployeeRow | undefined {
    return (
      this.#row('SELECT * FROM employee WHERE cloud_id = ?', id) ??
      this.#row('SELECT * FROM employee WHERE CAST(id AS TEXT) = ?', id)
    );
  }

  byCloudId(id: string): EmployeeRow | undefined {
    return this.#row('SELECT * FROM employee WHERE cloud_id = ?', id);
  }

  /** Creates or updates. Fields that are not named stay. Another department counts from today. */
  put(change: EmployeeChange, today: DateText): OrganizationOutcome<Employee> {
    const before = this.byExtId(change.extId);
    let departmentId = before?.department_id;
    if (change.department !== undefined) {
      departmentId = this.#departments.byExtId(change.department.extId)?.id;
      if (departmentId === undefined)
        return refused('unknown_id', 'department_infos[0].ext_id', 'no department has this external id');
    }
    if (!before)
      for (const [field, value] of needed(change))
        if (value === undefined) return refused('bad_body', field, 'is missing: this employee is new');
    if (departmentId === undefined)
      return refused('bad_body', 'department_infos', 'a new employee needs exactly one department');
    const after = {
      name: change.name ?? before?.name ?? '',
      mobile: change.mobile ?? before?.mobile ?? '',
      employee_num: change.employeeNum ?? before?.employee_num ?? '',
      department_id: departmentId,
      title: change.department?.title ?? before?.title ?? '',
    };
    return { ok: true, value: this.write(before, change.extId, after, today, change.department?.since) };
  }

  /**
   * Stores the whole row; a person who becomes known gets the check-ins that waited. In the
   * department from `since` on, or from `today` if it is another; null: it is the same.
   */
  write(
    before: EmployeeRow | undefined,
    extId: string | null,
    after: Pick<EmployeeRow, 'name' | 'mobile' | 'employee_num' | 'department_id' | 'title'>,
    today: DateText | null,
    since?: DateText,
  ): Employee {
    const { sql } = this.#connection;
    let id = before?.id;
    if (id === undefined) {
      const put = sql(
        'INSERT INTO employee (ext_id, name, employee_num, department_id, department_since, title, search_keys) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id',
      ).get(
        extId,
        after.name,
        after.employee_num,
        after.department_id,
        since ?? today,
        after.title,
        searchKeysOf(after.name),
      );
      id = (put as { id: number }).id;
    } else {
      sql('UPDATE employee SET ext_id = ?, name = ?, employee_num = ?, title = ?, search_keys = ? WHERE id = ?').run(
        extId,
        after.name,
        after.employee_num,
        after.title,
        searchKeysOf(after.name),
        id,
      );
      const from = since ?? (before?.department_id === after.department_id ? null : today);
      if (from !== null) this.#places.move('person', id, after.department_id, from);
    }
    if (before && before.ext_id !== null && extId !== null && before.ext_id !== extId)
      this.#renameRequests(before.ext_id, extId);
    if (after.mobile !== (before?.mobile ?? '')) putMobile(this.#connection, id, after.mobile);
    if (!before || before.ext_id !== extId || before.employee_num !== after.employee_num) {
      this.#people.resolve(this.#people.byId(id)!);
      if (before && before.employee_num !== after.employee_num) this.#resolveNumber(before.employee_num);
    }
    if (!before || before.name !== after.name || before.employee_num !== after.employee_num || before.ext_id !== extId)
      this.#people.changed(extId);
    return {
      id: before?.cloud_id ?? String(id),
      extId: extId ?? '',
      name: after.name,
      mobile: after.mobile,
      employeeNum: after.employee_num,
      departmentId: String(after.department_id),
      title: after.title,
    };
  }

  /** Also who asked: an employee may withdraw what waits. */
  #renameRequests(before: string, extId: string): void {
    const { sql } = this.#connection;
    sql('UPDATE correction_item SET ext_id = ? WHERE ext_id = ?').run(extId, before);
    const [asked, asks] = [before, extId].map(employeeName) as [string, string];
    sql(
      `UPDATE correction SET asked_by = ?
       WHERE asked_by = ? AND id IN (SELECT correction_id FROM correction_item WHERE ext_id = ?)`,
    ).run(asks, asked, extId);
    sql('UPDATE leave SET recorded_by = ? WHERE recorded_by = ? AND ext_id = ?').run(asks, asked, extId);
  }

  setExtId(row: EmployeeRow, extId: string): OrganizationOutcome {
    const owner = this.byExtId(extId);
    if (owner && owner.id !== row.id)
      return refused('ext_id_in_use', 'ext_id', 'another employee has this external id');
    if (row.ext_id === extId) return done;
    const { sql } = this.#connection;
    if (row.ext_id !== null) {
      this.#people.changed(row.ext_id, true);
      this.#features.rename(row.ext_id, extId);
      renamePlansOf(this.#connection, row.ext_id, extId);
      forgetBulkRowsOf(this.#connection, row.ext_id);
      new Aliases(this.#connection).rename(row.ext_id, extId);
      const records = { table: 'biometric_record', column: 'ext_id', beside: ['seq'] };
      moveRows(this.#connection, records, row.ext_id, extId);
      sql('UPDATE access_record SET ext_id = ? WHERE employee_id = ? AND ext_id = ?').run(extId, row.id, row.ext_id);
    }
    this.write(row, extId, row, null);
    return done;
  }

  /**
   * Deletes employees with all of their check-ins (SPEC 4.8); their access records lose person and
   * picture. The journal's copies are erased later (erasing.ts).
   */
  delete(rows: readonly EmployeeRow[], at: number): void {
    const extIds = new Set(rows.flatMap(row => row.ext_id ?? []));
    this.#connection.overwriting(() => {
      for (const row of rows) for (const said of this.#delete(row)) extIds.add(said);
      erase(this.#connection, extIds, at);
    });
  }

  /** Returns the other ids under which devices knew the person. */
  #delete(row: EmployeeRow): readonly string[] {
    const { sql } = this.#connection;
    let said: readonly string[] = [];
    sql('DELETE FROM checkin WHERE employee_id = ?').run(row.id);
    if (row.ext_id !== null) {
      sql('DELETE FROM checkin_unresolved WHERE ext_id = ? AND ext_id <> ?').run(row.ext_id, '');
      const nobody = `UPDATE access_record SET ext_id = '', employee_id = NULL, sealed_capture_img = NULL,
        check_data = json_remove(check_data, '$.employee_num', '$.dept_name', '$.member_name', '$.dept_id') WHERE ext_id = ?`;
      said = new Aliases(this.#connection).forget(row.ext_id);
      for (const extId of [row.ext_id, ...said]) sql(nobody).run(extId);
      sql('DELETE FROM cloud_checkin WHERE checkin_id IS NULL AND ext_id = ?').run(row.ext_id);
      deleteCorrections(this.#connection, row.ext_id);
      this.#features.remove(row.ext_id);
      forgetPlansOf(this.#connection, row.ext_id);
      forgetBulkRowsOf(this.#connection, row.ext_id);
      this.#people.changed(row.ext_id, true);
    }
    this.#places.forget('person', row.id);
    sql('DELETE FROM employee WHERE id = ?').run(row.id);
    this.#resolveNumber(row.employee_num);
    return said;
  }

  /**
   * The cloud refused this person, who is unknown again; the check-ins are kept in case the person
   * becomes known.
   */
  forget(row: EmployeeRow): void {
    const person = this.#people.byId(row.id);
    if (person) unresolve(this.#connection, person);
    if (row.ext_id !== null) this.#people.changed(row.ext_id, true);
    this.#places.forget('person', row.id);
    this.#connection.sql('DELETE FROM employee WHERE id = ?').run(row.id);
  }

  /** An employee number that several people had may now belong to one person only. */
  #resolveNumber(employeeNum: string): void {
    if (employeeNum === '') return;
    const person = this.#people.find('', employeeNum);
    if (person) this.#people.resolve(person);
  }

  #row(text: string, value: string): EmployeeRow | undefined {
    const row = this.#connection.sql(text).get(value) as
      | (Omit<EmployeeRow, 'mobile'> & { sealed_mobile: Uint8Array | null })
      | undefined;
    if (!row) return undefined;
    const { sealed_mobile: sealedMobile, ...rest } = row;
    return { ...rest, mobile: mobileOf(this.#connection.seal, { id: rest.id, sealedMobile }) };
  }
}
