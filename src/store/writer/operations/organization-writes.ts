import type { OperationContext } from '../../domain.ts';
import { WriteQueue } from '../../people/cloud-writes.ts';
import { Departments } from '../../people/departments.ts';
import { Employees } from '../../people/employees.ts';
import type { StoreWrites } from '../../port/store.ts';

type Input<K extends keyof StoreWrites> = Parameters<StoreWrites[K]>[0];

export function settleOrganizationWrite(
  context: OperationContext,
  { id, outcome, at }: Input<'settleOrganizationWrite'>,
): void {
  const { sql } = context;
  const about = subjectOf(context, id);
  // The write was dropped during the call, because it had features of a person who was erased.
  if (!about) return;
  if (outcome === 'taken') {
    // The cloud's next state contains our own change, which must not count as a conflict.
    const { kind, extId } = about;
    if (kind === 'employee') forgetMirroredEmployee(context, extId);
    if (kind === 'department') forgetMirroredDepartment(context, extId);
    sql('DELETE FROM organization_write WHERE id = ?').run(id);
    return;
  }
  sql('UPDATE organization_write SET refused_at = ?, code = ?, reason = ? WHERE id = ?').run(
    at,
    outcome.code,
    outcome.reason,
    id,
  );
  undo(context, about);
}

/**
 * Undoes here what the cloud refused: rows that it never had are deleted; the others are restored
 * by the next mirror.
 */
function undo(context: OperationContext, { subject, kind, extId }: Subject): void {
  if (new WriteQueue(context).waitsFor(subject)) return;
  if (kind === 'employee') {
    const row = new Employees(context).byExtId(extId);
    if (row && row.cloud_id === null) new Employees(context).forget(row);
    forgetMirroredEmployee(context, extId);
  } else if (kind === 'department') {
    const departments = new Departments(context);
    const row = departments.byExtId(extId);
    if (row && row.cloud_id === null && row.parent_id !== null) departments.delete(row);
    forgetMirroredDepartment(context, extId);
  }
}

const forgetMirroredEmployee = ({ sql }: OperationContext, extId: string): void =>
  void sql('UPDATE employee SET mirrored = NULL WHERE ext_id = ?').run(extId);

const forgetMirroredDepartment = ({ sql }: OperationContext, extId: string): void =>
  void sql('UPDATE department SET mirrored = NULL WHERE ext_id = ?').run(extId);

interface Subject {
  readonly subject: string;
  readonly kind: string;
  readonly extId: string;
}

function subjectOf({ sql }: OperationContext, id: number): Subject | null {
  const row = sql('SELECT subject FROM organization_write WHERE id = ?').get(id) as { subject: string } | undefined;
  if (!row) return null;
  const { subject } = row;
  const space = subject.indexOf(' ');
  return { subject, kind: subject.slice(0, space), extId: subject.slice(space + 1) };
}

export function dismissOrganizationWrite(
  { sql }: OperationContext,
  { id, again, at }: Input<'dismissOrganizationWrite'>,
): boolean {
  if (again)
    sql(
      `INSERT INTO organization_write (at, caller, path, command, subject, sealed_body)
         SELECT ?, caller, path, command, subject, sealed_body FROM organization_write WHERE id = ? AND refused_at IS NOT NULL`,
    ).run(at, id);
  return sql('DELETE FROM organization_write WHERE id = ? AND refused_at IS NOT NULL').run(id).changes > 0;
}

export function dismissConflict({ sql }: OperationContext, { id }: Input<'dismissConflict'>): boolean {
  return sql('DELETE FROM organization_conflict WHERE id = ?').run(id).changes > 0;
}
