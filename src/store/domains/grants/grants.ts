import { and, desc, eq, getTableColumns } from 'drizzle-orm';
import type { UnixMs } from '../../../runtime/clock.ts';
import type { PartOf, Reading, ReadsOf, WritesOf } from '../../domain.ts';
import { openOptional } from '../../readers/rows.ts';
import { type Params, query, queryFor } from '../../schema/query.ts';
import { type LocalUser, localUser } from '../accounts.ts';
import { clientSecretPlace, oauthClient, oauthConsent, oauthGrant, oauthToken } from './tables.ts';
import * as writes from './writes.ts';

export interface OAuthClient
  extends Readonly<Omit<typeof oauthClient.$inferSelect, 'sealedSecret' | 'needsRedirectUri'>> {
  /** Secret; null for a public client (RFC 6749 2.1), which cannot keep one. */
  readonly secret: string | null;
}

const { refreshHash: _refreshHash, ...grantColumns } = getTableColumns(oauthGrant);

/** Permission that a person has given to a client. */
export type OAuthGrant = Readonly<Omit<typeof oauthGrant.$inferSelect, 'refreshHash'>>;

export type GrantStore = PartOf<typeof grants>;

/**
 * Clients, what people have allowed them, and their tokens. Nothing that belongs to removed people
 * is returned.
 */
function reads({ connection: { orm, seal } }: Reading) {
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
  const grantsOf = queryFor((of: 'everybody' | 'user', value: Params<{ userName: string }>) =>
    orm
      .select(grantColumns)
      .from(oauthGrant)
      .where(of === 'everybody' ? undefined : eq(oauthGrant.userName, value.userName))
      .orderBy(desc(oauthGrant.usedAt)),
  );
  return {
    async oauthClient(clientId: string): Promise<OAuthClient | null> {
      const row = clientById.get({ clientId });
      if (!row) return null;
      const { name, logoUrl, redirectUris } = row;
      const secret = openOptional(seal, row.sealedSecret, clientSecretPlace(clientId));
      return { clientId, secret, name, logoUrl, redirectUris };
    },

    /** The scope that the person has allowed the client; null: not asked yet. */
    consent: async (clientId: string, userName: string): Promise<string | null> =>
      consents.get({ clientId, userName })?.scope ?? null,

    async accessToken(
      tokenHash: string,
    ): Promise<{ user: LocalUser; clientId: string; scope: string; expiresAt: UnixMs } | null> {
      const row = tokenByHash.get({ tokenHash });
      if (!row) return null;
      const { user, grant, token } = row;
      return { user, clientId: grant.clientId, scope: grant.scope, expiresAt: token.expiresAt };
    },

    /** Those of a person, or of everybody; the one that was used last first. */
    grants: async (userName: string | null): Promise<OAuthGrant[]> =>
      grantsOf(userName === null ? 'everybody' : 'user').all({ userName: userName ?? '' }),

    /**
     * The successor of this refresh token: always the same, so that a lost answer can be repeated
     * although no token is stored.
     */
    nextRefreshToken: async (token: string): Promise<string> =>
      ['first', 'second'].map(half => seal.fingerprint(`next refresh token, ${half} half`, token)).join(''),

    /** Stable for a person at one client, and different at each client (SPEC 2.7). */
    openid: async (clientId: string, userName: string): Promise<string> =>
      seal.fingerprint('openid', `${clientId}\0${userName}`),
  };
}

/** Signing in to other applications with an account of the box (OAuth 2.0). */
export const grants = { reads, writes };

export type GrantReads = ReadsOf<typeof grants>;
export type GrantWrites = WritesOf<typeof grants>;
