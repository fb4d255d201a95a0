import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { DateText, PlanProblem } from '../../../platform/shifts.ts';
import type { Stints } from '../../../platform/stints.ts';
import type { UnixMs } from '../../../runtime/clock.ts';

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

export type PlanTarget =
  | { readonly kind: 'site' }
  /** With the departments below it. */
  | { readonly kind: 'department'; readonly extId: string }
  | { readonly kind: 'person'; readonly extId: string };

/**
 * Assignment of people to shifts. A rule of the person counts before one of the nearest department,
 * that before one of a department above, that before one of the site; among equals the one recorded
 * later.
 */
export interface RosterRule {
  readonly id: number;
  readonly target: PlanTarget;
  /**
   * Codes of shifts, null for a day off; repeats from `anchor`. A week has seven, from a Monday.
   */
  readonly cycle: readonly (string | null)[];
  readonly anchor: DateText;
  readonly from: DateText;
  /** Inclusive; null: without an end. */
  readonly to: DateText | null;
  readonly recordedAt: UnixMs;
  readonly recordedBy: string;
}

/**
 * Kind of a single date, before any cycle. The national holidays come from the holiday service, not
 * from here.
 */
export interface DayOverride {
  readonly id: number;
  readonly date: DateText;
  readonly target: PlanTarget;
  /** `makeup`: works as on that weekday (1 Monday to 7 Sunday); `shift`: that shift. */
  readonly what:
    | { readonly kind: 'rest' }
    | { readonly kind: 'workday' }
    | { readonly kind: 'legal_holiday' }
    | { readonly kind: 'makeup'; readonly weekday: number }
    | { readonly kind: 'shift'; readonly code: string };
  readonly reason: string;
}

/** A person without a row has always been employed. */
export interface Employment extends Stints {
  readonly extId: string;
}

/** Local wall times of the site, `2026-11-16T09:00`; `to` exclusive. Only `approved` counts. */
export interface Leave {
  readonly id: number;
  readonly extId: string;
  readonly from: string;
  readonly to: string;
  /** Kind in the site's own words, such as `annual` or `sick`. */
  readonly kind: string;
  readonly paid: boolean;
  readonly state: 'asked' | 'approved' | 'refused' | 'withdrawn';
}

/** With who entered it and who decided. */
export interface LeaveRow extends Leave {
  readonly reason: string;
  readonly recordedAt: UnixMs;
  readonly recordedBy: string;
  readonly decidedAt: UnixMs | null;
  readonly decidedBy: string | null;
}

export type PlanOutcome<T = null> =
  | { readonly ok: true; readonly value: T }
  /** Nothing was stored. */
  | { readonly ok: false; readonly problems: readonly PlanProblem[] };

/** When and by whom a plan was entered. */
export interface Recorded {
  readonly at: UnixMs;
  readonly by: string;
}
