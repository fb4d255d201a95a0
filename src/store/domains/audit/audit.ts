import { setImmediate } from 'node:timers/promises';
import { type AuditChain, type AuditHead, auditChains } from '../../../platform/audit-heads.ts';
import type { UnixMs } from '../../../runtime/clock.ts';
import { type Reason, type Why, whyOf } from '../../../words/sentences.ts';
import { auditFaults } from '../../../words/store.ts';
import type { Reading, ReadsOf, WritesOf } from '../../domain.ts';
import type { Connection } from '../../schema/database.ts';
import { type AuditEntry, type AuditRow, appendAudit, entryHash, retireAudit } from './entries.ts';

interface AuditVerdict {
  readonly holds: boolean;
  /** The first entry that fails the check; `chain` null: it is in none. */
  readonly broken: ({ readonly id: number; readonly chain: AuditChain | null } & Why) | null;
  readonly chains: readonly {
    readonly chain: AuditChain;
    readonly entries: number;
    /** The number of the last entry before it. */
    readonly begins_after: number;
    readonly begun_at: UnixMs;
    /**
     * How many were removed from its old end; for each removal an entry in `done` says when and
     * why.
     */
    readonly removed: number;
    readonly head: AuditHead;
  }[];
  /** Given heads that are older than the oldest entry of their chain: they cannot be checked. */
  readonly kept_gone: readonly AuditHead[];
}

const pageRows = 500;
/** Of which only the chain is looked at. */
const rangeRows = 10_000;
/** Retention may take entries while they are read: then that chain is read again. */
const triesMax = 3;

interface ChainRow {
  readonly begun_at: number;
  readonly begin_id: number;
  readonly begin_hash: string;
  readonly head_id: number;
  readonly head_hash: string;
  readonly removed: number;
}

const columns =
  'id, at, last_at AS lastAt, count, actor, role, address, action, subject, said, outcome, chain, hash' as const;

/**
 * Checks that each entry still is what was written: every chain from its first entry to its head,
 * and the heads that were kept elsewhere. It reads in pages, so that other work can run in between.
 * It detects entries that were changed, removed or inserted by editing the file. If somebody
 * computes the whole chain again, only the kept heads show it.
 */
async function verifyAudit(connection: Connection, kept: readonly AuditHead[] = []): Promise<AuditVerdict> {
  const { sql } = connection;
  const chains: AuditVerdict['chains'][number][] = [];
  let broken: AuditVerdict['broken'] = null;
  const breaks = (id: number, chain: AuditChain | null, why: Reason) => {
    if (broken === null || id < broken.id) broken = { id, chain, ...whyOf(why) };
  };
  for (const chain of auditChains) {
    for (let attempt = 1; ; attempt++) {
      const row = chainRow(connection, chain);
      if (!row) break;
      const found = await walk(connection, chain, row);
      if (found.broken && chainRow(connection, chain)?.begin_id !== row.begin_id && attempt < triesMax) continue;
      if (found.broken) breaks(found.broken.id, chain, found.broken.why);
      chains.push({
        chain,
        entries: found.entries,
        begins_after: row.begin_id,
        begun_at: row.begun_at,
        removed: row.removed,
        head: { chain, id: row.head_id, hash: row.head_hash },
      });
      break;
    }
  }
  const putIn = await firstOutside(connection);
  if (putIn !== null) breaks(putIn, null, auditFaults.say('in_no_chain'));
  const gone: AuditHead[] = [];
  for (const head of kept) {
    const row = chainRow(connection, head.chain);
    if (row && head.id < row.begin_id) {
      gone.push(head);
      continue;
    }
    const stored = sql('SELECT hash FROM audit_entry WHERE id = ? AND chain = ?').get(head.id, head.chain);
    const hash = row && head.id === row.begin_id ? row.begin_hash : (stored as { hash: string } | undefined)?.hash;
    if (hash !== head.hash) breaks(head.id, head.chain, auditFaults.say('not_the_kept_hash'));
  }
  return { holds: broken === null, broken, chains, kept_gone: gone };
}

const chainRow = ({ sql }: Connection, chain: AuditChain): ChainRow | undefined =>
  sql('SELECT * FROM audit_chain WHERE chain = ?').get(chain) as ChainRow | undefined;

