import type { OperationContext } from '../../domain.ts';
import { WriteQueue } from '../../people/cloud-writes.ts';
import { Departments, done, refused } from '../../people/departments.ts';
import { Employees } from '../../people/employees.ts';
import { Features } from '../../people/features.ts';
import { People } from '../../people/people.ts';
import { dropUnlessConfirmed, takeOutOfInbox } from '../../people/people-data.ts';
import { Aliases } from '../../people/unresolving.ts';
import type { OrganizationOutcome } from '../../port/organization.ts';
import type { StoreWrites } from '../../port/store.ts';

type Input<K extends keyof StoreWrites> = Parameters<StoreWrites[K]>[0];

/** Queues a write for the cloud too, unless it was refused here. */
function queued<T>(
  context: OperationContext,
  queue: Input<'putDepartment'>['queue'],
  outcome: OrganizationOutcome<T>,
): OrganizationOutcome<T> {
  if (outcome.ok) new WriteQueue(context).add(queue);
  return outcome;
}

export function initDepartment(context: OperationContext, { extId, queue }: Input<'initDepartment'>) {
  const departments = new Departments(context);
  const root = departments.root();
  const set = departments.setExtId(root, extId, 'department_ext_id');
  const value = { extId, name: root.name };
  return queued(context, queue, set.ok ? { ok: true as const, value } : set);
}

export function putDepartment(
  context: OperationContext,
  { extId, name, parentExtId, since, at, queue }: Input<'putDepartment'>,
) {
  const put = new Departments(context).put(extId, name, parentExtId, context.dateOf(at), since);
  return queued(context, queue, put);
}

export function setDepartmentExt(context: OperationContext, { id, extId, queue }: Input<'setDepartmentExt'>) {
  const departments = new Departments(context);
  const row = departments.byShownId(id);
  return queued(
    context,
    queue,
    row ? departments.setExtId(row, extId, 'ext_id') : refused('unknown_id', 'id', 'no department has this id'),
  );
}

export function deleteDepartment(context: OperationContext, { extId, queue }: Input<'deleteDepartment'>) {
  const departments = new Departments(context);
  const row = departments.byExtId(extId);
  return queued(context, queue, row ? departments.delete(row) : done);
}

export function putEmployee(context: OperationContext, { queue, at, ...change }: Input<'putEmployee'>) {
  return queued(context, queue, new Employees(context).put(change, context.dateOf(at)));
}

export function setEmployeeExt(context: OperationContext, { id, extId, queue }: Input<'setEmployeeExt'>) {
  const employees = new Employees(context);
  const row = employees.byShownId(id);
  return queued(
    context,
    queue,
    row ? employees.setExtId(row, extId) : refused('unknown_id', 'id', 'no employee has this id'),
  );
}

export function deleteEmployee(context: OperationContext, { extId, at, queue }: Input<'deleteEmployee'>) {
  const employees = new Employees(context);
  const row = employees.byExtId(extId);
  if (row) employees.delete([row], at);
  return queued(context, queue, done);
}

export const joinPerson = (context: OperationContext, input: Input<'joinPerson'>) => new Aliases(context).join(input);

export const separatePerson = (context: OperationContext, { id }: Input<'separatePerson'>) =>
  new Aliases(context).separate(id);

export function putFeatures(context: OperationContext, { users, at, queue }: Input<'putFeatures'>): string[] {
  const employees = new Employees(context);
  const features = new Features(context);
  const people = new People(context);
  const unknown = new Set<string>();
  let stored = 0;
  for (const user of users) {
    if (!employees.byExtId(user.extId)) unknown.add(user.extId);
    else {
      if (features.put(user, at)) people.changed(user.extId);
      stored++;
    }
  }
  if (stored > 0) new WriteQueue(context).add(queue);
  return [...unknown];
}

export function initCheckIns(context: OperationContext, { at, withAll }: Input<'initCheckIns'>): void {
  const since = { id: withAll ? 0 : new People(context).current('checkin'), at };
  context
    .sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING')
    .run('checkins_since', JSON.stringify(since));
}

export function personsSent(
  context: OperationContext,
  { deviceNo, fromNo, toNo, delivery, at }: Input<'personsSent'>,
): void {
  const { sql } = context;
  sql(
    `INSERT INTO person_sync (device_no, change_no, last_from_no, last_to_no, sent_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (device_no) DO UPDATE SET change_no = excluded.change_no, last_from_no = excluded.last_from_no,
         last_to_no = excluded.last_to_no, sent_at = excluded.sent_at`,
  ).run(deviceNo, delivery ? toNo : fromNo, fromNo, toNo, at);
  if (delivery !== 'in the inbox') return;
  if (dropUnlessConfirmed(context, deviceNo))
    sql('UPDATE person_sync SET change_no = ? WHERE device_no = ?').run(fromNo, deviceNo);
  // People who were deleted while the message was being made.
  const gone = sql('SELECT ext_id FROM person_change WHERE removed = 1 AND change_no > ?').all(toNo) as {
    ext_id: string;
  }[];
  takeOutOfInbox(context, new Set(gone.map(row => row.ext_id)), deviceNo);
}

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
