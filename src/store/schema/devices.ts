import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { DeviceId, ProductId } from '../../platform/device-id.ts';
import type { PeopleDataWord, ProductAccess } from '../port/directory.ts';
import type { DeviceNo, Seq } from '../port/journal.ts';

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
