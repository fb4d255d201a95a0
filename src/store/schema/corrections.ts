import { sql as expression } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { CorrectionKind, CorrectionState } from '../port/corrections.ts';

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
