import type { OperationContext } from '../../domain.ts';
import { WriteQueue } from '../../people/cloud-writes.ts';
import { Departments, done, refused } from '../../people/departments.ts';
import { Employees } from '../../people/employees.ts';
import { takeOutOfInbox } from '../../people/erasing.ts';
import { Features } from '../../people/features.ts';
import { People } from '../../people/people.ts';
import { dropUnlessConfirmed } from '../../people/people-data.ts';
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
