import { sql as expression } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

export * from './accounts.ts';
export * from './people.ts';
export * from './provisioning.ts';
export * from './services.ts';
export * from './staff.ts';

/**
 * Every table of the store. Columns named `sealed_*` hold SealedBytes (sealing.ts): no secret,
 * feature or picture stands in the file in clear. Moments are milliseconds since 1970 unless the
 * name says seconds. `npm run migrations` after a change.
 */

export const meta = sqliteTable('meta', { key: text().primaryKey(), value: text().notNull() });

export const product = sqliteTable('product', {
  productId: text('product_id').primaryKey(),
  name: text().notNull(),
  icon: text().notNull(),
  introduction: text().notNull(),
  model: text().notNull(),
  access: text().notNull(),
  /** Its devices are told of people and their features (CONTRACT 7, person_sync). */
  faceFeatures: integer('face_features', { mode: 'boolean' }).notNull().default(true),
  /** They take features of type `pass` too, which are PINs in clear. */
  passFeatures: integer('pass_features', { mode: 'boolean' }).notNull().default(false),
  sealedKey: blob('sealed_key', { mode: 'buffer' }).notNull(),
  sealedOtherEnvironmentKey: blob('sealed_other_environment_key', { mode: 'buffer' }),
  /** Staff let more new devices in than `admission.new_devices_per_hour`, until then. */
  newDevicesUntil: integer('new_devices_until'),
});

export const device = sqliteTable('device', {
  deviceNo: integer('device_no').primaryKey({ autoIncrement: true }),
  deviceId: text('device_id').notNull().unique(),
  productId: text('product_id').notNull(),
  name: text().notNull(),
  /** Named by the site file, not only seen. */
  listed: integer({ mode: 'boolean' }).notNull(),
  sealedAccessKey: blob('sealed_access_key', { mode: 'buffer' }),
  keyIssuedAt: integer('key_issued_at'),
  keyConfirmedAt: integer('key_confirmed_at'),
  productKeyUntil: integer('product_key_until'),
  activationMid: text('activation_mid'),
  /**
   * Sealed JSON, a list of {key, mid}: keys that further activations handed over, and nobody has
   * logged in with.
   */
  sealedNextKeys: blob('sealed_next_keys', { mode: 'buffer' }),
  /** From where it logged in rightly the last time. */
  lastAddress: text('last_address'),
  sealedPresentedPassword: blob('sealed_presented_password', { mode: 'buffer' }),
  blocked: integer({ mode: 'boolean' }).notNull(),
  firstSeenAt: integer('first_seen_at').notNull(),
  /**
   * Every record up to here is confirmed or parked, of both channels: what an older program goes
   * by.
   */
  forwardedSeq: integer('forwarded_seq').notNull(),
  /** `yes`, `no`, `waits`, or null where nobody has said anything (people-data.ts). */
  peopleData: text('people_data'),
  /**
   * Messages and logs are two queues (CONTRACT 5): each is at the later of this and
   * `forwarded_seq`.
   */
  forwardedMessageSeq: integer('forwarded_message_seq').notNull().default(0),
  forwardedLogSeq: integer('forwarded_log_seq').notNull().default(0),
  /**
   * The id of the box below that its records come through, or `here`; null until somebody has
   * brought it.
   */
  belongsTo: text('belongs_to'),
  /** `first` who brought it, `site` file or `staff`; null with `belongs_to`. */
  belongsBy: text('belongs_by'),
});

/** Boxes below whose batches are taken: listed in the site file, or approved by staff. */
export const boxBelow = sqliteTable('box_below', { boxId: text('box_id').primaryKey(), name: text().notNull() });

/**
 * The journal: one row for each commit (journal/segment.ts has the layout of `sealed_records`). The
 * blob stands last: headers are read without it.
 */
export const segment = sqliteTable('segment', {
  firstSeq: integer('first_seq').primaryKey(),
  count: integer().notNull(),
  receivedFrom: integer('received_from').notNull(),
  receivedTo: integer('received_to').notNull(),
  /** Bit 0: holds device messages; bit 1: holds logs. */
  channels: integer().notNull(),
  /**
   * How many records of each device are to be forwarded, by channel (journal/segment.ts has the
   * layout).
   */
  devices: blob({ mode: 'buffer' }).notNull(),
  sealedRecords: blob('sealed_records', { mode: 'buffer' }).notNull(),
});

export const projectionCursor = sqliteTable('projection_cursor', {
  id: integer().primaryKey(),
  seq: integer().notNull(),
});

