import { eq } from 'drizzle-orm';
import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { type DeviceId, type ProductId, productOf } from '../../platform/device-id.ts';
import type { Device, PeopleDataWord, Product, ProductAccess, ProductRegistration } from '../port/directory.ts';
import type { DeviceNo, Seq } from '../port/journal.ts';
import type { Connection } from './database.ts';
import { type Params, queryOn } from './query.ts';
import type { Seal } from './sealing.ts';

/** Products, devices and boxes below. */

export const product = sqliteTable('product', {
  productId: text('product_id').$type<ProductId>().primaryKey(),
  name: text().notNull(),
  icon: text().notNull(),
  introduction: text().notNull(),
  model: text().notNull(),
  access: text().$type<ProductAccess>().notNull(),
  /** Its devices receive people and their features (CONTRACT 7, person_sync). */
  faceFeatures: integer('face_features', { mode: 'boolean' }).notNull().default(true),
  /** They also receive features of type `pass`, which are PINs in clear. */
  passFeatures: integer('pass_features', { mode: 'boolean' }).notNull().default(false),
  sealedKey: blob('sealed_key', { mode: 'buffer' }).notNull(),
  sealedOtherEnvironmentKey: blob('sealed_other_environment_key', { mode: 'buffer' }),
  /** Until then staff have lifted `admission.new_devices_per_hour`. */
  newDevicesUntil: integer('new_devices_until'),
  /** `ProductRegistration`, what is said of it, as JSON. */
  registration: text().notNull().default('{}'),
});

export const device = sqliteTable('device', {
  deviceNo: integer('device_no').$type<DeviceNo>().primaryKey({ autoIncrement: true }),
  deviceId: text('device_id').$type<DeviceId>().notNull().unique(),
  productId: text('product_id').$type<ProductId>().notNull(),
  name: text().notNull(),
  /** Listed in the site file, not only registered by itself. */
  listed: integer({ mode: 'boolean' }).notNull(),
  sealedAccessKey: blob('sealed_access_key', { mode: 'buffer' }),
  keyIssuedAt: integer('key_issued_at'),
  keyConfirmedAt: integer('key_confirmed_at'),
  productKeyUntil: integer('product_key_until'),
  activationMid: text('activation_mid'),
  /**
   * Sealed JSON, a list of {key, mid}: keys that further activations issued and that were not used
   * yet.
   */
  sealedNextKeys: blob('sealed_next_keys', { mode: 'buffer' }),
  /** The address of its last successful login. */
  lastAddress: text('last_address'),
  sealedPresentedPassword: blob('sealed_presented_password', { mode: 'buffer' }),
  blocked: integer({ mode: 'boolean' }).notNull(),
  firstSeenAt: integer('first_seen_at').notNull(),
  /** Every record up to here is confirmed or parked, of both channels. */
  forwardedSeq: integer('forwarded_seq').$type<Seq>().notNull(),
  /** `yes`, `no`, `waits`, or null where nobody has decided (people-data.ts). */
  peopleData: text('people_data').$type<PeopleDataWord>(),
  /**
   * Messages and logs are two queues (CONTRACT 5): each is at the later of this and
   * `forwarded_seq`.
   */
  forwardedMessageSeq: integer('forwarded_message_seq')
    .$type<Seq>()
    .notNull()
    .default(0 as Seq),
  forwardedLogSeq: integer('forwarded_log_seq')
    .$type<Seq>()
    .notNull()
    .default(0 as Seq),
  /**
   * The id of the box below through which its records come, or `here`; null until a box has brought
   * it.
   */
  belongsTo: text('belongs_to').$type<DeviceId | 'here'>(),
  /** `first` who brought it, `site` file or `staff`; null with `belongs_to`. */
  belongsBy: text('belongs_by').$type<'first' | 'site' | 'staff'>(),
});

/** Boxes below whose batches are accepted: listed in the site file, or approved by staff. */
export const boxBelow = sqliteTable('box_below', {
  boxId: text('box_id').$type<DeviceId>().primaryKey(),
  name: text().notNull(),
});

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

/**
 * Gives a device its number when it is first heard of. A known one takes no number, not even one
 * that is lost: blocks of logs have a bit for each.
 */
export const knowDevice = ({ later }: Pick<Connection, 'later'>, deviceId: DeviceId, at: number): void =>
  later(
    `INSERT INTO device (device_id, product_id, name, listed, blocked, first_seen_at, forwarded_seq)
       SELECT ?1, ?2, '', 0, 0, ?3, 0 WHERE NOT EXISTS (SELECT 1 FROM device WHERE device_id = ?1)
       ON CONFLICT (device_id) DO NOTHING`,
    deviceId,
    productOf(deviceId),
    at,
  );
