import { blob, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { PeriodChange, PeriodState } from '../port/periods.ts';

/** Months that were closed. A row for each revision; what is frozen in one is never changed. */
export const period = sqliteTable(
  'period',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** `2026-11`. */
    month: text().notNull(),
    /** External id of a department, with those below it; empty: the whole site. */
    scopeId: text('scope_id').notNull(),
    scopeName: text('scope_name').notNull(),
    revision: integer().notNull(),
    /** `closing` while its rows are written: it counts for nothing then. */
    state: text().$type<PeriodState | 'closing'>().notNull(),
    closedAt: integer('closed_at').notNull(),
    closedBy: text('closed_by').notNull(),
    /** Why it was closed although something was in the way; null: nothing was. */
    forced: text(),
    timeZone: text('time_zone').notNull(),
    rules: text().notNull(),
    /** SHA-256 of the lines: `head`, each row, `foot`. Empty while it is written. */
    hash: text().notNull().default(''),
    /** Canonical JSON. */
    head: text().notNull().default(''),
    foot: text().notNull().default(''),
    reopenReason: text('reopen_reason'),
    reopenAskedAt: integer('reopen_asked_at'),
    reopenAskedBy: text('reopen_asked_by'),
    reopenedAt: integer('reopened_at'),
    reopenedBy: text('reopened_by'),
    /** When late changes were last looked for, and what the month's inputs were like then. */
    checkedAt: integer('checked_at'),
    checkedOf: text('checked_of'),
  },
  table => [uniqueIndex('period_by_month').on(table.month, table.scopeId, table.revision)],
);

/** The month of one person, frozen. */
export const periodRow = sqliteTable(
  'period_row',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    periodId: integer('period_id').notNull(),
    extId: text('ext_id').notNull(),
    name: text().notNull(),
    employeeNum: text('employee_num').notNull(),
    /** JSON: external ids of the person's department and of those above it. */
    departments: text().notNull(),
    /** Canonical JSON of the row, deflated. */
    packed: blob({ mode: 'buffer' }).notNull(),
  },
  table => [
    index('period_row_by_period').on(table.periodId, table.id),
    index('period_row_by_person').on(table.extId, table.periodId),
  ],
);

/**
 * A day that differs from the frozen one: `late`, what arrived or was changed after the closing;
 * `revision`, what a revision has otherwise than the one before it.
 */
export const periodChange = sqliteTable(
  'period_change',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    periodId: integer('period_id').notNull(),
    kind: text().$type<PeriodChange['kind']>().notNull(),
    extId: text('ext_id').notNull(),
    name: text().notNull(),
    /** Empty: the person as a whole. */
    date: text().notNull(),
    /** JSON; null: there was nothing, or is nothing now. */
    was: text(),
    now: text(),
    noticedAt: integer('noticed_at').notNull(),
  },
  table => [uniqueIndex('period_change_by_day').on(table.periodId, table.kind, table.extId, table.date)],
);