export const deviceLog = sqliteTable(
  'device_log',
  {
    seq: integer().primaryKey(),
    deviceNo: integer('device_no').notNull(),
    receivedAt: integer('received_at').notNull(),
    /** `{model}/{sn}` as the device wrote it. */
    path: text().notNull(),
    /** Bit 0: truncated; bit 1: repaired; bit 2: received_at clamped. */
    marks: integer().notNull(),
    text: text().notNull(),
  },
  table => [index('device_log_by_device').on(table.deviceNo, table.seq)],
);

/**
 * Check-ins of people whom the organization knows: what the attendance API pages through by `id`,
 * which is the order of report. `check_data` is whole, as the organization stood when the report
 * came in. `late_no` is set on those whose person became known later (platform/page-token.ts).
 */
export const checkin = sqliteTable(
  'checkin',
  {
    id: integer().primaryKey(),
    seq: integer().notNull(),
    deviceNo: integer('device_no').notNull(),
    receivedAt: integer('received_at').notNull(),
    recordId: text('record_id').notNull(),
    employeeId: integer('employee_id').notNull(),
    /** Null: the serial number of the device. */
    terminalId: text('terminal_id'),
    checkType: text('check_type').notNull(),
    checkTimeSeconds: integer('check_time_seconds').notNull(),
    checkData: text('check_data').notNull(),
    /**
     * How far the terminal's clock was ahead of the box's; null when it was right, or nothing
     * tells.
     */
    clockSkewSeconds: integer('clock_skew_seconds'),
    lateNo: integer('late_no'),
  },
  table => [
    index('checkin_by_time').on(table.checkTimeSeconds),
    index('checkin_by_person').on(table.employeeId, table.checkTimeSeconds),
    uniqueIndex('checkin_late').on(table.lateNo).where(expression`late_no IS NOT NULL`),
  ],
);

/**
 * Check-ins that name nobody whom the organization knows, with the id that they keep: they move to
 * `checkin` when the person is known.
 */
export const checkinUnresolved = sqliteTable(
  'checkin_unresolved',
  {
    id: integer().primaryKey(),
    seq: integer().notNull(),
    deviceNo: integer('device_no').notNull(),
    receivedAt: integer('received_at').notNull(),
    recordId: text('record_id').notNull(),
    extId: text('ext_id').notNull(),
    employeeNum: text('employee_num').notNull(),
    checkType: text('check_type').notNull(),
    checkTimeSeconds: integer('check_time_seconds').notNull(),
    /** As the device said. */
    checkData: text('check_data').notNull(),
    clockSkewSeconds: integer('clock_skew_seconds'),
  },
  table => [
    index('checkin_unresolved_by_person').on(table.extId).where(expression`ext_id <> ''`),
    index('checkin_unresolved_by_number').on(table.employeeNum).where(expression`employee_num <> ''`),
    index('checkin_unresolved_by_time').on(table.checkTimeSeconds),
  ],
);

export const accessRecord = sqliteTable(
  'access_record',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    seq: integer().notNull(),
    deviceNo: integer('device_no').notNull(),
    receivedAt: integer('received_at').notNull(),
    recordId: text('record_id').notNull(),
    doorId: text('door_id').notNull(),
    /** As the device said; emptied when the person is deleted. */
    extId: text('ext_id').notNull(),
    /** Null: nobody whom the organization knows. */
    employeeId: integer('employee_id'),
    checkType: text('check_type').notNull(),
    checkTimeSeconds: integer('check_time_seconds').notNull(),
    checkData: text('check_data').notNull(),
    checkResult: integer('check_result').notNull(),
    clockSkewSeconds: integer('clock_skew_seconds'),
    sealedCaptureImg: blob('sealed_capture_img', { mode: 'buffer' }),
  },
  table => [
    index('access_record_by_time').on(table.checkTimeSeconds),
    index('access_record_by_person').on(table.extId, table.checkTimeSeconds),
    index('access_record_passed').on(table.id).where(expression`check_result = 0`),
  ],
);

/** Numbers that are given out once: of check-ins, of late ones, of changes of people. */
export const counter = sqliteTable('counter', { name: text().primaryKey(), value: integer().notNull() });

export const lastSeen = sqliteTable('last_seen', {
  deviceNo: integer('device_no').primaryKey(),
  receivedAt: integer('received_at').notNull(),
  /** By its last message that told a time: how far its clock is ahead of the box's. */
  clockSkewSeconds: integer('clock_skew_seconds'),
});

export const logDayCount = sqliteTable(
  'log_day_count',
  { day: text().notNull(), deviceNo: integer('device_no').notNull(), stored: integer().notNull() },
  table => [primaryKey({ columns: [table.day, table.deviceNo] })],
);

