import type { DateText } from '../../../platform/shifts.ts';
import type { OperationContext } from '../../domain.ts';
import { Employments } from '../../domains/plans/employments.ts';
import { type BulkLeft, BulkLog, type DeviceBulk, type PersonBulk } from '../../people/bulk-changes.ts';
import { WriteQueue } from '../../people/cloud-writes.ts';
import { type EmployeeRow, Employees } from '../../people/employees.ts';
import { setPeopleDataWord } from '../../people/people-data.ts';
import type { Device, PeopleDataWord } from '../../port/directory.ts';
import type { StoreWrites } from '../../port/store.ts';
import { storedDevice } from '../../schema/devices.ts';

type Input<K extends keyof StoreWrites> = Parameters<StoreWrites[K]>[0];
type DeviceValue = PeopleDataWord | boolean | null;

const wordOf = (device: Device, what: DeviceBulk['what']): DeviceValue =>
  what === 'blocked' ? device.blocked : device.peopleData;

function setDevice(
  context: OperationContext,
  { deviceNo }: Device,
  what: DeviceBulk['what'],
  value: DeviceValue,
): Device {
  if (what === 'people_data') setPeopleDataWord(context, deviceNo, value as PeopleDataWord | null);
  else context.sql('UPDATE device SET blocked = ? WHERE device_no = ?').run(value ? 1 : 0, deviceNo);
  return storedDevice(context, { deviceNo })!;
}

export function changeManyDevices(
  context: OperationContext,
  { id: given, at, by, deviceNos, change: { what, to } }: Input<'changeManyDevices'>,
): { id: number | null; changed: Device[] } {
  const log = new BulkLog(context);
  let id = given;
  const changed: Device[] = [];
  if (id !== null && !log.isThere(id)) return { id: null, changed };
  for (const deviceNo of deviceNos) {
    const device = storedDevice(context, { deviceNo });
    if (!device || wordOf(device, what) === to) continue;
    id ??= log.begin(what, at, by);
    log.add(id, { subject: device.deviceId, before: wordOf(device, what), after: to });
    changed.push(setDevice(context, device, what, to));
  }
  return { id, changed };
}

export function undoManyDevices(
  context: OperationContext,
  { id, limit }: Input<'undoManyDevices'>,
): { changed: Device[]; left: BulkLeft[]; more: boolean } {
  const stored = context.sql('SELECT what FROM bulk_change WHERE id = ?').get(id) as
    | { what: DeviceBulk['what'] }
    | undefined;
  const changed: Device[] = [];
  const left: BulkLeft[] = [];
  if (!stored) return { changed, left, more: false };
  const { rows, more } = new BulkLog(context).take(id, limit);
  for (const { subject, before, after } of rows) {
    const device = storedDevice(context, { deviceId: subject as Device['deviceId'] });
    if (!device) left.push({ subject, why: 'gone' });
    else if (wordOf(device, stored.what) !== after) left.push({ subject, why: 'changed_since' });
    else changed.push(setDevice(context, device, stored.what, before as DeviceValue));
  }
  return { changed, left, more };
}

type Queue = Input<'changeManyPeople'>['queue'];

/** The id of the department, or the last day: null for somebody who has not left. */
type PersonValue = number | string | null;

function valueOfPerson({ sql }: OperationContext, person: EmployeeRow, what: PersonBulk['what']): PersonValue {
  if (what === 'department') return person.department_id;
  const row = sql('SELECT to_date FROM employment WHERE ext_id = ?').get(person.ext_id) as
    | { to_date: string | null }
    | undefined;
  return row?.to_date ?? null;
}

/** Returns why it was not set; null: it was. */
function setPerson(
  context: OperationContext,
  person: EmployeeRow,
  what: PersonBulk['what'],
  value: PersonValue,
  since: DateText,
  queue: Queue,
): BulkLeft['why'] | null {
  const extId = person.ext_id!;
  const { sql } = context;
  if (what === 'left') {
    const employments = new Employments(context);
    const { from = null, earlier = [] } = employments.of(extId) ?? {};
    return employments.put({ extId, from, to: value as string | null, earlier }).ok ? null : 'before_first_day';
  }
  const department = sql('SELECT ext_id FROM department WHERE id = ?').get(value) as
    | { ext_id: string | null }
    | undefined;
  // The cloud knows departments by their external ids alone.
  if (!department || (queue && department.ext_id === null)) return 'no_department';
  new Employees(context).write(person, extId, { ...person, department_id: value as number }, since);
  if (queue)
    new WriteQueue(context).add({
      ...{ ...queue, path: '/v2.0/employee', command: '', subject: `employee ${extId}` },
      body: JSON.stringify({
        employee_ext_id: extId,
        name: person.name,
        mobile: person.mobile,
        employee_num: person.employee_num,
        department_infos: [{ ext_id: department.ext_id, title: person.title }],
      }),
    });
  return null;
}

export function changeManyPeople(
  context: OperationContext,
  { id: given, at, by, extIds, change, queue }: Input<'changeManyPeople'>,
): { id: number | null; changed: number; left: BulkLeft[] } {
  const log = new BulkLog(context);
  const employees = new Employees(context);
  const left: BulkLeft[] = [];
  let id = given;
  let changed = 0;
  if (id !== null && !log.isThere(id)) return { id: null, changed, left };
  const department =
    change.what === 'department'
      ? (context.sql('SELECT id FROM department WHERE ext_id = ?').get(change.to) as { id: number } | undefined)
      : undefined;
  const since = (change.what === 'department' ? change.since : undefined) ?? context.dateOf(at);
  const to: PersonValue | undefined = change.what === 'department' ? department?.id : change.to;
  for (const extId of extIds) {
    const person = employees.byExtId(extId);
    const before = person && valueOfPerson(context, person, change.what);
    const why = !person
      ? 'gone'
      : to === undefined
        ? 'no_department'
        : before === to
          ? 'already'
          : setPerson(context, person, change.what, to, since, queue);
    if (why) {
      left.push({ subject: extId, why });
      continue;
    }
    id ??= log.begin(change.what, at, by);
    log.add(id, { subject: extId, before, after: to });
    changed++;
  }
  return { id, changed, left };
}

export function undoManyPeople(
  context: OperationContext,
  { id, at, limit, queue }: Input<'undoManyPeople'>,
): { changed: string[]; left: BulkLeft[]; more: boolean } {
  const stored = context.sql('SELECT what FROM bulk_change WHERE id = ?').get(id) as
    | { what: PersonBulk['what'] }
    | undefined;
  const changed: string[] = [];
  const left: BulkLeft[] = [];
  if (!stored) return { changed, left, more: false };
  const employees = new Employees(context);
  const { rows, more } = new BulkLog(context).take(id, limit);
  for (const { subject, before, after } of rows) {
    const person = employees.byExtId(subject);
    const why = !person
      ? 'gone'
      : valueOfPerson(context, person, stored.what) !== after
        ? 'changed_since'
        : setPerson(
            context,
            person,
            stored.what,
            before as PersonValue,
            person.department_since ?? context.dateOf(at),
            queue,
          );
    if (why) left.push({ subject, why });
    else changed.push(subject);
  }
  return { changed, left, more };
}
