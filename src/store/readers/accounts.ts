import { and, desc, eq, getTableColumns } from 'drizzle-orm';
import type { AccountReads, LocalUser } from '../port/accounts.ts';
import type { Connection } from '../schema/database.ts';
import { localUser, loginSession, oauthClient, oauthConsent, oauthGrant, oauthToken } from '../schema/index.ts';
import { type Params, query, queryFor } from '../schema/query.ts';
import { openOptional, places } from './rows.ts';

type UserRow = typeof localUser.$inferSelect;

export const userOf = ({ name, passwordHash, role, headimgurl }: UserRow): LocalUser => ({
  name,
  passwordHash,
  role,
  headimgurl,
});

const sessionOf = ({
  session: { userName: _userName, ...session },
  user,
}: {
  session: typeof loginSession.$inferSelect;
  user: UserRow;
}) => ({ ...session, user: userOf(user) });

/**
 * People, their sessions, and the tokens of OAuth clients. Nothing that belongs to removed people
 * is returned.
 */
export function accountReads({ orm, seal }: Connection): AccountReads {
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
  const clientById = query((value: Params<{ clientId: string }>) =>
    orm.select().from(oauthClient).where(eq(oauthClient.clientId, value.clientId)),
  );
  const consents = query((value: Params<{ clientId: string; userName: string }>) =>
    orm
      .select({ scope: oauthConsent.scope })
      .from(oauthConsent)
      .where(and(eq(oauthConsent.clientId, value.clientId), eq(oauthConsent.userName, value.userName))),
  );
  const tokenByHash = query((value: Params<{ tokenHash: string }>) =>
    orm
      .select({ user: localUser, grant: oauthGrant, token: oauthToken })
      .from(oauthToken)
      .innerJoin(oauthGrant, eq(oauthGrant.id, oauthToken.grantId))
      .innerJoin(localUser, eq(localUser.name, oauthGrant.userName))
      .innerJoin(oauthClient, eq(oauthClient.clientId, oauthGrant.clientId))
      .where(eq(oauthToken.tokenHash, value.tokenHash)),
  );
  const { refreshHash: _refreshHash, ...grantColumns } = getTableColumns(oauthGrant);
  const grants = queryFor((of: 'everybody' | 'user', value: Params<{ userName: string }>) =>
    orm
      .select(grantColumns)
      .from(oauthGrant)
      .where(of === 'everybody' ? undefined : eq(oauthGrant.userName, value.userName))
      .orderBy(desc(oauthGrant.usedAt)),
  );

  return {
    async user(name) {
      const row = userByName.get({ name });
      return row ? userOf(row) : null;
    },

    async session(idHash) {
      const row = sessionByHash.get({ idHash });
      return row ? sessionOf(row) : null;
    },

    async sessions(userName) {
      return sessionsOf.all({ userName }).map(sessionOf);
    },

    async oauthClient(clientId) {
      const row = clientById.get({ clientId });
      if (!row) return null;
      const { name, logoUrl, redirectUris } = row;
      const secret = openOptional(seal, row.sealedSecret, places.clientSecret(clientId));
      return { clientId, secret, name, logoUrl, redirectUris };
    },

    async consent(clientId, userName) {
      return consents.get({ clientId, userName })?.scope ?? null;
    },

    async accessToken(tokenHash) {
      const row = tokenByHash.get({ tokenHash });
      if (!row) return null;
      const { user, grant, token } = row;
      return { user: userOf(user), clientId: grant.clientId, scope: grant.scope, expiresAt: token.expiresAt };
    },

    async grants(userName) {
      return grants(userName === null ? 'everybody' : 'user').all({ userName: userName ?? '' });
    },

    async nextRefreshToken(token) {
      return ['first', 'second'].map(half => seal.fingerprint(`next refresh token, ${half} half`, token)).join('');
    },

    async browserMark(nonce, userName) {
      return seal.fingerprint('known browser', `${nonce}\0${userName}`);
    },

    async openid(clientId, userName) {
      return seal.fingerprint('openid', `${clientId}\0${userName}`);
    },
  };
}
