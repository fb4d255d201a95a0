import { asc, count, desc, eq, isNotNull, max } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { isReservedName } from '../../platform/reserved-names.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../domain.ts';
import type { Connection } from '../schema/database.ts';
import { type Params, query } from '../schema/query.ts';

/** People who may log in at the box (CONTRACT 3, `users`). */
export const localUser = sqliteTable('local_user', {
  name: text().primaryKey(),
  /** Null if there is none to log in with. */
  passwordHash: text('password_hash'),
  /** `none`: can only sign in to other applications (OAuth), and sees nothing of the box. */
  role: text().$type<'admin' | 'staff' | 'viewer' | 'none'>().notNull(),
  headimgurl: text().notNull(),
});

/**
 * Purpose of a browser session: the admin pages, or signing in to other applications; never both.
 */
export type SessionPurpose = 'staff' | 'oauth';

/** People who are logged in at a browser. Only the hash of what the browser holds is stored. */
export const loginSession = sqliteTable(
  'login_session',
  {
    idHash: text('id_hash').primaryKey(),
    userName: text('user_name').notNull(),
    purpose: text().$type<SessionPurpose>().notNull(),
    /** Fingerprint of the password hash at login: a changed password ends the session. */
    credential: text().notNull(),
    openedAt: integer('opened_at').notNull(),
    seenAt: integer('seen_at').notNull(),
    endsAt: integer('ends_at').notNull(),
    address: text().notNull(),
    agent: text().notNull(),
  },
  table => [index('login_session_by_user').on(table.userName)],
);

/** Links people at the box to their cloud accounts. */
export const cloudPerson = sqliteTable('cloud_person', {
  openid: text().primaryKey(),
  userName: text('user_name').notNull(),
});

/** Somebody who may log in at the box. */
export type LocalUser = Readonly<typeof localUser.$inferSelect>;

/** Role of a person at the box. */
export type StaffRole = Exclude<LocalUser['role'], 'none'>;

type SessionRow = Readonly<typeof loginSession.$inferSelect>;

export interface LoginSession extends Omit<SessionRow, 'idHash' | 'userName'> {
  readonly user: LocalUser;
}

export type AccountStore = PartOf<typeof accounts>;

/** People and their sessions. Nothing that belongs to removed people is returned. */
function reads({ connection: { orm, seal } }: Reading) {
  const sessions = () =>
    orm
      .select({ session: loginSession, user: localUser })
      .from(loginSession)
      .innerJoin(localUser, eq(localUser.name, loginSession.userName));
  const sessionByHash = query((value: Params<{ idHash: string }>) =>
    sessions().where(eq(loginSession.idHash, value.idHash)),
  );
  const sessionsOf = query((value: Params<{ userName: string }>) =>
    sessions().where(eq(loginSession.userName, value.userName)).orderBy(desc(loginSession.seenAt)),
  );
  const userByName = query((value: Params<{ name: string }>) =>
    orm.select().from(localUser).where(eq(localUser.name, value.name)),
  );
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
  const sessionOf = ({ session: { userName: _, ...session }, user }: { session: SessionRow; user: LocalUser }) => ({
    ...session,
    user,
  });
  return {
    user: async (name: string): Promise<LocalUser | null> => userByName.get({ name }) ?? null,

    users: async (): Promise<(LocalUser & { readonly sessions: number; readonly seenAt: UnixMs | null })[]> =>
      users.all().map(({ user, ...seen }) => ({ ...user, ...seen })),

    hasUsers: async (): Promise<boolean> => someUser.get() !== undefined,

    async session(idHash: string): Promise<LoginSession | null> {
      const row = sessionByHash.get({ idHash });
      return row ? sessionOf(row) : null;
    },

    /** The sessions of a person, the one that was seen last first. */
    sessions: async (userName: string): Promise<(LoginSession & { idHash: string })[]> =>
      sessionsOf.all({ userName }).map(sessionOf),

    /** A MAC over a browser's number and a person's name, with a key of this store. */
    browserMark: async (nonce: string, userName: string): Promise<string> =>
      seal.fingerprint('known browser', `${nonce}\0${userName}`),
  };
}

