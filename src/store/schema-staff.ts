import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Bearer tokens of the admin API. What their holder has is here as its hash alone. */
export const adminToken = sqliteTable('admin_token', {
  id: integer().primaryKey({ autoIncrement: true }),
  tokenHash: text('token_hash').notNull().unique(),
  name: text().notNull(),
  role: text().notNull(),
  madeBy: text('made_by').notNull(),
  madeAt: integer('made_at').notNull(),
  /** Null: for good. */
  endsAt: integer('ends_at'),
  usedAt: integer('used_at'),
});

/** Who changed what, or looked at a photo or a person's features. Rows are only added, and go by age. */
export const auditEntry = sqliteTable(
  'audit_entry',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    /** A name, `token NAME`, or `command` for the socket of the box. */
    actor: text().notNull(),
    role: text().notNull(),
    address: text().notNull(),
    action: text().notNull(),
    subject: text().notNull(),
    /** `done`, `refused`. */
    outcome: text().notNull(),
  },
  table => [index('audit_entry_by_actor').on(table.actor, table.id)],
);
