import { blob, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { DateText } from '../../../platform/shifts.ts';
import type { UnixMs } from '../../../runtime/clock.ts';

/** `reopen_asked`: still closed, until another person approves. */
export type PeriodState = 'closed' | 'reopen_asked' | 'reopened';

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
    /** From 1. */
    revision: integer().notNull(),
    /** `closing` while its rows are written: it counts for nothing then. */
    state: text().$type<PeriodState | 'closing'>().notNull(),
    closedAt: integer('closed_at').notNull(),
    closedBy: text('closed_by').notNull(),
    /** Why it was closed although something was in the way; null: nothing was. */
    forced: text(),
    timeZone: text('time_zone').notNull(),
    rules: text().notNull(),
    /** SHA-256 in hex of the lines: `head`, each row, `foot`. Empty while it is written. */
    hash: text().notNull().default(''),
    /** Canonical JSON: the first and the last line. */
    head: text().notNull().default(''),
    foot: text().notNull().default(''),
    reopenReason: text('reopen_reason'),
    reopenAskedAt: integer('reopen_asked_at'),
    reopenAskedBy: text('reopen_asked_by'),
    reopenedAt: integer('reopened_at'),
    reopenedBy: text('reopened_by'),
    /** When late changes were last looked for; null: not yet. */
    checkedAt: integer('checked_at'),
    /** Result of `periodInputs` at that time. */
    checkedOf: text('checked_of'),
    /** How often it was begun: a closing that was cut is begun again. */
    attempt: integer().notNull().default(1),
    /** People of the scope when it was begun. */
    peopleAll: integer('people_all').notNull().default(0),
    /** How many of them the writer has come past. */
    peopleDone: integer('people_done').notNull().default(0),
    /** JSON: why a draft was not finished; it stays so for whoever asked. Null: it may be. */
    refusal: text(),
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
    /** Canonical JSON of the row, a frame of zstd. */
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
    kind: text().$type<'late' | 'revision'>().notNull(),
    extId: text('ext_id').notNull(),
    name: text().notNull(),
    /** Empty: the person as a whole. */
    date: text().$type<DateText | ''>().notNull(),
    /** JSON; null: there was nothing, or is nothing now. */
    was: text(),
    now: text(),
    noticedAt: integer('noticed_at').notNull(),
  },
  table => [uniqueIndex('period_change_by_day').on(table.periodId, table.kind, table.extId, table.date)],
);

type DraftColumn = 'attempt' | 'peopleAll' | 'peopleDone' | 'refusal';

/** Nothing was added to a draft for so long: its writer has gone. */
const draftMs = 2 * 60_000;
/** A clock that was set back does not keep a draft for ever. */
export const isStale = (closedAt: UnixMs, now: UnixMs): boolean => Math.abs(now - closedAt) >= draftMs;

/** A closing that is being written, was cut, or was refused. */
export interface ClosingDraft
  extends Readonly<
    Pick<
      typeof period.$inferSelect,
      'id' | 'month' | 'scopeId' | 'scopeName' | 'revision' | 'forced' | 'closedBy' | DraftColumn
    >
  > {
  /** Its writer has gone. */
  readonly isStale: boolean;
}

/** One revision of a closed month. */
export interface Period extends Readonly<Omit<typeof period.$inferSelect, 'state' | DraftColumn>> {
  readonly state: PeriodState;
  /** How many days differ from the frozen ones by now. */
  readonly late: number;
  /** How many days differ from the revision before. */
  readonly revised: number;
}

export interface FrozenRow
  extends Readonly<Pick<typeof periodRow.$inferSelect, 'id' | 'periodId' | 'extId' | 'departments'>> {
  readonly revision: number;
  readonly month: string;
  readonly packed: Uint8Array;
}

export type PeriodChange = Readonly<Omit<typeof periodChange.$inferSelect, 'id' | 'periodId'>>;
