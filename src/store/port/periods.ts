import type { DateText } from '../../platform/shifts.ts';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { StorePart } from './part.ts';
import type { StoodIn } from './people.ts';

/**
 * The part of the store's port for months that were closed. The figures of a closed month are kept
 * as they were; nothing computes them again (docs/decisions/schedules.md).
 */

/** `reopen_asked`: still closed, until another person approves. */
export type PeriodState = 'closed' | 'reopen_asked' | 'reopened';

/** One revision of a closed month. */
export interface Period {
  readonly id: number;
  /** `2026-11`. */
  readonly month: string;
  /** External id of a department, with those below it; empty: the whole site. */
  readonly scopeId: string;
  readonly scopeName: string;
  /** From 1. */
  readonly revision: number;
  readonly state: PeriodState;
  readonly closedAt: UnixMs;
  readonly closedBy: string;
  /** Why it was closed although something was in the way; null: nothing was. */
  readonly forced: string | null;
  readonly timeZone: string;
  readonly rules: string;
  /** SHA-256 in hex, of the lines of the closing. */
  readonly hash: string;
  /** Canonical JSON: the first and the last line. */
  readonly head: string;
  readonly foot: string;
  readonly reopenReason: string | null;
  readonly reopenAskedAt: UnixMs | null;
  readonly reopenAskedBy: string | null;
  readonly reopenedAt: UnixMs | null;
  readonly reopenedBy: string | null;
  /** When late changes were last looked for; null: not yet. */
  readonly checkedAt: UnixMs | null;
  /** Result of `periodInputs` at that time. */
  readonly checkedOf: string | null;
  /** How many days differ from the frozen ones by now. */
  readonly late: number;
  /** How many days differ from the revision before. */
  readonly revised: number;
}

export interface NewFrozenRow {
  readonly extId: string;
  readonly name: string;
  readonly employeeNum: string;
  /** External ids of the person's department and of those above it. */
  readonly departments: readonly string[];
  readonly packed: Uint8Array;
}

export interface FrozenRow {
  readonly id: number;
  readonly periodId: number;
  readonly revision: number;
  readonly month: string;
  readonly extId: string;
  /** JSON: external ids of the department and of those above it. */
  readonly departments: string;
  readonly packed: Uint8Array;
}

export interface PeriodChange {
  readonly kind: 'late' | 'revision';
  readonly extId: string;
  readonly name: string;
  /** Empty: the person as a whole. */
  readonly date: DateText | '';
  /** JSON; null: there was nothing, or is nothing now. */
  readonly was: string | null;
  readonly now: string | null;
  readonly noticedAt: UnixMs;
}

export type PeriodRefusal =
  /** The month is closed for this scope. */
  | 'closed'
  /** A closing is being written: only one at a time. */
  | 'closing'
  | 'unknown'
  /** No longer closed, or followed by another revision. */
  | 'not_closed'
  /** Somebody has asked for it. */
  | 'already'
  | 'not_asked'
  /** Approval by the person who asked. */
  | 'same_person';

export type PeriodOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: PeriodRefusal };

interface Made {
  /** An account, or `command`. */
  readonly by: string;
  readonly at: UnixMs;
}

export interface PeriodWrites {
  /**
   * Begins a revision, which counts only when it is finished. A draft to which nothing was added
   * for two minutes is dropped: its writer has gone.
   */
  beginClosing(
    input: Pick<Period, 'month' | 'scopeId' | 'scopeName' | 'forced' | 'timeZone' | 'rules'> & Made,
  ): PeriodOutcome<{ readonly id: number; readonly revision: number }>;
  /** Adds rows to a draft. */
  freezeRows(input: { readonly id: number; readonly rows: readonly NewFrozenRow[]; readonly at: UnixMs }): void;
  /** From here on the month is closed. Refused `unknown` if the draft was dropped. */
  finishClosing(input: Pick<Period, 'id' | 'head' | 'foot' | 'hash'> & { readonly at: UnixMs }): PeriodOutcome<null>;
  dropClosing(input: { readonly id: number }): void;
  /** With `approve` it is open at once; otherwise another person has to approve. */
  askReopening(
    input: { readonly id: number; readonly reason: string; readonly approve: boolean } & Made,
  ): PeriodOutcome<PeriodState>;
  /** Not approved: the month stays closed. Who asked may not approve. */
  decideReopening(input: { readonly id: number; readonly approve: boolean } & Made): PeriodOutcome<PeriodState>;
  /**
   * Sets what differs for the people who were looked at: their changes of this kind that are not
   * among `changes` are gone.
   */
  notePeriodChanges(input: {
    readonly id: number;
    readonly kind: PeriodChange['kind'];
    readonly lookedAt: readonly string[];
    readonly changes: readonly Omit<PeriodChange, 'kind' | 'noticedAt'>[];
    readonly at: UnixMs;
  }): void;
  /** The late changes are those of these inputs. */
  notePeriodChecked(input: { readonly id: number; readonly of: string; readonly at: UnixMs }): void;
  /** Removes closings of months before this one. Returns how many. */
  dropPeriods(input: { readonly before: string }): number;
}

export interface PeriodReads {
  /** Newest month first, of a month the newest closing first. Absent: of all months. */
  periods(query: { readonly month?: string | undefined; readonly limit: number }): Promise<Period[]>;
  /** Period; null if there is none of this id. */
  period(id: number): Promise<Period | null>;
  /** Closed rows of people in months; at most one for each person and month. */
  frozenRows(query: { readonly months: readonly string[]; readonly extIds: readonly string[] }): Promise<FrozenRow[]>;
  /** Of one revision, closed or reopened, in their order. */
  rowsOfPeriod(query: {
    readonly id: number;
    /** Absent: of everybody. */
    readonly extIds?: readonly string[] | undefined;
    readonly after?: number | undefined;
    readonly limit: number;
  }): Promise<FrozenRow[]>;
  /**
   * Closed rows of people who were in the scope then and are not now: they have moved, or were
   * deleted.
   */
  frozenOfOthers(query: {
    readonly month: string;
    readonly departmentExtId?: string | undefined;
    /** People who are in the scope now, and are left out. */
    readonly stoodIn?: StoodIn | undefined;
    readonly text?: string | undefined;
    readonly after?: number | undefined;
    readonly limit: number;
  }): Promise<FrozenRow[]>;
  /** By name, then date. */
  periodChanges(query: {
    readonly id: number;
    readonly kind: PeriodChange['kind'];
    readonly limit: number;
  }): Promise<PeriodChange[]>;
  /**
   * A text that changes when a check-in, a correction, a leave or a plan that days of this span may
   * depend on comes, goes or changes.
   */
  periodInputs(query: {
    readonly from: UnixSeconds;
    readonly to: UnixSeconds;
    readonly fromDate: DateText;
    readonly toDate: DateText;
  }): Promise<string>;
}

export type PeriodStore = StorePart<PeriodReads, PeriodWrites>;
