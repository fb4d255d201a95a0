import { sql as expression } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { UncertainMatch } from '../port/mirror.ts';

/** The copy of the cloud's check-ins and access records. The rules of schema/index.ts hold. */

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
