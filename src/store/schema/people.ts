import { sql as expression } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { BulkWhat } from '../people/bulk-changes.ts';
import type { DeviceNo, Seq } from '../port/journal.ts';

/**
 * The organization, its people's features, and what has to be sent to devices and erased. The rules
 * of domains/index.ts apply.
 */

export const department = sqliteTable(
  'department',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** External id; null before there is one. */
    extId: text('ext_id').unique(),
    name: text().notNull(),
    /** Null for the root alone. */
    parentId: integer('parent_id'),
    /** The first local date under that parent. Null: always, as far as is known. */
    parentSince: text('parent_since'),
    /** Its id in the cloud, which is then what callers see. */
    cloudId: text('cloud_id').unique(),
    /** JSON of the cloud's last state of it, to detect a conflict. */
    mirrored: text(),
    /** As of an employee. */
    missingSince: integer('missing_since'),
  },
  table => [index('department_by_parent').on(table.parentId)],
);

export const employee = sqliteTable(
  'employee',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    extId: text('ext_id').unique(),
    name: text().notNull(),
    /** Mobile number, sealed; null if none is known. */
    sealedMobile: blob('sealed_mobile', { mode: 'buffer' }),
    employeeNum: text('employee_num').notNull(),
    departmentId: integer('department_id').notNull(),
    /** The first local date in that department. Null: always, as far as is known. */
    departmentSince: text('department_since'),
    title: text().notNull(),
    cloudId: text('cloud_id').unique(),
    /** A fingerprint of the cloud's last state. */
    mirrored: text(),
    /**
     * Milliseconds from when the cloud's whole lists lack the row (missing-at-cloud.ts); null: they
     * have it, or it is no row of the cloud.
     */
    missingSince: integer('missing_since'),
    /** The name, a line feed, and what else finds it (search-keys.ts). */
    searchKeys: text('search_keys').notNull(),
  },
  table => [index('employee_by_number').on(table.employeeNum), index('employee_by_department').on(table.departmentId)],
);

/**
 * Where people and departments stood before. Where they stand now is in their own rows: somebody
 * who never moved has none here.
 */
export const formerPlace = sqliteTable(
  'former_place',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    kind: text().$type<'person' | 'department'>().notNull(),
    /** The `id` of the employee, or of the department. */
    subjectId: integer('subject_id').notNull(),
    /** The last local date in that place. */
    until: text().notNull(),
    /** The department of a person, or the one above a department. */
    departmentId: integer('department_id').notNull(),
  },
  table => [
    uniqueIndex('former_place_by_subject').on(table.kind, table.subjectId, table.until),
    index('former_place_by_department').on(table.departmentId),
  ],
);

/** A department that was deleted, and in which somebody stood. */
export const goneDepartment = sqliteTable('gone_department', {
  id: integer().primaryKey(),
  extId: text('ext_id'),
  name: text().notNull(),
  parentId: integer('parent_id'),
});

/**
 * Writes to the organization that the cloud, its authority, has not had yet or has refused. In
 * order.
 */
export const organizationWrite = sqliteTable('organization_write', {
  id: integer().primaryKey({ autoIncrement: true }),
  at: integer().notNull(),
  caller: text().notNull(),
  path: text().notNull(),
  /** Api-Cmd, empty for the organization paths. */
  command: text().notNull(),
  /** Subject of the write, for people. */
  subject: text().notNull(),
  sealedBody: blob('sealed_body', { mode: 'buffer' }).notNull(),
  /** Time of refusal; null while it waits. */
  refusedAt: integer('refused_at'),
  code: integer(),
  reason: text(),
});

/** Both sides changed the same thing: what the cloud had and what the box had. */
export const organizationConflict = sqliteTable('organization_conflict', {
  id: integer().primaryKey({ autoIncrement: true }),
  at: integer().notNull(),
  subject: text().notNull(),
  /** JSON; for employees without the mobile numbers, which are in `sealed_sides`. */
  cloudSide: text('cloud_side').notNull(),
  boxSide: text('box_side').notNull(),
  sealedSides: blob('sealed_sides', { mode: 'buffer' }),
  /** Of both sides, to note a conflict once. */
  fingerprint: text().notNull(),
});

export const feature = sqliteTable(
  'feature',
  {
    extId: text('ext_id').notNull(),
    featureType: text('feature_type').notNull(),
    featureAlg: text('feature_alg').notNull(),
    /**
     * Sealed JSON: a list of {value, is_abnormal}; the mark comes from the device that reported it.
     */
    sealedValues: blob('sealed_values', { mode: 'buffer' }).notNull(),
    deviceNo: integer('device_no').$type<DeviceNo>(),
    storedAt: integer('stored_at').notNull(),
  },
  table => [primaryKey({ columns: [table.extId, table.featureType, table.featureAlg] })],
);

