import { asc, eq, getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { UnixMs } from '../../runtime/clock.ts';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../domain.ts';
import { type Params, query } from '../schema/query.ts';
import { localUser, type StaffRole } from './accounts.ts';

/** A program of the site that hears events has a token of role `events`, and nothing else. */
export type TokenRole = StaffRole | 'events';

/**
 * Bearer tokens of the admin API, and those of the site's own programs (role `events`). Only their
 * hashes are stored.
 */
export const adminToken = sqliteTable('admin_token', {
  id: integer().primaryKey({ autoIncrement: true }),
  tokenHash: text('token_hash').notNull().unique(),
  name: text().notNull(),
  role: text().$type<TokenRole>().notNull(),
  /** The account that made it, with which it ends; `command` for the socket of the box. */
  madeBy: text('made_by').notNull(),
  madeAt: integer('made_at').notNull(),
  endsAt: integer('ends_at').notNull(),
  usedAt: integer('used_at'),
  /** Of role `events`: the filters that it may subscribe to, as a JSON array; else null. */
  topics: text(),
  /** Of role `events`: the action codes that it may send to devices, as a JSON array; else null. */
  actions: text(),
});

/** Rights of a token of role `events`. */
export interface EventRights {
  /** Filters of topics that it may subscribe to. */
  readonly topics: readonly string[];
  /** Action codes that it may send to devices. */
  readonly actions: readonly number[];
}

const { tokenHash: _tokenHash, ...tokenColumns } = getTableColumns(adminToken);
type TokenRow = Omit<typeof adminToken.$inferSelect, 'tokenHash'>;

/** A bearer token of the admin API, or one of the site's own programs. */
export interface AdminToken extends Readonly<Omit<TokenRow, 'topics' | 'actions'>> {
  /** Rights; null if the role is not `events`. */
  readonly events: EventRights | null;
}

const tokenOf = ({ topics, actions, ...token }: TokenRow): AdminToken => ({
  ...token,
  events: token.role === 'events' ? { topics: JSON.parse(topics ?? '[]'), actions: JSON.parse(actions ?? '[]') } : null,
});

const rank: Readonly<Record<StaffRole, number>> = { viewer: 0, staff: 1, admin: 2 };

export type TokenStore = PartOf<typeof tokens>;

export const tokens = {
  reads({ connection: { orm } }: Reading) {
    const all = query(() => orm.select(tokenColumns).from(adminToken).orderBy(asc(adminToken.id)));
    const byHash = query((value: Params<{ tokenHash: string }>) =>
      orm
        .select({ token: tokenColumns, maker: localUser })
        .from(adminToken)
        .leftJoin(localUser, eq(localUser.name, adminToken.madeBy))
        .where(eq(adminToken.tokenHash, value.tokenHash)),
    );
    return {
      tokens: async (): Promise<AdminToken[]> => all.all().map(tokenOf),

      /**
       * Its role is at most that of the account that made it, and it sends nothing to devices if
       * that account is no admin any more. Null: there is no such token, or that account was
       * removed or has no role.
       */
      async token(tokenHash: string): Promise<AdminToken | null> {
        const row = byHash.get({ tokenHash });
        if (!row) return null;
        const token = tokenOf(row.token);
        // Not made by a person: by a command on the box, or, before accounts were stored, by
        // another token.
        if (token.madeBy === 'command' || token.madeBy.startsWith('token ')) return token;
        const role = row.maker?.role ?? 'none';
        if (role === 'none') return null;
        if (token.role === 'events')
          return role === 'admin' ? token : { ...token, events: token.events && { ...token.events, actions: [] } };
        return { ...token, role: rank[role] < rank[token.role] ? role : token.role };
      },
    };
  },

  writes: {
    /** `events`: of role `events`. Returns the id of the token. */
    makeToken(
      { sql }: OperationContext,
      token: Pick<AdminToken, 'name' | 'role' | 'madeBy' | 'endsAt'> & {
        tokenHash: string;
        events?: EventRights;
        at: UnixMs;
      },
    ): number {
      const { id } = sql(
        'INSERT INTO admin_token (token_hash, name, role, made_by, made_at, ends_at, topics, actions) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id',
      ).get(
        ...[token.tokenHash, token.name, token.role, token.madeBy, token.at, token.endsAt],
        token.events ? JSON.stringify(token.events.topics) : null,
        token.events ? JSON.stringify(token.events.actions) : null,
      ) as { id: number };
      return id;
    },

    seeToken({ sql }: OperationContext, { id, at }: { id: number; at: UnixMs }): void {
      sql('UPDATE admin_token SET used_at = ? WHERE id = ?').run(at, id);
    },

    /** Returns whether there was such a token. */
    removeToken: ({ sql }: OperationContext, { id }: { id: number }): boolean =>
      Number(sql('DELETE FROM admin_token WHERE id = ?').run(id).changes) > 0,
  },
};

export type TokenReads = ReadsOf<typeof tokens>;
export type TokenWrites = WritesOf<typeof tokens>;
