import type { CloudDepartment, CloudEmployee } from '../../port/organization.ts';
import type { StoreWrites } from '../../port/store.ts';
import type { OperationContext } from '../operation-context.ts';
import { conflictFingerprint, splitSides } from '../organization/conflict-sides.ts';
import { type DepartmentRow, Departments } from '../organization/departments.ts';
import { type EmployeeRow, Employees } from '../organization/employees.ts';
import { Features } from '../organization/features.ts';
import { mirroredMark } from '../organization/mobile.ts';
import { People } from '../organization/people.ts';
import { WriteQueue } from '../organization/write-queue.ts';

type Input<K extends keyof StoreWrites> = Parameters<StoreWrites[K]>[0];

/**
 * So many deletions at once look like a mistake of the cloud, or of its address: those rows are
 * kept and shown.
 */
const goneAtOnce = { least: 10, share: 0.5 } as const;

/**
 * Makes the organization equal to the cloud's, except for changes of the box that the cloud has not
 * had yet. Where both have changed the same thing, both sides are noted as a conflict.
 */
export function mirrorOrganization(
  context: OperationContext,
  { departments, employees, perhapsThere, at }: Input<'mirrorOrganization'>,
): { changed: number; removed: number; conflicts: number; held: number } {
  const mirror = new Mirror(context, at);
  for (const one of parentsFirst(departments)) mirror.takeDepartment(one);
  for (const one of employees) mirror.takeEmployee(one);
  const there = new Set([...departments, ...employees].map(({ id }) => id));
  for (const id of perhapsThere) there.add(id);
  mirror.removeEmployees(there);
  mirror.removeDepartments(there);
  return mirror.report;
}

class Mirror {
  readonly #context: OperationContext;
  readonly #at: number;
  readonly #departments: Departments;
  readonly #employees: Employees;
  readonly #queue: WriteQueue;
  readonly report = { changed: 0, removed: 0, conflicts: 0, held: 0 };

  constructor(context: OperationContext, at: number) {
    this.#context = context;
    this.#at = at;
    this.#departments = new Departments(context);
    this.#employees = new Employees(context);
    this.#queue = new WriteQueue(context);
  }

