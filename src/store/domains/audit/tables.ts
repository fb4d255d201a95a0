import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { AuditChain } from '../../../platform/audit-heads.ts';
import type { Coded } from '../../../words/sentences.ts';

/**
 * Entries on changes, and on views of photos and people's features. Rows are only added, and are
 * removed only from the old end of their chain (chain.ts).
 */
export const auditEntry = sqliteTable(
  'audit_entry',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    /** A name, `token NAME`, or `command` for the socket of the box. */
    actor: text().notNull(),
    role: text().notNull(),
    address: text().notNull(),
    /** Action, such as `POST /users`. */
    action: text().notNull(),
    /** Thing or person affected; never a secret. */
    subject: text().notNull(),
    /** Code and values of the subject, as JSON; null: it has none. */
    said: text(),
    outcome: text().$type<'done' | 'refused'>().notNull(),
    chain: text().$type<AuditChain>().notNull(),
    /** How often it happened from `at` to `last_at`: repeats of a minute are one row. */
    count: integer().notNull().default(1),
    lastAt: integer('last_at'),
    /** Over this entry and the hash before it in its chain. */
    hash: text().notNull(),
  },
  table => [
    index('audit_entry_by_actor').on(table.actor, table.id),
    index('audit_entry_by_chain').on(table.chain, table.id),
  ],
);

/** Where each chain of the audit log begins and ends. */
export const auditChain = sqliteTable('audit_chain', {
  chain: text().primaryKey(),
  begunAt: integer('begun_at').notNull(),
  /** The last entry that is not in it, or was removed from it, and its hash. */
  beginId: integer('begin_id').notNull(),
  beginHash: text('begin_hash').notNull(),
  headId: integer('head_id').notNull(),
  headHash: text('head_hash').notNull(),
  removed: integer().notNull().default(0),
});

/** An entry with its chain and its hash. */
export type AuditRow = Readonly<typeof auditEntry.$inferSelect>;

/** An entry of the audit log; entries are added, never changed. */
export type AuditEntry = Omit<AuditRow, 'chain' | 'hash'>;

/** An event to be entered in the audit log. */
export interface AuditNote extends Omit<AuditEntry, 'id' | 'at' | 'count' | 'lastAt' | 'said'> {
  /** Code and values of its subject. */
  readonly said?: Coded | undefined;
  /** Nothing was changed: it belongs to the chain of reads. */
  readonly read?: boolean;
}
