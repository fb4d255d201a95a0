import { asc, count, eq, getTableColumns, isNotNull, max } from 'drizzle-orm';
import { auditRows, verifyAudit } from '../audit/verify.ts';
import type { AdminToken, AuditEntry, StaffReads, StaffRole } from '../port/staff.ts';
import type { Connection } from '../schema/database.ts';
import { adminToken, localUser, loginSession } from '../schema/index.ts';
import { type Params, query } from '../schema/query.ts';
import { keptDays } from '../writer/kept-days.ts';
import { userOf } from './accounts.ts';

const rank: Readonly<Record<StaffRole, number>> = { viewer: 0, staff: 1, admin: 2 };

const { tokenHash: _tokenHash, ...tokenColumns } = getTableColumns(adminToken);

const lookedAtMax = 20_000;
/** Of up to a thousand logs each. */
const blocksLookedAtMax = 5_000;
const sizes = {
  records: `SELECT 1 AS items, length(sealed_records) AS bytes FROM segment WHERE received_to < ? ORDER BY first_seq LIMIT ${lookedAtMax}`,
  logs: `SELECT log_block.count AS items, length(sealed_logs) AS bytes FROM log_block JOIN log_block_content USING (first_seq)
    WHERE received_to < ? ORDER BY first_seq LIMIT ${blocksLookedAtMax}`,
  files: `SELECT 1 AS items, bytes FROM file WHERE stored_at < ? AND waits = 0 LIMIT ${lookedAtMax}`,
} as const;

/** Reads about accounts, tokens and the audit log. */
export function staffReads(connection: Connection): StaffReads {
  const { sql, orm } = connection;
  const users = query(() =>
    orm
      .select({ user: localUser, sessions: count(loginSession.idHash), seenAt: max(loginSession.seenAt) })
      .from(localUser)
      .leftJoin(loginSession, eq(loginSession.userName, localUser.name))
      .groupBy(localUser.name)
      .orderBy(asc(localUser.name)),
  );
  const someUser = query(() =>
    orm.select({ name: localUser.name }).from(localUser).where(isNotNull(localUser.passwordHash)).limit(1),
  );
  const tokens = query(() => orm.select(tokenColumns).from(adminToken).orderBy(asc(adminToken.id)));
  const tokenByHash = query((value: Params<{ tokenHash: string }>) =>
    orm
      .select({ token: tokenColumns, maker: localUser })
      .from(adminToken)
      .leftJoin(localUser, eq(localUser.name, adminToken.madeBy))
      .where(eq(adminToken.tokenHash, value.tokenHash)),
  );

  return {
    keptDays: async () => keptDays(connection),

    async olderThan(what, before) {
      const sum = sql(
        `SELECT count(*) AS rows, coalesce(sum(items), 0) AS items, coalesce(sum(bytes), 0) AS bytes FROM (${sizes[what]}) AS looked`,
      ).get(before) as { rows: number; items: number; bytes: number };
      const most = what === 'logs' ? blocksLookedAtMax : lookedAtMax;
      return { items: sum.items, bytes: sum.bytes, at_least: sum.rows >= most };
    },

    auditRows: () => auditRows(connection),
    verifyAudit: kept => verifyAudit(connection, kept),

    async users() {
      return users.all().map(({ user, sessions, seenAt }) => ({ ...userOf(user), sessions, seenAt }));
    },

    async hasUsers() {
      return someUser.get() !== undefined;
    },

    async tokens() {
      return tokens.all().map(tokenOf);
    },

    async token(tokenHash) {
      const row = tokenByHash.get({ tokenHash });
      if (!row) return null;
      const token = tokenOf(row.token);
      const { maker } = row;
      // Not made by a person: by a command on the box, or, before accounts were stored, by another
      // token.
      if (token.madeBy === 'command' || token.madeBy.startsWith('token ')) return token;
      const role = maker ? userOf(maker).role : 'none';
      if (role === 'none') return null;
      if (token.role === 'events')
        return role === 'admin' ? token : { ...token, events: token.events && { ...token.events, actions: [] } };
      return { ...token, role: rank[role] < rank[token.role] ? role : token.role };
    },

    async auditEntries({ before, limit, actor, text }) {
      // One person's entries are read by an index, everybody's in their order.
      const rows = sql(
        `SELECT id, at, actor, role, address, action, subject, outcome, count, last_at AS lastAt FROM audit_entry
           WHERE id < ?1 AND ${actor === undefined ? 'CAST(?2 AS TEXT) IS NULL' : 'actor = ?2'}
             AND (CAST(?3 AS TEXT) IS NULL OR instr(lower(action || ' ' || subject), lower(?3)) > 0)
           ORDER BY id DESC LIMIT ?4`,
      ).all(before ?? Number.MAX_SAFE_INTEGER, actor ?? null, text ?? null, limit);
      return rows.map(row => ({ ...row })) as unknown as AuditEntry[];
    },
  };
}

/** A row of the table. */
interface TokenRow extends Omit<AdminToken, 'events'> {
  readonly topics: string | null;
  readonly actions: string | null;
}

const tokenOf = ({ topics, actions, ...token }: TokenRow): AdminToken => ({
  ...token,
  events: token.role === 'events' ? { topics: JSON.parse(topics ?? '[]'), actions: JSON.parse(actions ?? '[]') } : null,
});