/** A device whose last `person_sync_result` said that it cannot recognize the feature. */
export const featureFailure = sqliteTable(
  'feature_failure',
  {
    extId: text('ext_id').notNull(),
    featureType: text('feature_type').notNull(),
    deviceNo: integer('device_no').$type<DeviceNo>().notNull(),
    at: integer().notNull(),
  },
  table => [primaryKey({ columns: [table.extId, table.featureType, table.deviceNo] })],
);

/** The newest change of each person, numbered: what is sent to a device that is behind. */
export const personChange = sqliteTable('person_change', {
  changeNo: integer('change_no').primaryKey(),
  extId: text('ext_id').notNull().unique(),
  removed: integer({ mode: 'boolean' }).notNull(),
});

/** Up to which change each device has people, and what its last `person_sync` covered. */
export const personSync = sqliteTable('person_sync', {
  deviceNo: integer('device_no').$type<DeviceNo>().primaryKey(),
  changeNo: integer('change_no').notNull(),
  lastFromNo: integer('last_from_no').notNull(),
  lastToNo: integer('last_to_no').notNull(),
  sentAt: integer('sent_at').notNull(),
});

/**
 * Which records of the journal hold whose features or pictures: they are rewritten when the person
 * is erased (erasing.ts).
 */
export const biometricRecord = sqliteTable(
  'biometric_record',
  { extId: text('ext_id').notNull(), seq: integer().$type<Seq>().notNull() },
  table => [primaryKey({ columns: [table.extId, table.seq] }), index('biometric_record_by_seq').on(table.seq)],
);

/**
 * A person was erased: records received up to `through_seq` lose the person's features and
 * pictures.
 */
export const erasure = sqliteTable(
  'erasure',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    extId: text('ext_id').notNull(),
    at: integer().notNull(),
    throughSeq: integer('through_seq').notNull(),
    /** When the last copy was gone. */
    doneAt: integer('done_at'),
  },
  table => [index('erasure_by_person').on(table.extId, table.throughSeq)],
);

/** The last use of an API key: null where there was none. */
export const lastUse = () => ({
  usedAt: integer('used_at'),
  usedFrom: text('used_from'),
  /** Path, and the command where there is one. */
  usedFor: text('used_for'),
});

export const attendanceCaller = sqliteTable('attendance_caller', {
  appKey: text('app_key').primaryKey(),
  sealedSecret: blob('sealed_secret', { mode: 'buffer' }).notNull(),
  name: text().notNull(),
  ...lastUse(),
});

/** The last stint of a person, with those before it. */
export const employment = sqliteTable(
  'employment',
  {
    extId: text('ext_id').primaryKey(),
    fromDate: text('from_date'),
    /** Inclusive. */
    toDate: text('to_date'),
    /** JSON of an array of `{ from, to }`, in order. */
    earlier: text().notNull().default('[]'),
    /** Terminals were told to forget the person, whose last day is over. */
    offTerminals: integer('off_terminals', { mode: 'boolean' }).notNull().default(false),
  },
  table => [index('employment_by_end').on(table.toDate).where(expression`off_terminals = 0 AND to_date IS NOT NULL`)],
);

/** Statements of staff on the pages: the owner of an unknown id, and changes of many at once. */

/**
 * An id that devices report and nobody has, and whose it is. `said_number` counts where a report
 * has no `ext_id`; the other one is empty.
 */
export const personAlias = sqliteTable(
  'person_alias',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    saidExtId: text('said_ext_id').notNull(),
    saidNumber: text('said_number').notNull(),
    extId: text('ext_id').notNull(),
    at: integer().notNull(),
    by: text().notNull(),
  },
  table => [
    uniqueIndex('person_alias_said').on(table.saidExtId, table.saidNumber),
    index('person_alias_by_person').on(table.extId),
  ],
);

/** The check-ins that belong to their person by an alias: an undo takes them away again. */
export const personAliasCheckin = sqliteTable(
  'person_alias_checkin',
  { checkinId: integer('checkin_id').primaryKey(), aliasId: integer('alias_id').notNull() },
  table => [index('person_alias_checkin_by_alias').on(table.aliasId)],
);

/** A change of many people or devices at once, for as long as it can be undone. */
export const bulkChange = sqliteTable('bulk_change', {
  id: integer().primaryKey({ autoIncrement: true }),
  at: integer().notNull(),
  by: text().notNull(),
  what: text().$type<BulkWhat>().notNull(),
});

/** State of a person or a device before the change. */
export const bulkChangeRow = sqliteTable(
  'bulk_change_row',
  {
    bulkId: integer('bulk_id').notNull(),
    /** The external id of the person, or the id of the device. */
    subject: text('ext_id').notNull(),
    /** JSON. */
    before: text().notNull(),
    /** JSON. What was changed again since keeps that. */
    after: text().notNull(),
  },
  table => [
    primaryKey({ columns: [table.bulkId, table.subject] }),
    index('bulk_change_row_by_subject').on(table.subject),
  ],
);
