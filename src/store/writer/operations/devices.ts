import { limits } from '../../../platform/limits.ts';
import { isOpenWindow } from '../../../platform/open-window.ts';
import type { OperationContext } from '../../domain.ts';
import { dropUnlessConfirmed, setPeopleDataWord } from '../../people/people-data.ts';
import type { Device, Product } from '../../port/directory.ts';
import type { StoreWrites } from '../../port/store.ts';
import { knowDevice, places, storedDevice, storedProduct } from '../../schema/devices.ts';
import { removeBox } from '../../site/directory.ts';

type Input<K extends keyof StoreWrites> = Parameters<StoreWrites[K]>[0];

function deviceByNo(context: OperationContext, deviceNo: number): Device {
  const device = storedDevice(context, { deviceNo });
  if (!device) throw new Error(`device number ${deviceNo}: no such device`);
  return device;
}

export function registerDevice(context: OperationContext, { deviceId, at }: Input<'registerDevice'>): Device {
  knowDevice(context, deviceId, at);
  return storedDevice(context, { deviceId })!;
}

export function bringDevices(context: OperationContext, { deviceIds, to, at }: Input<'bringDevices'>): Device[] {
  for (const deviceId of deviceIds) {
    knowDevice(context, deviceId, at);
    context.later(
      "UPDATE device SET belongs_to = ?, belongs_by = 'first' WHERE device_id = ? AND belongs_to IS NULL",
      to,
      deviceId,
    );
  }
  return deviceIds.map(deviceId => storedDevice(context, { deviceId })!);
}

export function moveDevice(context: OperationContext, { deviceNo, to }: Input<'moveDevice'>): Device {
  context.sql("UPDATE device SET belongs_to = ?, belongs_by = 'staff' WHERE device_no = ?").run(to, deviceNo);
  return deviceByNo(context, deviceNo);
}

export function removeBoxBelow(context: OperationContext, { boxId }: Input<'removeBoxBelow'>): boolean {
  return removeBox(context, boxId);
}

export function setDeviceKey(
  context: OperationContext,
  { deviceNo, accessKey, at, mid }: Input<'setDeviceKey'>,
): Device {
  const { seal, sql } = context;
  const device = deviceByNo(context, deviceNo);
  if (device.accessKey === null) {
    sql(
      'UPDATE device SET sealed_access_key = ?, key_issued_at = ?, key_confirmed_at = NULL, activation_mid = ? WHERE device_no = ?',
    ).run(seal.sealText(accessKey, places.accessKey(device.deviceId)), at, mid, deviceNo);
    dropUnlessConfirmed(context, deviceNo);
    return deviceByNo(context, deviceNo);
  }
  const nextKeys = [...device.nextKeys, { key: accessKey, mid }].slice(-limits.nextKeysMax);
  // While no key has been used, the 24 h of the product key count from the newest key; but an
  // expired product key stays expired.
  const productKeyOpen =
    device.keyConfirmedAt === null &&
    device.keyIssuedAt !== null &&
    isOpenWindow(device.keyIssuedAt + limits.deviceKeyGraceMs, limits.deviceKeyGraceMs, at);
  sql('UPDATE device SET sealed_next_keys = ?, key_issued_at = ? WHERE device_no = ?').run(
    seal.sealText(JSON.stringify(nextKeys), places.nextKeys(device.deviceId)),
    productKeyOpen ? at : device.keyIssuedAt,
    deviceNo,
  );
  return deviceByNo(context, deviceNo);
}

export function confirmDeviceKey(
  context: OperationContext,
  { deviceNo, accessKey, at }: Input<'confirmDeviceKey'>,
): Device {
  const device = deviceByNo(context, deviceNo);
  const next = device.nextKeys.find(({ key }) => key === accessKey);
  if (!next && device.accessKey !== accessKey) return device;
  if (!next && device.keyConfirmedAt !== null) {
    context.sql('UPDATE device SET product_key_until = NULL WHERE device_no = ?').run(deviceNo);
    return deviceByNo(context, deviceNo);
  }
  context
    .sql(
      `UPDATE device SET sealed_access_key = ?, activation_mid = ?, key_confirmed_at = ?, product_key_until = NULL, sealed_next_keys = NULL,
         sealed_presented_password = NULL WHERE device_no = ?`,
    )
    .run(
      context.seal.sealText(accessKey, places.accessKey(device.deviceId)),
      next ? next.mid : device.activationMid,
      at,
      deviceNo,
    );
  return deviceByNo(context, deviceNo);
}

export function openProductKeyWindow(
  context: OperationContext,
  { deviceNo, until }: Input<'openProductKeyWindow'>,
): Device {
  context.sql('UPDATE device SET product_key_until = ? WHERE device_no = ?').run(until, deviceNo);
  dropUnlessConfirmed(context, deviceNo);
  return deviceByNo(context, deviceNo);
}

export function setPresentedPassword(
  context: OperationContext,
  { deviceNo, password }: Input<'setPresentedPassword'>,
): Device {
  const { deviceId } = deviceByNo(context, deviceNo);
  const sealed = password === null ? null : context.seal.sealText(password, places.presentedPassword(deviceId));
  context.sql('UPDATE device SET sealed_presented_password = ? WHERE device_no = ?').run(sealed, deviceNo);
  return deviceByNo(context, deviceNo);
}

export function setBlocked(context: OperationContext, { deviceNo, blocked }: Input<'setBlocked'>): Device {
  context.sql('UPDATE device SET blocked = ? WHERE device_no = ?').run(blocked ? 1 : 0, deviceNo);
  return deviceByNo(context, deviceNo);
}

export function setPeopleData(context: OperationContext, { deviceNos, word }: Input<'setPeopleData'>): Device[] {
  const changed: Device[] = [];
  for (const deviceNo of deviceNos) {
    if (deviceByNo(context, deviceNo).peopleData === word) continue;
    setPeopleDataWord(context, deviceNo, word);
    changed.push(deviceByNo(context, deviceNo));
  }
  return changed;
}

export function noteAddresses({ later }: OperationContext, { addresses }: Input<'noteAddresses'>): void {
  for (const { deviceNo, address } of addresses)
    later('UPDATE device SET last_address = ? WHERE device_no = ?', address, deviceNo);
}

export function letNewDevicesIn(context: OperationContext, { productId, until }: Input<'letNewDevicesIn'>): Product {
  context.sql('UPDATE product SET new_devices_until = ? WHERE product_id = ?').run(until, productId);
  const product = storedProduct(context, productId);
  if (!product) throw new Error(`product ${productId}: no such product`);
  return product;
}
