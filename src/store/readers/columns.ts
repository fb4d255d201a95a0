import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** Expressions that several readers select by. */

/**
 * The id that callers see: the cloud's where there is one, the store's own otherwise. Null where a
 * left join found no row.
 */
export const publicId = (of: { readonly id: SQLiteColumn; readonly cloudId: SQLiteColumn }): SQL<string> =>
  sql<string>`coalesce(${of.cloudId}, CAST(${of.id} AS TEXT))`;

/** Empty instead of null, for texts where callers do not distinguish the two. */
export const orEmpty = (text: SQLWrapper): SQL<string> => sql<string>`coalesce(${text}, '')`;

export const upper = (column: SQLiteColumn): SQL => sql`upper(${column})`;

/** Where a page begins, `(one, other) > (?, ?)`: SQLite seeks such a row value in an index. */
export const after = (keys: readonly SQLWrapper[], place: readonly SQLWrapper[]): SQL =>
  sql`(${sql.join([...keys], sql`, `)}) > (${sql.join([...place], sql`, `)})`;
export const before = (keys: readonly SQLWrapper[], place: readonly SQLWrapper[]): SQL =>
  sql`(${sql.join([...keys], sql`, `)}) < (${sql.join([...place], sql`, `)})`;

/**
 * The department with this ext id and all below it. Hand-written: the query builder has no
 * recursion.
 */
export const departmentsBelow = (extId: SQLWrapper): SQL =>
  sql`(WITH RECURSIVE below(id) AS (SELECT id FROM department WHERE ext_id = ${extId}
    UNION SELECT d.id FROM department d JOIN below b ON d.parent_id = b.id) SELECT id FROM below)`;
