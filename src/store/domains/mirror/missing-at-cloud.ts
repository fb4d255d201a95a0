import type { UnixMs } from '../../../runtime/clock.ts';
import type { OperationContext } from '../../domain.ts';
import { noteConflict, WriteQueue } from '../../people/cloud-writes.ts';
import { type DepartmentRow, Departments } from '../../people/departments.ts';
import { type EmployeeRow, Employees } from '../../people/employees.ts';
import { areTooManyMissing, missingKeptMs } from './tables.ts';

/**
 * The longest time between two rounds that counts as missing in both. Longer ones, in which the box
 * or the cloud was away or the clock was set, count as so much: a leap of the clock deletes nobody.
 */
const countedMsMax = 6 * 3600_000;
/**
 * How often the time of those that are held back begins again: a list that is half repaired deletes
 * nobody.
 */
const heldAnewMs = 3600_000;

/** Ids that the cloud's whole lists have. */
interface ListedIds {
  readonly departments: ReadonlySet<string>;
  readonly employees: ReadonlySet<string>;
}

/**
 * People and departments that the cloud listed once and lists no more. They are hidden first, with
 * all that belongs to them, and deleted later: a whole list may still be wrong.
 */
export class MissingAtCloud {
  readonly #context: OperationContext;
  readonly #at: number;
  readonly #departments: Departments;
  readonly #employees: Employees;
  readonly #queue: WriteQueue;
  readonly report = { removed: 0, conflicts: 0, hidden: 0, held: 0 };

  constructor(context: OperationContext, at: number) {
    this.#context = context;
    this.#at = at;
    this.#departments = new Departments(context);
    this.#employees = new Employees(context);
    this.#queue = new WriteQueue(context);
  }

  /** After a round with whole lists: hides, shows again, deletes what has been missing for long. */
  judge({ departments, employees }: ListedIds): void {
    this.#skipUncountedTime();
    const people = this.#mark('employee', this.#people(), employees);
    this.#deletePeople(people.filter(row => this.#isDue(row)));
    const gone = this.#mark('department', this.#departmentRows(), departments);
    this.#deleteDepartments(gone.filter(row => this.#isDue(row)));
  }

  /** Deletes all that are missing now, also those that are held back. */
  deleteAll(): void {
    this.#deletePeople(this.#people().filter(isMissing));
    this.#deleteDepartments(this.#departmentRows().filter(isMissing));
  }

