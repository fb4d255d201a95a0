import { and, desc, eq, getTableColumns } from 'drizzle-orm';
import type { AccountReads, LocalUser } from '../port/accounts.ts';
import type { Connection } from '../schema/database.ts';
import { localUser, loginSession, oauthClient, oauthConsent, oauthGrant, oauthToken } from '../schema/index.ts';
import { places } from './rows.ts';

type UserRow = typeof localUser.$inferSelect;

export const userOf = ({ name, passwordHash, role, headimgurl, hasRole }: UserRow): LocalUser => ({
  name,
  passwordHash,
  role: hasRole === 0 ? 'none' : role,
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
 * People, their sessions, and what OAuth clients hold. What belongs to somebody who is gone is not
 * returned.
 */
export function accountReads({ orm, seal }: Connection): AccountReads {
  const sessions = () =>
    orm
      .select({ session: loginSession, user: localUser })
      .from(loginSession)
      .innerJoin(localUser, eq(localUser.name, loginSession.userName));

  return {
    async user(name) {
      const row = orm.select().from(localUser).where(eq(localUser.name, name)).get();
      return row ? userOf(row) : null;
    },

    async session(idHash) {
      const row = sessions().where(eq(loginSession.idHash, idHash)).get();
      return row ? sessionOf(row) : null;
    },

    async sessions(userName) {
      const own = sessions().where(eq(loginSession.userName, userName));
      return own.orderBy(desc(loginSession.seenAt)).all().map(sessionOf);
    },

    async oauthClient(clientId) {
      const row = orm.select().from(oauthClient).where(eq(oauthClient.clientId, clientId)).get();
      if (!row) return null;
      const { name, logoUrl, redirectUris } = row;
      const secret = row.public === 1 ? null : seal.openText(row.sealedSecret, places.clientSecret(clientId));
      return { clientId, secret, name, logoUrl, redirectUris };
    },

    async consent(clientId, userName) {
      const ofConsent = and(eq(oauthConsent.clientId, clientId), eq(oauthConsent.userName, userName));
      return orm.select({ scope: oauthConsent.scope }).from(oauthConsent).where(ofConsent).get()?.scope ?? null;
    },

    async accessToken(tokenHash) {
      const row = orm
        .select({ user: localUser, grant: oauthGrant, token: oauthToken })
        .from(oauthToken)
        .innerJoin(oauthGrant, eq(oauthGrant.id, oauthToken.grantId))
        .innerJoin(localUser, eq(localUser.name, oauthGrant.userName))
        .innerJoin(oauthClient, eq(oauthClient.clientId, oauthGrant.clientId))
        .where(eq(oauthToken.tokenHash, tokenHash))
        .get();
      if (!row) return null;
      const { user, grant, token } = row;
      return { user: userOf(user), clientId: grant.clientId, scope: grant.scope, expiresAt: token.expiresAt };
    },

    async grants(userName) {
      const { refreshHash: _refreshHash, ...columns } = getTableColumns(oauthGrant);
      return orm
        .select(columns)
        .from(oauthGrant)
        .where(userName === null ? undefined : eq(oauthGrant.userName, userName))
        .orderBy(desc(oauthGrant.usedAt))
        .all();
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