/** Session ids are passed as their SHA-256. */
const writes = {
  openSession(
    { sql }: OperationContext,
    session: Omit<SessionRow, 'openedAt' | 'seenAt'> & { readonly at: UnixMs },
  ): void {
    sql(
      `INSERT INTO login_session (id_hash, user_name, purpose, credential, opened_at, seen_at, ends_at, address, agent)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      ...([session.idHash, session.userName, session.purpose, session.credential] as const),
      ...([session.at, session.at, session.endsAt, session.address, session.agent] as const),
    );
  },

  /**
   * Admits a person who signed in at the cloud: known from before, or a new one without role and
   * password. Returns the name at this box. A name that another person has here gets a number: the
   * two are not the same person.
   */
  admitCloudPerson(
    { sql }: OperationContext,
    { openid, name, headimgurl }: { openid: string; name: string; headimgurl: string },
  ): string {
    const known = sql(
      'SELECT p.user_name FROM cloud_person p JOIN local_user u ON u.name = p.user_name WHERE p.openid = ?',
    ).get(openid) as { user_name: string } | undefined;
    if (known) {
      sql('UPDATE local_user SET headimgurl = ? WHERE name = ?').run(headimgurl, known.user_name);
      return known.user_name;
    }
    const taken = (one: string): boolean =>
      sql('SELECT 1 FROM local_user WHERE lower(name) = lower(?)').get(one) !== undefined;
    // People choose their names at the cloud: none may appear in the audit log as somebody or
    // something else.
    const seen = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
    const plain = isReservedName(seen) ? `cloud account ${seen}`.trim() : seen;
    let own = plain;
    for (let no = 2; taken(own); no++) own = `${plain} ${no}`;
    sql("INSERT INTO local_user (name, password_hash, role, headimgurl) VALUES (?, NULL, 'none', ?)").run(
      own,
      headimgurl,
    );
    sql(
      'INSERT INTO cloud_person (openid, user_name) VALUES (?, ?) ON CONFLICT (openid) DO UPDATE SET user_name = excluded.user_name',
    ).run(openid, own);
    return own;
  },

  seeSession({ sql }: OperationContext, { idHash, at }: { idHash: string; at: UnixMs }): void {
    sql('UPDATE login_session SET seen_at = ? WHERE id_hash = ?').run(at, idHash);
  },

  /** Ends one session, or all of a person. Returns how many ended. */
  endSessions({ sql }: OperationContext, which: { idHash: string } | { userName: string }): number {
    const ended =
      'idHash' in which
        ? sql('DELETE FROM login_session WHERE id_hash = ?').run(which.idHash)
        : sql('DELETE FROM login_session WHERE user_name = ?').run(which.userName);
    return Number(ended.changes);
  },

  /** Deletes sessions that have ended, and those of people who were removed. */
  retireSessions({ sql }: OperationContext, { at }: { at: UnixMs }): void {
    sql('DELETE FROM login_session WHERE ends_at <= ? OR user_name NOT IN (SELECT name FROM local_user)').run(at);
  },

  /**
   * Adds a person, or changes the given fields of one. Returns false if nothing was done: `ifNone`
   * is set and there is an account already, or `keepsAdmin` is set and it is the last admin, whose
   * role would go.
   */
  putUser(
    context: OperationContext,
    {
      name,
      role,
      passwordHash,
      headimgurl,
      ifNone,
      keepsAdmin,
    }: {
      name: string;
      role?: LocalUser['role'];
      passwordHash?: string;
      headimgurl?: string;
      /** Only while there is no account: for the first one. */
      ifNone?: boolean;
      keepsAdmin?: boolean;
    },
  ): boolean {
    const { sql } = context;
    if (keepsAdmin && role !== undefined && role !== 'admin' && isLastAdmin(context, name)) return false;
    if (ifNone && sql('SELECT 1 FROM local_user WHERE password_hash IS NOT NULL LIMIT 1').get() !== undefined)
      return false;
    sql(
      `INSERT INTO local_user (name, password_hash, role, headimgurl)
         VALUES (?1, ?2, coalesce(?3, 'viewer'), coalesce(?4, ''))
         ON CONFLICT (name) DO UPDATE SET password_hash = coalesce(?2, local_user.password_hash), role = coalesce(?3, local_user.role),
           headimgurl = coalesce(?4, local_user.headimgurl)`,
    ).run(name, passwordHash ?? null, role ?? null, headimgurl ?? null);
    return true;
  },

  /**
   * Removes a person with sessions, tokens and grants. `last_admin`: nobody else could manage the
   * box, so nothing was done.
   */
  removeUser(context: OperationContext, { name }: { name: string }): 'removed' | 'unknown' | 'last_admin' {
    const { sql } = context;
    if (sql('SELECT 1 FROM local_user WHERE name = ?').get(name) === undefined) return 'unknown';
    if (isLastAdmin(context, name)) return 'last_admin';
    forgetPerson(context, name);
    sql('DELETE FROM local_user WHERE name = ?').run(name);
    return 'removed';
  },
};

/** Asked in the write that takes the admin away: two that go at once take turns here. */
function isLastAdmin({ sql }: OperationContext, name: string): boolean {
  const user = sql('SELECT role FROM local_user WHERE name = ?').get(name) as { role: string } | undefined;
  if (user?.role !== 'admin') return false;
  const others = sql(
    "SELECT 1 FROM local_user WHERE role = 'admin' AND password_hash IS NOT NULL AND name <> ? LIMIT 1",
  ).get(name);
  return others === undefined;
}

/**
 * Deletes everything of a person except the row itself, so that a later person of the same name
 * inherits nothing.
 */
export function forgetPerson({ sql }: Pick<Connection, 'sql'>, name: string): void {
  sql('DELETE FROM login_session WHERE user_name = ?').run(name);
  sql('DELETE FROM oauth_token WHERE grant_id IN (SELECT id FROM oauth_grant WHERE user_name = ?)').run(name);
  sql('DELETE FROM oauth_used_refresh WHERE grant_id IN (SELECT id FROM oauth_grant WHERE user_name = ?)').run(name);
  for (const table of ['oauth_grant', 'oauth_consent', 'oauth_code', 'cloud_person'])
    sql(`DELETE FROM ${table} WHERE user_name = ?`).run(name);
  sql('DELETE FROM admin_token WHERE made_by = ?').run(name);
}

export const accounts = { reads, writes };

export type AccountReads = ReadsOf<typeof accounts>;
export type AccountWrites = WritesOf<typeof accounts>;
