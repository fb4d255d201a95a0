import type { DateText, PlanProblem, Shift } from '../../platform/shifts.ts';
import type { Stint, Stints } from '../../platform/stints.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { StorePart } from './part.ts';

/**
 * The part of the store's port for plans: shifts, who works which from when, single days, who is
 * employed from when to when, and leave. What somebody worked is nowhere stored: it is computed
 * from these and the punches (docs/decisions/schedules.md).
 */

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

interface Recorded {
  readonly at: UnixMs;
  readonly by: string;
}

export interface ScheduleWrites {
  /**
   * Adds a version of a shift, or replaces the one of the same date. Refused where a roster has it
   * beside a shift whose times it would run into. The shape was checked (`shiftProblems`).
   */
  putShift(input: { shift: Shift } & Recorded): PlanOutcome;
  /** All versions of a shift. Refused while a roster or a day names it. */
  removeShift(input: { code: string }): PlanOutcome;
  /**
   * Adds a rule, or with `id` changes one, which keeps its place among its equals. A target has one
   * rule from a date on. Returns the id.
   */
  putRosterRule(
    input: { id: number | null; rule: Omit<RosterRule, 'id' | 'recordedAt' | 'recordedBy'> } & Recorded,
  ): PlanOutcome<number>;
  /** Returns false if there is none. */
  removeRosterRule(input: { id: number }): boolean;
  /** Adds what a date is for a target, or replaces what it was. Returns the id. */
  putDayOverride(input: { override: Omit<DayOverride, 'id'> } & Recorded): PlanOutcome<number>;
  removeDayOverride(input: { id: number }): boolean;
  /**
   * Sets when a person is employed; a single stint without ends: always. Without `earlier` the
   * stints before stay, and a first day after the last one begins a new stint (`stintsAfter`).
   * Refused are stints that overlap or are out of order (`stintProblem`). Who is back is sent to
   * the terminals at once, also where the first day is still to come; who has left the last stint
   * leaves them with `leaveTerminals`.
   */
  setEmployment(input: {
    employment: Stint & { readonly extId: string; readonly earlier?: readonly Stint[] | undefined };
  }): PlanOutcome;
  /**
   * Takes people off the terminals whose last day is before `today`, and are still on them; at most
   * `limit`. Who works a night that began on that day stays until its window has ended, `minute`
   * being that of today. Returns how many. Their features stay in the store.
   */
  leaveTerminals(input: { today: DateText; minute: number; limit: number }): number;
  /** Adds a leave, or with `id` changes one that is asked or approved. Returns the id. */
  putLeave(
    input: { id: number | null; leave: Omit<Leave, 'id'> & { readonly reason: string } } & Recorded,
  ): PlanOutcome<number>;
  /** Asked becomes any; approved becomes withdrawn. */
  decideLeave(input: { id: number; state: Exclude<Leave['state'], 'asked'> } & Recorded): PlanOutcome;
}

/** A span of dates, both inclusive; absent: all. */
interface PlanQuery {
  readonly from?: DateText;
  readonly to?: DateText;
  /**
   * Of persons only these, at most 1000; absent: all. What holds for departments is always in it.
   */
  readonly people?: readonly string[];
  /** Only what has a higher id, in the order of ids: how all of it is read, page by page. */
  readonly after?: number | undefined;
  /** At most 10,000 are returned, whatever is asked. */
  readonly limit: number;
}

export interface ScheduleReads {
  /** Every version, by code and date. */
  shifts(): Promise<Shift[]>;
  /** In the order of `recordedAt`, then `id` (without `after`): of equals the last one counts. */
  rosterRules(query: PlanQuery): Promise<RosterRule[]>;
  /** By date. */
  dayOverrides(query: PlanQuery): Promise<DayOverride[]>;
  /** Of people with a first or a last day, by external id. */
  employments(query: { people?: readonly string[]; limit: number }): Promise<Employment[]>;
  /** Those that touch the span, in any state unless one is asked for, by start. */
  leaves(query: PlanQuery & { readonly state?: Leave['state'] }): Promise<LeaveRow[]>;
  /** Rule; null if there is none of this id. */
  rosterRule(id: number): Promise<RosterRule | null>;
  dayOverride(id: number): Promise<DayOverride | null>;
  leave(id: number): Promise<LeaveRow | null>;
  /** Names by external id; ids that name nothing are left out. */
  planNames(query: {
    departments: readonly string[];
    people: readonly string[];
  }): Promise<{ departments: Map<string, string>; people: Map<string, string> }>;
}

export type ScheduleStore = StorePart<ScheduleReads, ScheduleWrites>;