  takeDepartment(cloud: CloudDepartment): void {
    const { sql } = this.#context;
    const root = this.#departments.root();
    const parent = cloud.pid === '' ? undefined : this.#byCloudId('department', cloud.pid);
    const known =
      (this.#byCloudId('department', cloud.id) as DepartmentRow | undefined) ??
      (cloud.extId === '' ? undefined : this.#departments.byExtId(cloud.extId)) ??
      (isRoot(cloud) ? root : undefined);
    const subject = `department ${cloud.extId || known?.ext_id || cloud.id}`;
    const said = JSON.stringify(cloud);
    const parentId = known && known.id === root.id ? null : (parent?.id ?? root.id);
    const waits = this.#queue.waitsFor(subject);
    if (known && known.mirrored === said && (waits || known.parent_id === parentId)) return;
    if (waits) {
      if (known && known.mirrored !== null) this.#conflict(subject, cloud, { ext_id: known.ext_id, name: known.name });
      if (known) sql('UPDATE department SET cloud_id = ?, mirrored = ? WHERE id = ?').run(cloud.id, said, known.id);
      return;
    }
    const extId = cloud.extId === '' ? null : cloud.extId;
    this.#free('department', extId, known?.id);
    if (known)
      sql('UPDATE department SET ext_id = ?, name = ?, parent_id = ?, cloud_id = ?, mirrored = ? WHERE id = ?').run(
        extId,
        cloud.name,
        parentId,
        cloud.id,
        said,
        known.id,
      );
    else
      sql('INSERT INTO department (ext_id, name, parent_id, cloud_id, mirrored) VALUES (?, ?, ?, ?, ?)').run(
        extId,
        cloud.name,
        parentId,
        cloud.id,
        said,
      );
    this.report.changed++;
  }

  takeEmployee(cloud: CloudEmployee): void {
    const { sql } = this.#context;
    const known =
      this.#employees.byCloudId(cloud.id) ?? (cloud.extId === '' ? undefined : this.#employees.byExtId(cloud.extId));
    const subject = `employee ${cloud.extId || known?.ext_id || cloud.id}`;
    const said = mirroredMark(this.#context.seal, JSON.stringify(cloud));
    const department = this.#byCloudId('department', cloud.departmentId) ?? this.#departments.root();
    const waits = this.#queue.waitsFor(subject);
    if (known && known.mirrored === said && (waits || known.department_id === department.id)) return;
    if (waits) {
      if (known && known.mirrored !== null)
        this.#conflict(subject, cloud, {
          ext_id: known.ext_id,
          name: known.name,
          mobile: known.mobile,
          employee_num: known.employee_num,
        });
      // Deleted here, and the cloud does not know it yet: must not come back meanwhile.
      if (known) sql('UPDATE employee SET cloud_id = ?, mirrored = ? WHERE id = ?').run(cloud.id, said, known.id);
      return;
    }
    const extId = cloud.extId === '' ? null : cloud.extId;
    this.#free('employee', extId, known?.id);
    if (known && known.ext_id !== null && extId !== null && known.ext_id !== extId)
      this.#employees.setExtId(known, extId);
    this.#employees.write(known && { ...known, ext_id: known.ext_id === null ? null : extId }, extId, {
      name: cloud.name,
      mobile: cloud.mobile,
      employee_num: cloud.employeeNum,
      department_id: department.id,
      title: known?.title ?? '',
    });
    const written = known?.id ?? (sql('SELECT max(id) AS id FROM employee').get() as { id: number }).id;
    sql('UPDATE employee SET cloud_id = ?, mirrored = ? WHERE id = ?').run(cloud.id, said, written);
    this.report.changed++;
  }

  removeEmployees(there: ReadonlySet<string>): void {
    const all = this.#context
      .sql('SELECT * FROM employee WHERE cloud_id IS NOT NULL')
      .all() as unknown as EmployeeRow[];
    const gone = all.filter(row => !there.has(row.cloud_id!));
    if (this.#tooMany(gone.length, all.length)) return;
    const deleted: EmployeeRow[] = [];
    for (const row of gone) {
      const subject = `employee ${row.ext_id ?? row.cloud_id}`;
      if (this.#queue.waitsFor(subject)) {
        this.#conflict(subject, null, { ext_id: row.ext_id, name: row.name });
        this.#context.sql('UPDATE employee SET cloud_id = NULL, mirrored = NULL WHERE id = ?').run(row.id);
      } else deleted.push(row);
    }
    this.#employees.delete(deleted, this.#at);
    this.report.removed += deleted.length;
  }

  removeDepartments(there: ReadonlySet<string>): void {
    const all = this.#context
      .sql('SELECT * FROM department WHERE cloud_id IS NOT NULL AND parent_id IS NOT NULL')
      .all() as unknown as DepartmentRow[];
    const gone = all.filter(row => !there.has(row.cloud_id!));
    if (this.#tooMany(gone.length, all.length)) return;
    for (const row of gone) {
      const subject = `department ${row.ext_id ?? row.cloud_id}`;
      const waits = this.#queue.waitsFor(subject);
      if (!waits && this.#departments.delete(row).ok) this.report.removed++;
      else {
        this.#conflict(subject, null, { ext_id: row.ext_id, name: row.name });
        this.#context.sql('UPDATE department SET cloud_id = NULL, mirrored = NULL WHERE id = ?').run(row.id);
      }
    }
  }

  #tooMany(gone: number, all: number): boolean {
    if (gone < goneAtOnce.least || gone < all * goneAtOnce.share) return false;
    this.report.held += gone;
    return true;
  }

  /**
   * Another row of the box has the external id that the cloud uses for this one: the cloud decides,
   * and the other row is noted.
   */
  #free(table: 'department' | 'employee', extId: string | null, ownId: number | undefined): void {
    if (extId === null) return;
    const { sql } = this.#context;
    const other = sql(`SELECT id, name FROM ${table} WHERE ext_id = ? AND id <> ?`).get(extId, ownId ?? -1) as
      | { id: number; name: string }
      | undefined;
    if (!other) return;
    this.#conflict(`${table} ${extId}`, { ext_id: extId }, { ext_id: extId, name: other.name });
    sql(`UPDATE ${table} SET ext_id = NULL WHERE id = ?`).run(other.id);
  }

  #byCloudId(table: 'department' | 'employee', id: string): { id: number } | undefined {
    return this.#context.sql(`SELECT * FROM ${table} WHERE cloud_id = ?`).get(id) as { id: number } | undefined;
  }

  #conflict(subject: string, cloudSide: object | null, boxSide: object): void {
    const { sql, seal } = this.#context;
    const fingerprint = conflictFingerprint(seal, subject, JSON.stringify(cloudSide), JSON.stringify(boxSide));
    if (sql('SELECT 1 FROM organization_conflict WHERE fingerprint = ?').get(fingerprint)) return;
    const { open, sealed } = splitSides(seal, cloudSide as Side, boxSide as Side);
    sql(
      `INSERT INTO organization_conflict (at, subject, cloud_side, box_side, sealed_sides, fingerprint)
         VALUES (?, ?, ?, ?, ?, ?)`,
    ).run(this.#at, subject, ...open, sealed, fingerprint);
    this.report.conflicts++;
  }
}

type Side = Parameters<typeof splitSides>[1];

const isRoot = ({ pid }: CloudDepartment): boolean => pid === '' || pid === '0';

/** Parents before children; departments in a cycle or without a known parent come last. */
function parentsFirst(departments: readonly CloudDepartment[]): CloudDepartment[] {
  const known = new Set(departments.map(({ id }) => id));
  const ordered: CloudDepartment[] = [];
  const placed = new Set<string>();
  let waiting = [...departments];
  while (waiting.length > 0) {
    const ready = waiting.filter(({ pid }) => !known.has(pid) || placed.has(pid));
    if (ready.length === 0) return [...ordered, ...waiting];
    for (const one of ready) placed.add(one.id);
    ordered.push(...ready);
    waiting = waiting.filter(({ id }) => !placed.has(id));
  }
  return ordered;
}

/** Skipped while the box has features of this person that the cloud has not had yet. */
export function mirrorFeatures(
  context: OperationContext,
  { at, abnormal, ...update }: Input<'mirrorFeatures'>,
): boolean {
  if (new WriteQueue(context).waitsFor(`features of ${update.extId}`)) return false;
  if (!new Employees(context).byExtId(update.extId)) return false;
  if (!new Features(context).put(update, at, { deviceNo: null, abnormal })) return false;
  new People(context).changed(update.extId);
  return true;
}
