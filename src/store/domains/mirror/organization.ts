import type { DateText } from '../../../platform/shifts.ts';
import type { UnixMs } from '../../../runtime/clock.ts';
import type { OperationContext } from '../../domain.ts';
import { noteConflict, WriteQueue } from '../../people/cloud-writes.ts';
import { type DepartmentRow, Departments } from '../../people/departments.ts';
import { Employees } from '../../people/employees.ts';
import { Features } from '../../people/features.ts';
import { mirroredMark } from '../../people/mobile.ts';
import { People } from '../../people/people.ts';
import type { FeatureUpdate } from '../../port/organization.ts';
import { MissingAtCloud } from './missing-at-cloud.ts';
import { noteMirrored } from './records.ts';
import type { CloudDepartment, CloudEmployee, MirrorReport } from './tables.ts';

/**
 * Makes the organization equal to the cloud's, except for changes of the box that the cloud has not
 * had yet. Where both have changed the same thing, both sides are noted as a conflict.
 */
/**
 * The organization of the cloud as it is now: both lists whole. Who is missing in them is hidden,
 * and deleted when whole lists have lacked the row for `missingKeptMs`. Notes the list
 * `organization` as mirrored.
 */
export function mirrorOrganization(
  context: OperationContext,
  {
    departments,
    employees,
    at,
  }: {
    departments: readonly CloudDepartment[];
    employees: readonly CloudEmployee[];
    at: UnixMs;
  },
): MirrorReport {
  const mirror = new Mirror(context, at);
  for (const one of parentsFirst(departments)) mirror.takeDepartment(one);
  for (const one of employees) mirror.takeEmployee(one);
  const missing = new MissingAtCloud(context, at);
  missing.judge({
    // A department that a listed row names is there, whether or not its own list has it.
    departments: new Set([
      ...departments.flatMap(({ id, pid }) => [id, pid ?? '']),
      ...employees.map(({ departmentId }) => departmentId ?? ''),
    ]),
    employees: new Set(employees.map(({ id }) => id)),
  });
  noteMirrored(context, { list: 'organization', at });
  const { removed, conflicts, hidden, held } = missing.report;
  const { report } = mirror;
  return { changed: report.changed, removed, conflicts: report.conflicts + conflicts, hidden, held };
}

class Mirror {
  readonly #context: OperationContext;
  readonly #at: number;
  /** The cloud names no dates: what it moved counts from the site's date on. */
  readonly #today: DateText;
  readonly #departments: Departments;
  readonly #employees: Employees;
  readonly #queue: WriteQueue;
  readonly report = { changed: 0, conflicts: 0 };

  constructor(context: OperationContext, at: number) {
    this.#context = context;
    this.#at = at;
    this.#today = context.dateOf(at);
    this.#departments = new Departments(context);
    this.#employees = new Employees(context);
    this.#queue = new WriteQueue(context);
  }

