import type { OperationContext } from '../../domain.ts';
import { type BulkLeft, BulkLog, type DeviceBulk } from '../../people/bulk-changes.ts';
import { setPeopleDataWord } from '../../people/people-data.ts';
import type { Device, PeopleDataWord } from '../../port/directory.ts';
import type { StoreWrites } from '../../port/store.ts';
import { storedDevice } from '../../schema/devices.ts';

type Input<K extends keyof StoreWrites> = Parameters<StoreWrites[K]>[0];
type Value = PeopleDataWord | boolean | null;

const wordOf = (device: Device, what: DeviceBulk['what']): Value =>
  what === 'blocked' ? device.blocked : device.peopleData;

function set(context: OperationContext, { deviceNo }: Device, what: DeviceBulk['what'], value: Value): Device {
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
    changed.push(set(context, device, what, to));
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
    else changed.push(set(context, device, stored.what, before as Value));
  }
  return { changed, left, more };
}
