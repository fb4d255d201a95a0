import { sql as expression } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { UnixMs, UnixSeconds } from '../../../runtime/clock.ts';
import type { DeviceNo } from '../../port/journal.ts';

/** The copy of the cloud's check-ins and access records. The rules of domains/index.ts hold. */

/**
 * How far the cloud's lists were read; moved in the transaction that stores the page, so that a
 * crash neither loses nor repeats a row.
 */
export const mirrorCursor = sqliteTable('mirror_cursor', {
  /** `checkins`, `access`; `organization` and `features`, which have no `next_id`. */
  list: text().primaryKey(),
  nextId: integer('next_id').notNull(),
  /** When the end of the list was reached last; null: never. */
  wholeAt: integer('whole_at'),
});

/**
 * The cloud's check-ins by its own ids. A row of `checkin` with device_no 0 comes from the cloud
 * alone; with another device_no the site's terminal reported it too.
 */
export const cloudCheckin = sqliteTable(
  'cloud_checkin',
  {
    cloudId: text('cloud_id').primaryKey(),
    /** Check-in; null if its person is not known here, so that `waiting` keeps it. */
    checkinId: integer('checkin_id'),
    /** The cloud's id of the person whom it waits for. */
    userId: text('user_id'),
    extId: text('ext_id'),
    /** JSON of the record as the cloud answered it. */
    waiting: text(),
  },
  table => [
    uniqueIndex('cloud_checkin_by_checkin').on(table.checkinId).where(expression`checkin_id IS NOT NULL`),
    index('cloud_checkin_waiting').on(table.extId).where(expression`checkin_id IS NULL`),
  ],
);

export const cloudAccess = sqliteTable(
  'cloud_access',
  { cloudId: integer('cloud_id').primaryKey(), accessId: integer('access_id').notNull() },
  table => [uniqueIndex('cloud_access_by_record').on(table.accessId)],
);

/** A record of the site and one of the cloud that may be the same; callers have got both. */
export const uncertainMatch = sqliteTable('uncertain_match', {
  id: integer().primaryKey({ autoIncrement: true }),
  at: integer().notNull(),
  /** Whose ids follow. */
  kind: text().$type<UncertainMatch['kind']>().notNull(),
  siteId: integer('site_id').notNull(),
  cloudId: integer('cloud_id').notNull(),
});

/** The device of check-ins and access records that only the cloud lists. */
export const cloudDeviceNo = 0 as DeviceNo;

/**
 * A list of the cloud that is copied; the organization and the features are fetched whole and have
 * no `next_id`.
 */
export type MirroredList = 'checkins' | 'access' | 'organization' | 'features';

export interface MirrorCursor {
  /** The cloud's own `next_id` for the page that follows. */
  readonly nextId: number;
  /** When the end of the list was reached last; null: never. */
  readonly wholeAt: UnixMs | null;
}

/** How long a row that the cloud's whole lists lack is kept, hidden, before it is deleted. */
export const missingKeptMs = 24 * 3600_000;

/**
 * Whether so many are missing that it looks like a mistake of the cloud, or of its address: no time
 * deletes them.
 */
export const areTooManyMissing = (missing: number, all: number): boolean => missing >= 10 && missing >= all / 2;

/**
 * The cloud's rows as in its answer (SPEC 4.8). Null: the row does not say it, so that it stays as
 * it is here.
 */
export interface CloudDepartment {
  readonly id: string;
  readonly pid: string | null;
  readonly name: string | null;
  readonly extId: string | null;
}

export interface CloudEmployee {
  readonly id: string;
  readonly extId: string | null;
  readonly name: string | null;
  readonly mobile: string | null;
  readonly employeeNum: string | null;
  readonly departmentId: string | null;
}

export interface MirrorReport {
  readonly changed: number;
  readonly removed: number;
  readonly conflicts: number;
  /** People and departments that the cloud's lists lack and that are deleted after a day of it. */
  readonly hidden: number;
  /** Missing rows held back because their number looks like a mistake: only staff deletes them. */
  readonly held: number;
}

/** A person or a department that the cloud has listed and lists no more. */
export interface MissingAtCloud {
  readonly kind: 'employee' | 'department';
  readonly extId: string;
  readonly name: string;
  /** Time since when; null if held back with many others, until somebody deletes it. */
  readonly since: UnixMs | null;
  readonly deletedFrom: UnixMs | null;
}

/** A check-in as the cloud lists it (SPEC 2.15). */
export interface CloudCheckIn {
  readonly id: string;
  readonly userId: string;
  readonly extId: string;
  readonly terminalId: string;
  readonly checkType: string;
  readonly checkTime: UnixSeconds;
  readonly checkData: Readonly<Record<string, string>>;
}

/** An access record as the cloud lists it (SPEC 2.15). */
export interface CloudAccessRecord extends Omit<CloudCheckIn, 'id' | 'terminalId'> {
  readonly id: number;
  readonly doorId: string;
  readonly checkResult: number;
  readonly captureImg: string | null;
}

/** One page, with the position from which it was requested and the one at which it ends. */
export interface Page<Row> {
  readonly from: number;
  readonly next: number;
  readonly records: readonly Row[];
  readonly at: UnixMs;
}

export interface PageReport {
  /** Rows that callers of the box get for the first time. */
  readonly added: number;
  /** Rows that a terminal of the site had reported already. */
  readonly matched: number;
  /** Added rows that may be the same as a row that a terminal of the site reported. */
  readonly uncertain: number;
}

/** Which cloud the lists are of. */
export interface MirroredCloud {
  /** Host and port. */
  readonly address: string;
  /** Hex SHA-256 of the App-Key under which the box asks. */
  readonly appKeyHash: string;
}

/** One side of an uncertain match. */
interface MatchSide {
  /** As callers of the box see it. */
  readonly id: number;
  readonly time: UnixSeconds;
  /** The terminal or the door. */
  readonly place: string;
  readonly checkType: string;
}

export interface UncertainMatch {
  readonly id: number;
  readonly at: UnixMs;
  readonly kind: 'checkin' | 'access';
  readonly extId: string;
  readonly name: string;
  readonly site: MatchSide;
  readonly cloud: MatchSide;
}
