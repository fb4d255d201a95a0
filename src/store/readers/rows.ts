import { eq } from 'drizzle-orm';
import type { Device, Product, ProductRegistration } from '../port/directory.ts';
import type { Seq } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { device, product } from '../schema/index.ts';
import { type Params, queryOn } from '../schema/query.ts';
import type { Seal } from '../schema/sealing.ts';

/** Rows of the directory's tables, with their sealed columns decrypted. */

type DeviceRow = typeof device.$inferSelect;
type ProductRow = typeof product.$inferSelect;

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
  organizationWrite: 'organization_write',
  mobile: (employeeId: number) => `employee.mobile:${employeeId}`,
  conflict: 'organization_conflict',
  captureImg: (seq: number) => `access.capture:${seq}`,
  feature: (extId: string, type: string, alg: string) => `feature:${extId}:${type}:${alg}`,
  attendanceSecret: (appKey: string) => `attendance.secret:${appKey}`,
} as const;

export const openOptional = (seal: Seal, sealed: Uint8Array | null, place: string): string | null =>
  sealed === null ? null : seal.openText(sealed, place);

/** Last record of each queue that is confirmed or parked: its own cursor, or that of both. */
export const forwardedOf = ({
  forwardedSeq,
  forwardedMessageSeq,
  forwardedLogSeq,
}: Pick<DeviceRow, 'forwardedSeq' | 'forwardedMessageSeq' | 'forwardedLogSeq'>): Device['forwarded'] => ({
  device: furthest(forwardedSeq, forwardedMessageSeq),
  log: furthest(forwardedSeq, forwardedLogSeq),
});

export const furthest = (one: Seq, other: Seq): Seq => (one > other ? one : other);

export const readDevice = (
  {
    sealedAccessKey,
    sealedNextKeys,
    sealedPresentedPassword,
    lastAddress: _lastAddress,
    forwardedMessageSeq,
    forwardedLogSeq,
    ...row
  }: DeviceRow,
  seal: Seal,
): Device => ({
  ...row,
  accessKey: openOptional(seal, sealedAccessKey, places.accessKey(row.deviceId)),
  nextKeys: JSON.parse(openOptional(seal, sealedNextKeys, places.nextKeys(row.deviceId)) ?? '[]'),
  presentedPassword: openOptional(seal, sealedPresentedPassword, places.presentedPassword(row.deviceId)),
  forwarded: forwardedOf({ ...row, forwardedMessageSeq, forwardedLogSeq }),
});

export const readProduct = (
  { sealedKey, sealedOtherEnvironmentKey, icon: _icon, introduction: _introduction, ...row }: ProductRow,
  seal: Seal,
): Product => ({
  ...row,
  productKey: seal.openText(sealedKey, places.productKey(row.productId)),
  otherEnvironmentKey: openOptional(seal, sealedOtherEnvironmentKey, places.otherEnvironmentKey(row.productId)),
  registration: { ...unsaid, ...JSON.parse(row.registration) },
});

const unsaid: ProductRegistration = {
  discovery: null,
  network_configuration: null,
  network_configuration_flow: '',
  app_supported: true,
  attributes: {},
};

const byNo = queryOn((orm, value: Params<{ deviceNo: number }>) =>
  orm.select().from(device).where(eq(device.deviceNo, value.deviceNo)),
);
const byId = queryOn((orm, value: Params<{ deviceId: string }>) =>
  orm.select().from(device).where(eq(device.deviceId, value.deviceId)),
);
const productById = queryOn((orm, value: Params<{ productId: string }>) =>
  orm.select().from(product).where(eq(product.productId, value.productId)),
);

/** As it stands in its table: for the writer, which has no directory. */
export function storedDevice(
  connection: Connection,
  of: { deviceNo: number } | { deviceId: string },
): Device | undefined {
  const row = 'deviceNo' in of ? byNo(connection).get(of) : byId(connection).get(of);
  return row && readDevice(row, connection.seal);
}

export function storedProduct(connection: Connection, productId: string): Product | undefined {
  const row = productById(connection).get({ productId });
  return row && readProduct(row, connection.seal);
}
