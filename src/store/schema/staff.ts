import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { TokenRole } from '../port/staff.ts';

/**
 * Bearer tokens of the admin API, and those of the site's own programs (role `events`). Only their
 * hashes are stored.
 */
export const adminToken = sqliteTable('admin_token', {
  id: integer().primaryKey({ autoIncrement: true }),
  tokenHash: text('token_hash').notNull().unique(),
  name: text().notNull(),
  role: text().$type<TokenRole>().notNull(),
  madeBy: text('made_by').notNull(),
  madeAt: integer('made_at').notNull(),
  endsAt: integer('ends_at').notNull(),
  usedAt: integer('used_at'),
  /** Of role `events`: the filters that it may subscribe to, as a JSON array; else null. */
  topics: text(),
  /** Of role `events`: the action codes that it may send to devices, as a JSON array; else null. */
  actions: text(),
});

/**
 * Entries on changes, and on views of photos and people's features. Rows are only added, and are
 * removed only from the old end of their chain (audit/chain.ts).
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
    action: text().notNull(),
    subject: text().notNull(),
    /** `done`, `refused`. */
    outcome: text().notNull(),
    /** `done`, `read`, `refused`. */
    chain: text().notNull(),
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

/** How much the store could still take, once an hour: for the forecast (room-report.ts). */
export const roomSample = sqliteTable('room_sample', {
  at: integer().primaryKey(),
  roomBytes: integer('room_bytes').notNull(),
});

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
