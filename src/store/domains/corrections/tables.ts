import { sql as expression } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { DateText } from '../../../platform/shifts.ts';
import type { UnixMs, UnixSeconds } from '../../../runtime/clock.ts';
import type { DeviceNo } from '../../port/journal.ts';

/**
 * Corrections of check-ins. Rows are only added: a check-in stays as it was reported, a decision is
 * a row of its own, and an undo is a further correction. They go only with their person.
 */

export const correction = sqliteTable(
  'correction',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    kind: text().$type<CorrectionKind>().notNull(),
    reason: text().notNull(),
    /** An account, or `command`. */
    askedBy: text('asked_by').notNull(),
    askedAt: integer('asked_at').notNull(),
    /** Of an undo: the correction that it reverses. */
    reverses: integer(),
  },
  table => [index('correction_by_reversed').on(table.reverses).where(expression`reverses IS NOT NULL`)],
);

/** One check-in that a correction is about; one of many is undone with the others. */
export const correctionItem = sqliteTable(
  'correction_item',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    correctionId: integer('correction_id').notNull(),
    extId: text('ext_id').notNull(),
    /** Of the check-in. */
    atSeconds: integer('at_seconds').notNull(),
    /**
     * The id that callers see. Null of an `add`: the check-in that it made has `record_id` = the id
     * of this row.
     */
    checkinId: integer('checkin_id'),
    /** Of a `move_to`: the date that the check-in belongs to. */
    workDate: text('work_date'),
  },
  table => [
    index('correction_item_by_correction').on(table.correctionId),
    index('correction_item_by_person').on(table.extId, table.atSeconds),
    index('correction_item_by_checkin').on(table.checkinId).where(expression`checkin_id IS NOT NULL`),
  ],
);

/** At most one for each correction; none while it waits. */
export const correctionDecision = sqliteTable('correction_decision', {
  correctionId: integer('correction_id').primaryKey(),
  state: text().$type<Exclude<CorrectionState, 'asked'>>().notNull(),
  decidedBy: text('decided_by').notNull(),
  decidedAt: integer('decided_at').notNull(),
});

/** The device of check-ins that a correction added: no device reported them. */
export const addedDeviceNo = -1 as DeviceNo;

/** How many check-ins one correction may be about. */
export const correctionItemsMax = 500;

export type CorrectionKind = 'add' | 'set_aside' | 'move_to' | 'undo';
/** Only an approved one counts. */
export type CorrectionState = 'asked' | 'approved' | 'refused' | 'withdrawn';

/** One check-in of a correction; those of a correction of many share its `id`. */
export interface Correction {
  readonly id: number;
  readonly itemId: number;
  readonly extId: string;
  /** Empty: nobody has this ext id now. */
  readonly name: string;
  readonly kind: CorrectionKind;
  /** As callers of the attendance API see it. Null: an `add` that is not approved. */
  readonly checkInId: number | null;
  /** Of the check-in. */
  readonly at: UnixSeconds;
  /** Of a `move_to`: the date that the check-in belongs to. Else null. */
  readonly workDate: DateText | null;
  readonly reason: string;
  /** An account, or `command`. */
  readonly askedBy: string;
  readonly askedAt: UnixMs;
  readonly decidedBy: string | null;
  readonly decidedAt: UnixMs | null;
  readonly state: CorrectionState;
  /** Of an undo: the correction that it reverses. */
  readonly reverses: number | null;
  /** An approved undo reverses it. */
  readonly undone: boolean;
}

/** How the box came by a check-in; `imported`: from the cloud alone. */
export type CheckInSource = 'device' | 'added' | 'imported';

/** Effect of corrections on a check-in. */
export interface PunchMark {
  readonly setAside: boolean;
  /** The date to which it was moved; null: it was not. */
  readonly workDate: DateText | null;
  /** Why it was set aside, else why it was moved, else why it was added. */
  readonly reason: string;
  /** The correction that set it aside, else the one that moved it, else the one that added it. */
  readonly correctionId: number;
}

/** Reasons for which a correction is refused; nothing was changed. */
export type CorrectionRefusal =
  | 'unknown_person'
  | 'unknown_punch'
  /** Already so, or somebody has asked for it. */
  | 'already'
  /** On no date: cannot be moved to another. */
  | 'set_aside'
  | 'unknown_correction'
  /** Decided before. */
  | 'decided'
  | 'not_approved'
  /** Approval by the person who asked. */
  | 'same_person'
  /** Only who asked may withdraw. */
  | 'not_asker';

export type CorrectionOutcome =
  | {
      readonly ok: true;
      readonly id: number;
      readonly state: CorrectionState;
      readonly items: readonly CorrectedItem[];
    }
  | { readonly ok: false; readonly why: CorrectionRefusal; readonly extId: string };

/** For the audit log. */
export interface CorrectedItem {
  readonly extId: string;
  readonly at: UnixSeconds;
  /** Of a `move_to`. */
  readonly workDate: DateText | null;
}

export interface Asked {
  readonly reason: string;
  /** An account, or `command`. */
  readonly by: string;
  readonly at: UnixMs;
  /** Approves it at once: nobody else has to. */
  readonly approve: boolean;
}
