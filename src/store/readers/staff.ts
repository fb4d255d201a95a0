import { auditRows, verifyAudit } from '../audit/verify.ts';
import type { LocalUser } from '../port/accounts.ts';
import type { AdminToken, AuditEntry, StaffReads, StaffRole } from '../port/staff.ts';
import type { Connection } from '../schema/database.ts';
import { keptDays } from '../writer/kept-days.ts';

const rank: Readonly<Record<StaffRole, number>> = { viewer: 0, staff: 1, admin: 2 };

const tokenColumns = 'id, name, role, made_by AS madeBy, made_at AS madeAt, ends_at AS endsAt, used_at AS usedAt';

const lookedAtMax = 20_000;
/** About what goes with a row beside its text. */
const logRowBytes = 40;
const sizes = {
  records: `SELECT length(sealed_records) AS bytes FROM segment WHERE received_to < ? ORDER BY first_seq LIMIT ${lookedAtMax}`,
  logs: `SELECT octet_length(text) + ${logRowBytes} AS bytes FROM device_log WHERE received_at < ? ORDER BY seq LIMIT ${lookedAtMax}`,
  files: `SELECT bytes FROM file WHERE stored_at < ? AND waits = 0 LIMIT ${lookedAtMax}`,
} as const;

/** Who manages the box, with what, and what they did. */
export function staffReads(connection: Connection): StaffReads {
  const { sql } = connection;
  return {
    keptDays: async () => keptDays(connection),

    async olderThan(what, before) {
      const { items, bytes } = sql(
        `SELECT count(*) AS items, coalesce(sum(bytes), 0) AS bytes FROM (${sizes[what]})`,
      ).get(before) as { items: number; bytes: number };
      return { items, bytes, at_least: items >= lookedAtMax };
    },

    auditRows: () => auditRows(connection),
    verifyAudit: kept => verifyAudit(connection, kept),

    async users() {
      const rows = sql(
        `SELECT u.name, u.password_hash AS passwordHash,
           CASE u.has_role WHEN 0 THEN 'none' ELSE u.role END AS role, u.headimgurl, count(s.id_hash) AS sessions, max(s.seen_at) AS seenAt
           FROM local_user u LEFT JOIN login_session s ON s.user_name = u.name GROUP BY u.name ORDER BY u.name`,
      ).all();
      return rows.map(row => ({ ...row })) as unknown as (LocalUser & { sessions: number; seenAt: number | null })[];
    },

    async hasUsers() {
      return sql('SELECT 1 FROM local_user WHERE password_hash IS NOT NULL LIMIT 1').get() !== undefined;
    },

    async tokens() {
      const rows = sql(`SELECT ${tokenColumns} FROM admin_token ORDER BY id`).all();
      return rows.map(row => ({ ...row })) as unknown as AdminToken[];
    },

    async token(tokenHash) {
      const row = sql(
        `SELECT ${tokenColumns}, (SELECT CASE has_role WHEN 0 THEN 'none' ELSE role END FROM local_user WHERE name = made_by) AS makersRole
           FROM admin_token WHERE token_hash = ?`,
      ).get(tokenHash);
      if (!row) return null;
      const { makersRole, ...token } = row as unknown as AdminToken & { makersRole: LocalUser['role'] | null };
      // Made by no person: by a command on the box, or, before accounts were noted, by another
      // token.
      if (token.madeBy === 'command' || token.madeBy.startsWith('token ')) return token;
      if (makersRole === null || makersRole === 'none') return null;
      return { ...token, role: rank[makersRole] < rank[token.role] ? makersRole : token.role };
    },

    async auditEntries({ before, limit, actor, text }) {
      // One person's entries are read by their index, everybody's by their order.
      const rows = sql(
        `SELECT id, at, actor, role, address, action, subject, outcome, count, last_at AS lastAt FROM audit_entry
           WHERE id < ?1 AND ${actor === undefined ? '?2 IS NULL' : 'actor = ?2'}
             AND (?3 IS NULL OR instr(lower(action || ' ' || subject), lower(?3)) > 0)
           ORDER BY id DESC LIMIT ?4`,
      ).all(before ?? Number.MAX_SAFE_INTEGER, actor ?? null, text ?? null, limit);
      return rows.map(row => ({ ...row })) as unknown as AuditEntry[];
    },
  };
}
