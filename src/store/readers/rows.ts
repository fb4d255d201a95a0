import type { DeviceId, ProductId } from '../../platform/device-id.ts';
import type { Device, PeopleDataWord, Product, ProductAccess } from '../port/directory.ts';
import type { DeviceNo, Seq } from '../port/journal.ts';
import type { Seal } from '../schema/sealing.ts';

/** Rows of the directory's tables, with their sealed columns decrypted. */

export interface DeviceRow {
  device_no: number;
  device_id: string;
  product_id: string;
  name: string;
  listed: number;
  people_data: string | null;
  sealed_access_key: Uint8Array | null;
  key_issued_at: number | null;
  key_confirmed_at: number | null;
  product_key_until: number | null;
  activation_mid: string | null;
  sealed_next_keys: Uint8Array | null;
  sealed_presented_password: Uint8Array | null;
  blocked: number;
  first_seen_at: number;
  forwarded_seq: number;
  forwarded_message_seq: number;
  forwarded_log_seq: number;
  belongs_to: string | null;
  belongs_by: string | null;
}

export interface ProductRow {
  product_id: string;
  name: string;
  icon: string;
  introduction: string;
  model: string;
  access: string;
  face_features: number;
  pass_features: number;
  sealed_key: Uint8Array;
  sealed_other_environment_key: Uint8Array | null;
  new_devices_until: number | null;
}

/**
 * The places of sealed columns (Seal.open's `place`): the table's key is part of them, so that rows
 * cannot be swapped.
 */
export const places = {
  productKey: (productId: string) => `product.key:${productId}`,
  otherEnvironmentKey: (productId: string) => `product.other:${productId}`,
  accessKey: (deviceId: string) => `device.key:${deviceId}`,
  nextKeys: (deviceId: string) => `device.next_keys:${deviceId}`,
  presentedPassword: (deviceId: string) => `device.password:${deviceId}`,
  inbox: 'inbox',
  organizationWrite: 'organization_write',
  mobile: (employeeId: number) => `employee.mobile:${employeeId}`,
  conflict: 'organization_conflict',
  captureImg: (seq: number) => `access.capture:${seq}`,
  feature: (extId: string, type: string, alg: string) => `feature:${extId}:${type}:${alg}`,
  appKey: (appId: string) => `app.key:${appId}`,
  attendanceSecret: (appKey: string) => `attendance.secret:${appKey}`,
  hotspotKey: 'network_setup.hotspot_key',
  message: (msgId: string) => `message.content:${msgId}`,
  clientSecret: (clientId: string) => `oauth.secret:${clientId}`,
} as const;

export const openOptional = (seal: Seal, sealed: Uint8Array | null, place: string): string | null =>
  sealed === null ? null : seal.openText(sealed, place);

export const readDevice = (row: DeviceRow, seal: Seal): Device => ({
  deviceNo: row.device_no as DeviceNo,
  deviceId: row.device_id as DeviceId,
  productId: row.product_id as ProductId,
  name: row.name,
  listed: row.listed === 1,
  peopleData: row.people_data as PeopleDataWord | null,
  accessKey: openOptional(seal, row.sealed_access_key, places.accessKey(row.device_id)),
  keyIssuedAt: row.key_issued_at,
  keyConfirmedAt: row.key_confirmed_at,
  productKeyUntil: row.product_key_until,
  activationMid: row.activation_mid,
  nextKeys: JSON.parse(openOptional(seal, row.sealed_next_keys, places.nextKeys(row.device_id)) ?? '[]'),
  presentedPassword: openOptional(seal, row.sealed_presented_password, places.presentedPassword(row.device_id)),
  blocked: row.blocked === 1,
  firstSeenAt: row.first_seen_at,
  forwardedSeq: row.forwarded_seq as Seq,
  forwarded: {
    device: Math.max(row.forwarded_seq, row.forwarded_message_seq) as Seq,
    log: Math.max(row.forwarded_seq, row.forwarded_log_seq) as Seq,
  },
  belongsTo: row.belongs_to as Device['belongsTo'],
  belongsBy: row.belongs_by as Device['belongsBy'],
});

export const readProduct = (row: ProductRow, seal: Seal): Product => ({
  productId: row.product_id as ProductId,
  name: row.name,
  model: row.model,
  access: row.access as ProductAccess,
  faceFeatures: row.face_features === 1,
  passFeatures: row.pass_features === 1,
  productKey: seal.openText(row.sealed_key, places.productKey(row.product_id)),
  otherEnvironmentKey: openOptional(seal, row.sealed_other_environment_key, places.otherEnvironmentKey(row.product_id)),
  newDevicesUntil: row.new_devices_until,
});