  #isDue({ missing_since }: { missing_since: number | null }): boolean {
    return missing_since !== null && this.#at - missing_since >= missingKeptMs;
  }

  /** Of departments the root stays, whatever the cloud says. */
  #departmentRows(): DepartmentRow[] {
    const text = 'SELECT * FROM department WHERE cloud_id IS NOT NULL AND parent_id IS NOT NULL ORDER BY id';
    return this.#context.sql(text).all() as unknown as DepartmentRow[];
  }

  #people(): EmployeeRow[] {
    const text = 'SELECT * FROM employee WHERE cloud_id IS NOT NULL ORDER BY id';
    return this.#context.sql(text).all() as unknown as EmployeeRow[];
  }

  /** `missing_since` moves along with time that does not count. */
  #skipUncountedTime(): void {
    const { sql } = this.#context;
    const row = sql("SELECT whole_at FROM mirror_cursor WHERE list = 'organization'").get() as
      | { whole_at: number | null }
      | undefined;
    const gapMs = this.#at - (row?.whole_at ?? this.#at);
    const skippedMs = gapMs - Math.min(Math.max(gapMs, 0), countedMsMax);
    if (skippedMs === 0) return;
    for (const table of ['employee', 'department'])
      sql(`UPDATE ${table} SET missing_since = missing_since + ? WHERE missing_since IS NOT NULL`).run(skippedMs);
  }

  /** Returns the rows that time may delete: none where so many are missing. */
  #mark<Row extends DepartmentRow | EmployeeRow>(
    table: 'employee' | 'department',
    all: readonly Row[],
    listed: ReadonlySet<string>,
  ): Row[] {
    const { sql } = this.#context;
    const missing = all.filter(row => !listed.has(row.cloud_id!));
    const areTooMany = areTooManyMissing(missing.length, all.length);
    for (const row of all)
      if (listed.has(row.cloud_id!) && row.missing_since !== null)
        sql(`UPDATE ${table} SET missing_since = NULL WHERE id = ?`).run(row.id);
    const kept = missing.filter(row => areTooMany || !this.#settleWaiting(table, row));
    for (const row of kept) {
      const isNew = row.missing_since === null || (areTooMany && this.#at - row.missing_since >= heldAnewMs);
      if (isNew) sql(`UPDATE ${table} SET missing_since = ? WHERE id = ?`).run(this.#at, row.id);
    }
    this.report[areTooMany ? 'held' : 'hidden'] += kept.length;
    return areTooMany ? [] : kept;
  }

  /** A change of the box waits for the cloud, which gets the row with it: both sides are noted. */
  #settleWaiting(table: 'employee' | 'department', row: DepartmentRow | EmployeeRow): boolean {
    const subject = `${table} ${row.ext_id ?? row.cloud_id}`;
    if (!this.#queue.waitsFor(subject)) return false;
    this.#makeOwn(table, row, subject);
    return true;
  }

  #makeOwn(table: 'employee' | 'department', row: DepartmentRow | EmployeeRow, subject: string): void {
    const boxSide = { ext_id: row.ext_id, name: row.name };
    if (noteConflict(this.#context, { at: this.#at, subject, cloudSide: null, boxSide })) this.report.conflicts++;
    this.#context
      .sql(`UPDATE ${table} SET cloud_id = NULL, mirrored = NULL, missing_since = NULL WHERE id = ?`)
      .run(row.id);
  }

  #deletePeople(rows: readonly EmployeeRow[]): void {
    this.#employees.delete(rows, this.#at);
    this.report.removed += rows.length;
    this.report.hidden -= rows.length;
  }

  /** One that still has people who are listed, or are of the box alone, becomes the box's own. */
  #deleteDepartments(rows: readonly DepartmentRow[]): void {
    const due = new Set(rows.map(({ id }) => id));
    for (const row of rows) {
      if (this.#holdsWhatStays(row, due)) continue;
      if (this.#departments.delete(row).ok) this.report.removed++;
      else this.#makeOwn('department', row, `department ${row.ext_id ?? row.cloud_id}`);
      this.report.hidden--;
    }
  }

  /** Hidden people who are not due, or departments of the cloud that are not. */
  #holdsWhatStays(row: DepartmentRow, due: ReadonlySet<number>): boolean {
    const { sql } = this.#context;
    const people = sql('SELECT 1 FROM employee WHERE department_id = ? AND missing_since IS NOT NULL');
    const ofCloud = sql('SELECT 1 FROM department WHERE id = ? AND cloud_id IS NOT NULL');
    return [...this.#departments.within(row.id)].some(id => people.get(id) || (!due.has(id) && ofCloud.get(id)));
  }
}

const isMissing = ({ missing_since }: { missing_since: number | null }): boolean => missing_since !== null;

/**
 * Staff deletes everybody who is missing at the cloud, without waiting. `total`: how many the
 * person was shown. Null: another number is missing by now, and nothing was deleted.
 */
export function deleteMissingAtCloud(
  context: OperationContext,
  { total, at }: { total: number; at: UnixMs },
): number | null {
  const count = (table: string) =>
    (context.sql(`SELECT count(*) AS many FROM ${table} WHERE missing_since IS NOT NULL`).get() as { many: number })
      .many;
  if (count('employee') + count('department') !== total) return null;
  const missing = new MissingAtCloud(context, at);
  missing.deleteAll();
  return missing.report.removed;
}

/** No cloud is the authority any more: nobody is missing at it. */
export function showMissingAtCloud({ sql }: OperationContext): void {
  for (const table of ['employee', 'department'])
    sql(`UPDATE ${table} SET missing_since = NULL WHERE missing_since IS NOT NULL`).run();
}
