import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { ClockBounds, ClockEpoch } from '../../platform/device-clock.ts';
import type { deviceClock } from '../schema/records.ts';

/** Expressions that several readers select by. */

/**
 * The id that callers see: the cloud's where there is one, the store's own otherwise. Null where a
 * left join found no row.
 */
export const publicId = (of: { readonly id: SQLiteColumn; readonly cloudId: SQLiteColumn }): SQL<string> =>
  sql<string>`coalesce(${of.cloudId}, CAST(${of.id} AS TEXT))`;

/** Empty instead of null, for texts where callers do not distinguish the two. */
export const orEmpty = (text: SQLWrapper): SQL<string> => sql<string>`coalesce(${text}, '')`;

export const upper = (column: SQLiteColumn): SQL => sql`upper(${column})`;

/** Where a page begins, `(one, other) > (?, ?)`: SQLite seeks such a row value in an index. */
export const after = (keys: readonly SQLWrapper[], place: readonly SQLWrapper[]): SQL =>
  sql`(${sql.join([...keys], sql`, `)}) > (${sql.join([...place], sql`, `)})`;
export const before = (keys: readonly SQLWrapper[], place: readonly SQLWrapper[]): SQL =>
  sql`(${sql.join([...keys], sql`, `)}) < (${sql.join([...place], sql`, `)})`;

/**
 * The department with this ext id and all below it. Hand-written: the query builder has no
 * recursion.
 */
export const departmentsBelow = (extId: SQLWrapper): SQL =>
  sql`(WITH RECURSIVE below(id) AS (SELECT id FROM department WHERE ext_id = ${extId}
    UNION SELECT d.id FROM department d JOIN below b ON d.parent_id = b.id) SELECT id FROM below)`;

export type ClockColumns = Omit<typeof deviceClock.$inferSelect, 'deviceNo' | 'begunAt' | 'isEnded'>;

export const epochOf = (row: ClockColumns): ClockEpoch => ({
  firstSaid: row.firstSaid,
  lastSaid: row.lastSaid,
  lowMs: row.lowMs,
  lowAt: row.lowAt,
  highMs: row.highMs,
  highAt: row.highAt,
  near: {
    count: row.nearCount,
    hours: row.nearHours,
    lastAt: row.nearLastAt,
    gapMinMs: row.nearGapMinMs,
    gapMaxMs: row.nearGapMaxMs,
  },
});

export interface RecordClockColumns {
  readonly clockLowMs: number | null;
  readonly clockHighMs: number | null;
}

/** A row with what was known of the clock that made it, for the columns that say so. */
export function withClock<Row extends RecordClockColumns>(row: Row) {
  const { clockLowMs, clockHighMs, ...rest } = row;
  return { ...rest, clock: clockOf({ clockLowMs, clockHighMs }) };
}

/** Bounds of the clock that made a record; null if unknown. */
export function clockOf({ clockLowMs, clockHighMs }: RecordClockColumns): ClockBounds | null {
  return clockLowMs === null ? null : { lowMs: clockLowMs, highMs: clockHighMs };
}
