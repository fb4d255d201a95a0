import { hash } from 'node:crypto';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { type AuditChain, auditChains } from '../../../platform/audit-heads.ts';
import { ownSubjects, subjectOf } from '../../../words/audit-own.ts';
import { type Coded, codedText } from '../../../words/sentences.ts';
import type { Connection } from '../../schema/database.ts';

/**
 * Entries on changes, and on views of photos and people's features. Rows are only added, and are
 * removed only from the old end of their chain.
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

/**
 * Characters of each field that are kept, so that what strangers choose (a path, a name) has a
 * bound.
 */
const auditCharactersMax = { actor: 80, role: 16, address: 64, action: 160, subject: 200 } as const;

/** Characters of the code and values of a subject; longer ones are left out. */
const saidCharactersMax = 2000;

/** Stands for the previous hash in the first entry of a chain. */
const noHashBefore = '0'.repeat(64);

/** An entry as it is hashed and stored. */
interface ChainedEntry extends Omit<AuditNote, 'said'> {
  readonly id: number;
  readonly at: number;
  readonly lastAt: number | null;
  readonly count: number;
  readonly said: string | null;
}

export const chainOf = ({ outcome, read }: Pick<AuditNote, 'outcome' | 'read'>): AuditChain =>
  outcome === 'refused' ? 'refused' : read ? 'read' : 'done';

/**
 * Cuts the fields to their bounds. Control characters and lone surrogates become U+FFFD, so that
 * the text that is read back is the text that was hashed.
 */
export function bounded<Note extends AuditNote>(note: Note): Note {
  const cut = (field: keyof typeof auditCharactersMax) => boundedText(note[field], auditCharactersMax[field]);
  const [actor, role, address] = [cut('actor'), cut('role'), cut('address')];
  const said = (codedText(note.said)?.length ?? 0) > saidCharactersMax ? undefined : note.said;
  return { ...note, actor, role, address, action: cut('action'), subject: cut('subject'), said };
}

function boundedText(text: string, charactersMax: number): string {
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
  return cut.replace(/[\u0000-\u001f\u007f]/g, '\ufffd').toWellFormed();
}

/**
 * SHA-256 (hexadecimal) over a JSON list: anybody can compute it again from an export
 * (docs/operating.md).
 */
export function entryHash(before: string, chain: AuditChain, entry: ChainedEntry): string {
  const { id, at, lastAt, count, actor, role, address, action, subject, said, outcome } = entry;
  const fields = [before, chain, id, at, lastAt, count, actor, role, address, action, subject, said, outcome];
  return hash('sha256', JSON.stringify(fields), 'hex');
}

type Database = Pick<Connection, 'sql'>;

/**
 * Rows that a chain holds at most; with about 300 bytes each that is 60 MB, 30 MB and 6 MB. When
 * there are more, the oldest tenth goes.
 */
const auditRowsMax: Readonly<Record<AuditChain, number>> = { done: 200_000, read: 100_000, refused: 20_000 };
/** On a full disk so many of the newest stay. */
const keptOnFullDisk = 1000;
const dayMs = 24 * 3600_000;
/** The actor of removals: a role that nobody has. */
const theBox = { actor: 'box', role: 'box', address: '', outcome: 'done' } as const;

interface ChainRow {
  readonly begin_id: number;
  readonly begin_hash: string;
  readonly head_id: number;
  readonly head_hash: string;
}

/**
 * Appends one entry to its chain and returns its number. `count`: how often it happened from `at`
 * to `lastAt`.
 */