  takeDepartment(row: CloudDepartment): void {
    const { sql } = this.#context;
    const root = this.#departments.root();
    const known =
      (this.#byCloudId('department', row.id) as DepartmentRow | undefined) ??
      (row.extId ? this.#departments.byExtId(row.extId) : undefined) ??
      (isRoot(row) ? root : undefined);
    const before = known && known.mirrored !== null ? (JSON.parse(known.mirrored) as CloudDepartment) : undefined;
    const cloud = {
      id: row.id,
      pid: row.pid ?? before?.pid ?? '',
      name: row.name ?? before?.name ?? '',
      extId: row.extId || known?.ext_id || '',
    };
    const subject = `department ${cloud.extId || cloud.id}`;
    const said = JSON.stringify(cloud);
    const parentId = known && known.id === root.id ? null : this.#parentOf(row.pid, known, root);
    const waits = this.#queue.waitsFor(subject);
    if (known && known.mirrored === said && (waits || known.parent_id === parentId)) return;
    if (waits) {
      if (known && known.mirrored !== null) this.#conflict(subject, cloud, { ext_id: known.ext_id, name: known.name });
      if (known) sql('UPDATE department SET cloud_id = ?, mirrored = ? WHERE id = ?').run(cloud.id, said, known.id);
      return;
    }
    const extId = cloud.extId === '' ? null : cloud.extId;
    this.#free('department', extId, known?.id);
    if (known) {
      sql('UPDATE department SET ext_id = ?, name = ?, cloud_id = ?, mirrored = ? WHERE id = ?').run(
        extId,
        cloud.name,
        cloud.id,
        said,
        known.id,
      );
      this.#departments.place(known, parentId, this.#today);
    } else
      sql(
        'INSERT INTO department (ext_id, name, parent_id, parent_since, cloud_id, mirrored) VALUES (?, ?, ?, ?, ?, ?)',
      ).run(extId, cloud.name, parentId, this.#today, cloud.id, said);
    this.report.changed++;
  }

  /** A parent that the row does not name, or that is not known yet, moves nobody. */
  #parentOf(pid: string | null, known: DepartmentRow | undefined, root: DepartmentRow): number {
    const parentId = pid ? this.#byCloudId('department', pid)?.id : undefined;
    if (parentId === undefined && pid !== null && isRoot({ pid })) return root.id;
    return parentId ?? known?.parent_id ?? root.id;
  }

  takeEmployee(row: CloudEmployee): void {
    const { sql } = this.#context;
    const known = this.#employees.byCloudId(row.id) ?? (row.extId ? this.#employees.byExtId(row.extId) : undefined);
    const cloud = {
      id: row.id,
      extId: row.extId || known?.ext_id || '',
      name: row.name ?? known?.name ?? '',
      mobile: row.mobile ?? known?.mobile ?? '',
      employeeNum: row.employeeNum ?? known?.employee_num ?? '',
      departmentId: row.departmentId ?? this.#cloudIdOfDepartment(known),
    };
    const subject = `employee ${cloud.extId || cloud.id}`;
    const said = mirroredMark(this.#context.seal, JSON.stringify(cloud));
    // One that is not known yet moves nobody.
    const departmentId =
      this.#byCloudId('department', cloud.departmentId)?.id ?? known?.department_id ?? this.#departments.root().id;
    const waits = this.#queue.waitsFor(subject);
    if (known && known.mirrored === said && (waits || known.department_id === departmentId)) return;
    if (waits) {
      // Fields missing in the row were taken from the box's side, which waits.
      if (Object.values(row).includes(null)) return;
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
    const before = known && { ...known, ext_id: known.ext_id === null ? null : extId };
    const after = {
      name: cloud.name,
      mobile: cloud.mobile,
      employee_num: cloud.employeeNum,
      department_id: departmentId,
      title: known?.title ?? '',
    };
    this.#employees.write(before, extId, after, this.#today);
    const written = known?.id ?? (sql('SELECT max(id) AS id FROM employee').get() as { id: number }).id;
    sql('UPDATE employee SET cloud_id = ?, mirrored = ? WHERE id = ?').run(cloud.id, said, written);
    this.report.changed++;
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

  #cloudIdOfDepartment(of: { department_id: number } | undefined): string {
    if (!of) return '';
    const text = 'SELECT cloud_id FROM department WHERE id = ?';
    const row = this.#context.sql(text).get(of.department_id) as { cloud_id: string | null } | undefined;
    return row?.cloud_id ?? '';
  }

  #conflict(subject: string, cloudSide: object, boxSide: object): void {
    if (noteConflict(this.#context, { at: this.#at, subject, cloudSide, boxSide })) this.report.conflicts++;
  }
}

const isRoot = ({ pid }: Pick<CloudDepartment, 'pid'>): boolean => !pid || pid === '0';

/** Parents before children; departments in a cycle or without a known parent come last. */
function parentsFirst(departments: readonly CloudDepartment[]): CloudDepartment[] {
  const known = new Set(departments.map(({ id }) => id));
  const ordered: CloudDepartment[] = [];
  const placed = new Set<string>();
  let waiting = [...departments];
  while (waiting.length > 0) {
    const ready = waiting.filter(({ pid }) => pid === null || !known.has(pid) || placed.has(pid));
    if (ready.length === 0) return [...ordered, ...waiting];
    for (const one of ready) placed.add(one.id);
    ordered.push(...ready);
    waiting = waiting.filter(({ id }) => !placed.has(id));
  }
  return ordered;
}

/** Skipped while the box has features of this person that the cloud has not had yet. */
/**
 * Stores the features of one person of one type and algorithm, as the cloud has them. Returns
 * true if they changed.
 */
export function mirrorFeatures(
  context: OperationContext,
  { at, abnormal, ...update }: FeatureUpdate & { abnormal: readonly boolean[]; at: UnixMs },
): boolean {
  if (new WriteQueue(context).waitsFor(`features of ${update.extId}`)) return false;
  if (!new Employees(context).byExtId(update.extId)) return false;
  if (!new Features(context).put(update, at, { deviceNo: null, abnormal })) return false;
  new People(context).changed(update.extId);
  return true;
}
