import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Of each webhook and kind of events, the `seq` of the last one that its receiver has taken. */
export const webhookPlace = sqliteTable(
  'webhook_place',
  {
    name: text().notNull(),
    kind: text().notNull(),
    seq: integer().notNull(),
  },
  table => [primaryKey({ columns: [table.name, table.kind] })],
);