export function appendAudit(
  database: Database,
  note: AuditNote & { readonly at: number; readonly lastAt?: number | null; readonly count?: number },
): number {
  const { sql } = database;
  const chain = chainOf(note);
  const { head_hash: before } = chainRow(database, chain, note.at);
  const { said, ...kept } = bounded(note);
  const numbered = { id: lastId(database) + 1, lastAt: note.lastAt ?? null, count: note.count ?? 1 };
  const entry = { ...kept, ...numbered, said: codedText(said) };
  const hash = entryHash(before, chain, entry);
  sql(
    `INSERT INTO audit_entry (id, at, actor, role, address, action, subject, said, outcome, chain, count, last_at, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    entry.id,
    entry.at,
    entry.actor,
    entry.role,
    entry.address,
    entry.action,
    entry.subject,
    entry.said,
    entry.outcome,
    chain,
    entry.count,
    entry.lastAt,
    hash,
  );
  sql('UPDATE audit_chain SET head_id = ?, head_hash = ? WHERE chain = ?').run(entry.id, hash, chain);
  return entry.id;
}

/** A new chain begins after the entries of the others. */
function chainRow({ sql }: Database, chain: AuditChain, at: number): ChainRow {
  const row = sql('SELECT begin_id, begin_hash, head_id, head_hash FROM audit_chain WHERE chain = ?').get(chain);
  if (row) return row as unknown as ChainRow;
  const begin = lastId({ sql });
  sql(
    'INSERT INTO audit_chain (chain, begun_at, begin_id, begin_hash, head_id, head_hash) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(chain, at, begin, noHashBefore, begin, noHashBefore);
  return { begin_id: begin, begin_hash: noHashBefore, head_id: begin, head_hash: noHashBefore };
}

/**
 * Numbers are never used twice: they continue after those of removed entries, which the heads of
 * the chains still know.
 */
function lastId({ sql }: Database): number {
  const { last } = sql(
    'SELECT max(coalesce((SELECT max(id) FROM audit_entry), 0), coalesce((SELECT max(head_id) FROM audit_chain), 0)) AS last',
  ).get() as { last: number };
  return last;
}

/**
 * The daily work: removes entries older than `before`, and those that exceed the bound of a chain.
 * At most one entry a day and chain notes what was removed.
 */
export function retireAudit(database: Database, { before, now }: { before: number; now: number }): void {
  const { sql } = database;
  for (const chain of auditChains) {
    const overdue = sql('SELECT at FROM audit_entry WHERE chain = ? ORDER BY id LIMIT 1').get(chain) as
      | { at: number }
      | undefined;
    if (overdue && overdue.at < before - dayMs) {
      // Up to the first recent entry. A clock that was wrong for a while must neither keep the
      // chain for ever nor remove recent entries: entries from the future are skipped, and none
      // after a recent one is removed.
      const { through } = sql(
        `SELECT max(id) AS through FROM audit_entry WHERE chain = ?1 AND at < ?2 AND id < coalesce(
           (SELECT min(id) FROM audit_entry WHERE chain = ?1 AND at >= ?2 AND at <= ?3), 9007199254740991)`,
      ).get(chain, before, now + dayMs) as { through: number };
      removeThrough(database, chain, through, 'removed_after_year', now);
    }
    const max = auditRowsMax[chain];
    if (rows(database, chain) > max)
      removeThrough(database, chain, nthNewest(database, chain, max * 0.9), 'removed_over_max', now);
  }
}

/**
 * On a full disk: removes all but the newest entries of a chain, where that is worth it; never of
 * `done`. Returns how many were removed.
 */
export function dropAudit(database: Database, chain: 'read' | 'refused'): number {
  if (rows(database, chain) < keptOnFullDisk * 2) return 0;
  const { at: now } = database.sql('SELECT at FROM audit_entry ORDER BY id DESC LIMIT 1').get() as { at: number };
  return removeThrough(database, chain, nthNewest(database, chain, keptOnFullDisk), 'removed_for_room', now);
}

type Removal = 'removed_after_year' | 'removed_over_max' | 'removed_for_room';

/** Removes the old end of a chain; the chain begins after it from now on, and an entry says so. */
function removeThrough(database: Database, chain: AuditChain, through: number, why: Removal, at: number): number {
  const { sql } = database;
  const last = sql('SELECT id, hash FROM audit_entry WHERE chain = ? AND id <= ? ORDER BY id DESC LIMIT 1').get(
    chain,
    through,
  ) as { id: number; hash: string } | undefined;
  if (!last) return 0;
  const { changes } = sql('DELETE FROM audit_entry WHERE chain = ? AND id <= ?').run(chain, last.id);
  sql('UPDATE audit_chain SET begin_id = ?, begin_hash = ?, removed = removed + ? WHERE chain = ?').run(
    last.id,
    last.hash,
    changes,
    chain,
  );
  const removed = { removed: Number(changes), chain, last: last.id, hash: last.hash, max: auditRowsMax[chain] };
  appendAudit(database, {
    ...theBox,
    at,
    action: 'audit entries removed',
    ...subjectOf(ownSubjects.say(why, removed)),
  });
  return Number(changes);
}

const rows = ({ sql }: Database, chain: AuditChain): number =>
  (sql('SELECT count(*) AS count FROM audit_entry WHERE chain = ?').get(chain) as { count: number }).count;

/** The number of the newest entry that is not among the newest `n`. */
function nthNewest({ sql }: Database, chain: AuditChain, n: number): number {
  const row = sql('SELECT id FROM audit_entry WHERE chain = ? ORDER BY id DESC LIMIT 1 OFFSET ?').get(
    chain,
    Math.floor(n),
  ) as { id: number } | undefined;
  return row?.id ?? 0;
}
