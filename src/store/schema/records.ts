import { sql as expression } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { AccessType } from '../../platform/reports.ts';
import type { UnreadableReason } from '../../platform/unreadable.ts';
import type { DeviceNo, Seq } from '../port/journal.ts';

/** The tables behind the journal: check-ins, access records, when a device was last heard. */

/**
 * Bounds of the terminal's clock when a record came in (platform/device-clock.ts), in milliseconds
 * ahead of the box's. Low is null if nothing was known, high if there was no answer of the
 * terminal.
 */
const clockColumns = {
  clockLowMs: integer('clock_low_ms'),
  clockHighMs: integer('clock_high_ms'),
};

/**
 * Check-ins of people whom the organization knows; the attendance API pages through them by `id`. A
 * check-in gets its id when it becomes visible: on receipt, or when its person becomes known.
 * `check_data` is complete, with the organization as it was when the report was received.
 */
export const checkin = sqliteTable(
  'checkin',
  {
    id: integer().primaryKey(),
    seq: integer().$type<Seq>().notNull(),
    deviceNo: integer('device_no').$type<DeviceNo>().notNull(),
    receivedAt: integer('received_at').notNull(),
    recordId: text('record_id').notNull(),
    employeeId: integer('employee_id').notNull(),
    /** Terminal; null for the serial number of the device. */
    terminalId: text('terminal_id'),
    checkType: text('check_type').notNull(),
    checkTimeSeconds: integer('check_time_seconds').notNull(),
    checkData: text('check_data').notNull(),
    ...clockColumns,
    /** The id that callers see, if it differs: the check-in was visible before under this one. */
    shownId: integer('shown_id'),
  },
  table => [
    index('checkin_by_time').on(table.checkTimeSeconds),
    index('checkin_by_person').on(table.employeeId, table.checkTimeSeconds),
    index('checkin_shown').on(table.shownId).where(expression`shown_id IS NOT NULL`),
  ],
);

/**
 * Check-ins that name nobody whom the organization knows: they move to `checkin`, under a new id,
 * when the person is known. Their ids come from the same sequence, so that an export walks both
 * tables by one order.
 */
export const checkinUnresolved = sqliteTable(
  'checkin_unresolved',
  {
    id: integer().primaryKey(),
    seq: integer().$type<Seq>().notNull(),
    deviceNo: integer('device_no').$type<DeviceNo>().notNull(),
    receivedAt: integer('received_at').notNull(),
    recordId: text('record_id').notNull(),
    extId: text('ext_id').notNull(),
    employeeNum: text('employee_num').notNull(),
    checkType: text('check_type').notNull(),
    checkTimeSeconds: integer('check_time_seconds').notNull(),
    /** As the device sent it. */
    checkData: text('check_data').notNull(),
    ...clockColumns,
    /** The id that callers saw while its person was known. */
    shownId: integer('shown_id'),
  },
  table => [
    index('checkin_unresolved_by_person').on(table.extId).where(expression`ext_id <> ''`),
    index('checkin_unresolved_by_number').on(table.employeeNum).where(expression`employee_num <> ''`),
    index('checkin_unresolved_by_time').on(table.checkTimeSeconds),
    index('checkin_unresolved_shown').on(table.shownId).where(expression`shown_id IS NOT NULL`),
  ],
);

export const accessRecord = sqliteTable(
  'access_record',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    seq: integer().$type<Seq>().notNull(),
    deviceNo: integer('device_no').$type<DeviceNo>().notNull(),
    receivedAt: integer('received_at').notNull(),
    recordId: text('record_id').notNull(),
    doorId: text('door_id').notNull(),
    /** As the device sent it; emptied when the person is deleted. */
    extId: text('ext_id').notNull(),
    /** Person; null if the organization does not know one. */
    employeeId: integer('employee_id'),
    checkType: text('check_type').$type<AccessType>().notNull(),
    checkTimeSeconds: integer('check_time_seconds').notNull(),
    checkData: text('check_data').notNull(),
    checkResult: integer('check_result').notNull(),
    ...clockColumns,
    sealedCaptureImg: blob('sealed_capture_img', { mode: 'buffer' }),
  },
  table => [
    index('access_record_by_time').on(table.checkTimeSeconds),
    index('access_record_by_person').on(table.extId, table.checkTimeSeconds),
    index('access_record_passed').on(table.id).where(expression`check_result = 0`),
  ],
);

export const lastSeen = sqliteTable('last_seen', {
  deviceNo: integer('device_no').$type<DeviceNo>().primaryKey(),
  receivedAt: integer('received_at').notNull(),
  /** Messages of it that are no JSON object: how many, the receipt of the first and of the last. */
  malformedCount: integer('malformed_count').notNull().default(0),
  malformedSince: integer('malformed_since'),
  malformedAt: integer('malformed_at'),
  /** The last of them in the journal, and the likely reason (platform/device-json.ts). */
  malformedSeq: integer('malformed_seq').$type<Seq>(),
  malformedWhy: text('malformed_why').$type<UnreadableReason>(),
});

/**
 * Evidence about a device's clock from its messages (platform/device-clock.ts), one row for each
 * time that it ran on without being set. The newest few are kept.
 */
export const deviceClock = sqliteTable(
  'device_clock',
  {
    deviceNo: integer('device_no').$type<DeviceNo>().notNull(),
    /** Receipt of the first message. */
    begunAt: integer('begun_at').notNull(),
    firstSaid: integer('first_said').notNull(),
    lastSaid: integer('last_said').notNull(),
    lowMs: integer('low_ms').notNull(),
    lowAt: integer('low_at').notNull(),
    highMs: integer('high_ms'),
    highAt: integer('high_at').notNull(),
    nearCount: integer('near_count').notNull(),
    nearHours: integer('near_hours').notNull(),
    nearLastAt: integer('near_last_at').notNull(),
    nearGapMinMs: integer('near_gap_min_ms'),
    nearGapMaxMs: integer('near_gap_max_ms'),
    /** The device was told the time after its last message: the next one begins a new row. */
    isEnded: integer('is_ended', { mode: 'boolean' }).notNull(),
  },
  table => [primaryKey({ columns: [table.deviceNo, table.begunAt] })],
);

export const logDayCount = sqliteTable(
  'log_day_count',
  { day: text().notNull(), deviceNo: integer('device_no').$type<DeviceNo>().notNull(), stored: integer().notNull() },
  table => [primaryKey({ columns: [table.day, table.deviceNo] })],
);

/** Numbers that are used once: ids of check-ins, numbers of changes of people. */
export const counter = sqliteTable('counter', { name: text().primaryKey(), value: integer().notNull() });
