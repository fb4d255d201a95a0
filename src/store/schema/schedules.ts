import { sql as expression } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Leave } from '../port/schedules.ts';

/** Plans: shifts, rosters, single days, employment, leave. Dates are local, `2026-11-16`. */

/**
 * Versions of shifts. Rows are only added: of those of one code and date the newest counts, and the
 * older ones say what a month was computed with.
 */
export const shiftVersion = sqliteTable(
  'shift_version',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    code: text().notNull(),
    name: text().notNull(),
    validFrom: text('valid_from').notNull(),
    /** JSON of the rest of a `Shift`. */
    plan: text().notNull(),
    recordedAt: integer('recorded_at').notNull(),
    recordedBy: text('recorded_by').notNull(),
  },
  table => [index('shift_version_by_code').on(table.code, table.validFrom, table.id)],
);

/** `site`, `department` or `person`, and its external id, which is empty for the site. */
const target = {
  targetKind: text('target_kind').$type<'site' | 'department' | 'person'>().notNull(),
  targetId: text('target_id').notNull(),
};
const recorded = { recordedAt: integer('recorded_at').notNull(), recordedBy: text('recorded_by').notNull() };

export const rosterRule = sqliteTable(
  'roster_rule',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    ...target,
    /** JSON: codes of shifts, null for a day off. */
    cycle: text().notNull(),
    anchor: text().notNull(),
    fromDate: text('from_date').notNull(),
    /** Inclusive. Null: without an end. */
    toDate: text('to_date'),
    ...recorded,
  },
  table => [uniqueIndex('roster_rule_by_target').on(table.targetKind, table.targetId, table.fromDate)],
);

export const dayOverride = sqliteTable(
  'day_override',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    date: text().notNull(),
    ...target,
    /** `rest`, `workday`, `legal_holiday`, `makeup` or `shift`. */
    what: text().notNull(),
    /** Of `makeup`: 1 Monday to 7 Sunday. */
    weekday: integer(),
    /** Of `shift`. */
    code: text(),
    reason: text().notNull(),
    ...recorded,
  },
  table => [uniqueIndex('day_override_by_date').on(table.date, table.targetKind, table.targetId)],
);

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

export const leave = sqliteTable(
  'leave',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    extId: text('ext_id').notNull(),
    /** Local wall time, `2026-11-16T09:00`. */
    fromTime: text('from_time').notNull(),
    /** Exclusive. */
    toTime: text('to_time').notNull(),
    kind: text().notNull(),
    paid: integer({ mode: 'boolean' }).notNull(),
    state: text().$type<Leave['state']>().notNull(),
    reason: text().notNull(),
    ...recorded,
    decidedAt: integer('decided_at'),
    decidedBy: text('decided_by'),
  },
  table => [index('leave_by_person').on(table.extId, table.fromTime), index('leave_by_end').on(table.toTime)],
);
