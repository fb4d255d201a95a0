import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { BulkWhat } from '../port/bulk-changes.ts';

/** Statements of staff on the pages: the owner of an unknown id, and changes of many at once. */

/**
 * An id that devices report and nobody has, and whose it is. `said_number` counts where a report
 * has no `ext_id`; the other one is empty.
 */
export const personAlias = sqliteTable(
  'person_alias',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    saidExtId: text('said_ext_id').notNull(),
    saidNumber: text('said_number').notNull(),
    extId: text('ext_id').notNull(),
    at: integer().notNull(),
    by: text().notNull(),
  },
  table => [
    uniqueIndex('person_alias_said').on(table.saidExtId, table.saidNumber),
    index('person_alias_by_person').on(table.extId),
  ],
);

/** The check-ins that belong to their person by an alias: an undo takes them away again. */
export const personAliasCheckin = sqliteTable(
  'person_alias_checkin',
  { checkinId: integer('checkin_id').primaryKey(), aliasId: integer('alias_id').notNull() },
  table => [index('person_alias_checkin_by_alias').on(table.aliasId)],
);

/** A change of many people or devices at once, for as long as it can be undone. */
export const bulkChange = sqliteTable('bulk_change', {
  id: integer().primaryKey({ autoIncrement: true }),
  at: integer().notNull(),
  by: text().notNull(),
  what: text().$type<BulkWhat>().notNull(),
});

/** State of a person or a device before the change. */
export const bulkChangeRow = sqliteTable(
  'bulk_change_row',
  {
    bulkId: integer('bulk_id').notNull(),
    /** The external id of the person, or the id of the device. */
    subject: text('ext_id').notNull(),
    /** JSON. */
    before: text().notNull(),
    /** JSON. What was changed again since keeps that. */
    after: text().notNull(),
  },
  table => [
    primaryKey({ columns: [table.bulkId, table.subject] }),
    index('bulk_change_row_by_subject').on(table.subject),
  ],
);