/** Reports of the last 7 days, to store a repeat once. */
export const reportSeen = sqliteTable(
  'report_seen',
  {
    deviceNo: integer('device_no').notNull(),
    midHash: blob('mid_hash', { mode: 'buffer' }).notNull(),
    dataHash: blob('data_hash', { mode: 'buffer' }).notNull(),
    seenAt: integer('seen_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.deviceNo, table.midHash, table.dataHash] }),
    index('report_seen_by_age').on(table.seenAt),
  ],
);

export const inbox = sqliteTable(
  'inbox',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    deviceNo: integer('device_no').notNull(),
    putAt: integer('put_at').notNull(),
    sealedMessage: blob('sealed_message', { mode: 'buffer' }).notNull(),
  },
  table => [index('inbox_by_device').on(table.deviceNo, table.id)],
);

export const parked = sqliteTable('parked', {
  seq: integer().primaryKey(),
  deviceNo: integer('device_no').notNull(),
  parkedAt: integer('parked_at').notNull(),
  code: integer().notNull(),
  reason: text().notNull(),
  sendAgain: integer('send_again', { mode: 'boolean' }).notNull(),
});

/**
 * The ledger: the cloud confirmed a device's records of one or both channels up to a seq, at a
 * moment, over something.
 */
export const confirmation = sqliteTable(
  'confirmation',
  {
    deviceNo: integer('device_no').notNull(),
    upToSeq: integer('up_to_seq').notNull(),
    confirmedAt: integer('confirmed_at').notNull(),
    via: text().notNull(),
    /** Bit 0: messages; bit 1: logs. */
    channels: integer().notNull().default(3),
  },
  table => [primaryKey({ columns: [table.deviceNo, table.upToSeq] })],
);

export const refusal = sqliteTable(
  'refusal',
  {
    clientId: text('client_id').notNull(),
    code: text().notNull(),
    door: text().notNull(),
    address: text().notNull(),
    detail: text().notNull(),
    count: integer().notNull(),
    firstAt: integer('first_at').notNull(),
    lastAt: integer('last_at').notNull(),
  },
  table => [primaryKey({ columns: [table.clientId, table.code] }), index('refusal_by_age').on(table.lastAt)],
);

export const event = sqliteTable(
  'event',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    deviceNo: integer('device_no').notNull(),
    kind: text().notNull(),
    detail: text().notNull(),
  },
  table => [index('event_by_device').on(table.deviceNo, table.id)],
);

/** Of each box below, the highest `seq` of a batch that is committed here. */
export const batchCursor = sqliteTable(
  'batch_cursor',
  { boxNo: integer('box_no').notNull(), epoch: text().notNull(), seq: integer().notNull() },
  table => [primaryKey({ columns: [table.boxNo, table.epoch] })],
);

/** What the disk-full policy had to drop, by reason. */
export const dropped = sqliteTable('dropped', { reason: text().primaryKey(), count: integer().notNull() });

export const app = sqliteTable('app', {
  appId: text('app_id').primaryKey(),
  sealedKey: blob('sealed_key', { mode: 'buffer' }).notNull(),
  name: text().notNull(),
});

export const attendanceCaller = sqliteTable('attendance_caller', {
  appKey: text('app_key').primaryKey(),
  sealedSecret: blob('sealed_secret', { mode: 'buffer' }).notNull(),
  name: text().notNull(),
});

export const oauthClient = sqliteTable('oauth_client', {
  clientId: text('client_id').primaryKey(),
  sealedSecret: blob('sealed_secret', { mode: 'buffer' }).notNull(),
  name: text().notNull(),
  logoUrl: text('logo_url').notNull(),
  redirectUris: text('redirect_uris', { mode: 'json' }).$type<readonly string[]>().notNull(),
  /**
   * 1: an app that can keep no secret (RFC 6749 2.1). What is sealed is then a random text that
   * nobody has.
   */
  public: integer().notNull().default(0),
});

export const localUser = sqliteTable('local_user', {
  name: text().primaryKey(),
  passwordHash: text('password_hash'),
  role: text().notNull(),
  headimgurl: text().notNull(),
  /** 0: signs in to applications alone, whatever `role` says. Null: made by an older program. */
  hasRole: integer('has_role'),
});

export const appUpgrade = sqliteTable(
  'app_upgrade',
  {
    appCode: text('app_code').notNull(),
    version: text().notNull(),
    record: text({ mode: 'json' }).$type<object>().notNull(),
  },
  table => [primaryKey({ columns: [table.appCode, table.version] })],
);

export const messageTemplate = sqliteTable('message_template', {
  template: text().primaryKey(),
  title: text().notNull(),
  body: text().notNull(),
});