async function walk(
  { sql }: Connection,
  chain: AuditChain,
  { begin_id, begin_hash, head_id, head_hash }: ChainRow,
): Promise<{ entries: number; broken: { id: number; why: Reason } | null }> {
  let after = begin_id;
  let before = begin_hash;
  let entries = 0;
  for (;;) {
    const page = sql(
      `SELECT ${columns} FROM audit_entry WHERE chain = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?`,
    ).all(chain, after, head_id, pageRows) as unknown as AuditRow[];
    for (const row of page) {
      if (row.hash !== entryHash(before, chain, row)) {
        return {
          entries,
          broken: {
            id: row.id,
            why:
              after === begin_id
                ? auditFaults.say('does_not_follow_begin')
                : auditFaults.say('does_not_follow', { entry: after }),
          },
        };
      }
      before = row.hash;
      after = row.id;
      entries++;
    }
    if (page.length < pageRows) break;
    await setImmediate();
  }
  if (after !== head_id || before !== head_hash)
    return { entries, broken: { id: head_id, why: auditFaults.say('end_cut_off') } };
  return { entries, broken: null };
}

/** The first entry that is in no chain. Looked for in ranges: there may be millions of entries. */
async function firstOutside({ sql }: Connection): Promise<number | null> {
  const { last } = sql('SELECT coalesce(max(id), 0) AS last FROM audit_entry').get() as { last: number };
  for (let after = 0; after < last; after += rangeRows) {
    const { first } = sql(
      `SELECT min(id) AS first FROM audit_entry WHERE id > ? AND id <= ? AND NOT EXISTS
         (SELECT 1 FROM audit_chain WHERE audit_chain.chain = audit_entry.chain AND audit_entry.id BETWEEN begin_id AND head_id)`,
    ).get(after, after + rangeRows) as { first: number | null };
    if (first !== null) return first;
    await setImmediate();
  }
  return null;
}

/** All entries, oldest first, a page at a time. */
async function* auditRows({ sql }: Connection): AsyncGenerator<AuditRow> {
  for (let after = 0; ; ) {
    const page = sql(`SELECT ${columns} FROM audit_entry WHERE id > ? ORDER BY id LIMIT ?`).all(
      after,
      pageRows,
    ) as unknown as AuditRow[];
    for (const row of page) yield { ...row };
    if (page.length < pageRows) return;
    after = page.at(-1)!.id;
    await setImmediate();
  }
}

/** The log of who changed what at the box, and who looked at what of people. */
export const auditLog = {
  reads: ({ connection }: Reading) => ({
    /** Newest first; `before`: an id. */
    async auditEntries({
      before,
      limit,
      actor,
      text,
    }: {
      before?: number;
      limit: number;
      actor?: string;
      text?: string;
    }): Promise<AuditEntry[]> {
      // One person's entries are read by an index, everybody's in their order.
      const rows = connection
        .sql(
          `SELECT id, at, actor, role, address, action, subject, said, outcome, count, last_at AS lastAt FROM audit_entry
             WHERE id < ?1 AND ${actor === undefined ? 'CAST(?2 AS TEXT) IS NULL' : 'actor = ?2'}
               AND (CAST(?3 AS TEXT) IS NULL OR instr(lower(action || ' ' || subject), lower(?3)) > 0)
             ORDER BY id DESC LIMIT ?4`,
        )
        .all(before ?? Number.MAX_SAFE_INTEGER, actor ?? null, text ?? null, limit);
      return rows.map(row => ({ ...row })) as unknown as AuditEntry[];
    },

    /** Oldest first. */
    auditRows: (): AsyncIterable<AuditRow> => auditRows(connection),

    /**
     * Computes every hash again; `kept`: heads that were kept elsewhere. Takes seconds for a full
     * log, during which other work goes on.
     */
    verifyAudit: (kept?: readonly AuditHead[]): Promise<AuditVerdict> => verifyAudit(connection, kept),
  }),

  writes: {
    /**
     * Adds an entry and returns its number. Parts call `store.audit` instead, which counts repeats
     * and holds entries while the disk is full.
     */
    audit: appendAudit,
    retireAudit,
  },
};

export type AuditReads = ReadsOf<typeof auditLog>;
export type AuditWrites = WritesOf<typeof auditLog>;
