import type { AuditHead } from '../../../platform/audit-heads.ts';
import type { Reading, ReadsOf, WritesOf } from '../../domain.ts';
import type { AuditEntry, AuditRow } from './tables.ts';
import { type AuditVerdict, auditRows, verifyAudit } from './verify.ts';
import { appendAudit, retireAudit } from './write.ts';

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
