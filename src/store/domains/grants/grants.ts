import { and, desc, eq, getTableColumns } from 'drizzle-orm';
import type { UnixMs } from '../../../runtime/clock.ts';
import type { OperationContext, PartOf, Reading, ReadsOf, WritesOf } from '../../domain.ts';
import { openOptional } from '../../schema/devices.ts';
import { type Params, query, queryFor } from '../../schema/query.ts';
import { type LocalUser, localUser } from '../accounts.ts';
import { clientSecretPlace, oauthClient, type oauthCode, oauthConsent, oauthGrant, oauthToken } from './tables.ts';

/** Writes of the grants. Tokens and codes are passed as their SHA-256. */

type Consent = Readonly<typeof oauthConsent.$inferSelect>;
type Code = Readonly<typeof oauthCode.$inferSelect>;

function giveConsent(
  { sql }: OperationContext,
  { clientId, userName, scope, at }: Omit<Consent, 'givenAt'> & { at: UnixMs },
): void {
  sql(
    `INSERT INTO oauth_consent (client_id, user_name, scope, given_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (client_id, user_name) DO UPDATE SET scope = excluded.scope, given_at = excluded.given_at`,
  ).run(clientId, userName, scope, at);
}

function issueCode({ sql }: OperationContext, code: Omit<Code, 'issuedAt' | 'grantId'> & { at: UnixMs }): void {
  sql(
    `INSERT INTO oauth_code (code_hash, client_id, user_name, redirect_uri, scope, challenge, issued_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(code.codeHash, code.clientId, code.userName, code.redirectUri, code.scope, code.challenge, code.at);
}

interface CodeRow {
  readonly client_id: string;
  readonly user_name: string;
  readonly redirect_uri: string;
  readonly scope: string;
  readonly challenge: string | null;
  readonly issued_at: number;
  readonly grant_id: number | null;
}

/**
 * Why a code gives no tokens. `used`: it was used before, and the tokens issued for it are now
 * revoked (RFC 9700 4.5).
 */
export type CodeRefusal = 'unknown' | 'expired' | 'used' | 'other_client' | 'redirect_uri' | 'verifier';

interface Redemption {
  readonly codeHash: string;
  readonly clientId: string;
  /** Address in the call; null if it names none. */
  readonly redirectUri: string | null;
  /** S256 of the verifier; null: the call has none. */
  readonly challenge: string | null;
  readonly tokenHash: string;
  readonly refreshHash: string;
  readonly at: UnixMs;
  readonly issuedAfter: UnixMs;
  readonly expiresAt: UnixMs;
}

interface Refresh {
  readonly refreshHash: string;
  readonly nextRefreshHash: string | null;
  readonly lostAfter: UnixMs;
  readonly clientId: string;
  readonly tokenHash: string;
  readonly at: UnixMs;
  readonly usedAfter: UnixMs;
  readonly expiresAt: UnixMs;
  readonly othersEndAt: UnixMs;
}

type Refreshed = { ok: true; scope: string } | { ok: false; why: 'unknown' | 'reused' };

const needsRedirectUri = ({ sql }: OperationContext, clientId: string): boolean =>
  sql('SELECT 1 FROM oauth_client WHERE client_id = ? AND needs_redirect_uri = 1').get(clientId) !== undefined;

/**
 * A code works once. A second use, or a use by another client, revokes the tokens issued for it,
 * because the code was stolen.
 */
function redeemCode(
  context: OperationContext,
  input: Redemption,
): { ok: true; scope: string } | { ok: false; why: CodeRefusal } {
  const { sql } = context;
  const code = sql('SELECT * FROM oauth_code WHERE code_hash = ?').get(input.codeHash) as CodeRow | undefined;
  if (!code) return { ok: false, why: 'unknown' };
  if (code.client_id !== input.clientId) return { ok: false, why: 'other_client' };
  if (code.grant_id !== null) {
    endGrant(context, code.grant_id);
    return { ok: false, why: 'used' };
  }
  if (code.issued_at <= input.issuedAfter) return { ok: false, why: 'expired' };
  if (input.redirectUri === null ? needsRedirectUri(context, input.clientId) : input.redirectUri !== code.redirect_uri)
    return { ok: false, why: 'redirect_uri' };
  if (code.challenge !== input.challenge) return { ok: false, why: 'verifier' };
  const { id: grantId } = sql(
    'INSERT INTO oauth_grant (client_id, user_name, scope, refresh_hash, made_at, used_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id',
  ).get(code.client_id, code.user_name, code.scope, input.refreshHash, input.at, input.at) as { id: number };
  addToken(context, grantId, input);
  sql('UPDATE oauth_code SET grant_id = ? WHERE code_hash = ?').run(grantId, input.codeHash);
  return { ok: true, scope: code.scope };
}

/**
 * The grant's earlier access tokens end at `othersEndAt`. `nextRefreshHash`: the refresh token can
 * be used once, and this is its successor; null: it stays valid. A token that was used after
 * `lostAfter` and whose successor was not used yet is accepted once more, because the answer was
 * probably lost. `reused`: the token was stolen, and the grant has been revoked.
 */
function refreshGrant(context: OperationContext, input: Refresh): Refreshed {
  const { sql } = context;
  const grant = sql('SELECT id, scope FROM oauth_grant WHERE refresh_hash = ? AND client_id = ? AND used_at > ?').get(
    input.refreshHash,
    input.clientId,
    input.usedAfter,
  ) as { id: number; scope: string } | undefined;
  if (!grant) return refreshAgain(context, input);
  if (input.nextRefreshHash !== null) rotate(context, grant.id, input.nextRefreshHash, input);
  renewGrant(context, grant.id, input);
  return { ok: true, scope: grant.scope };
}

/** How many used refresh tokens a grant remembers; older ones are unknown. */
const usedRefreshMax = 20;

function rotate({ sql }: OperationContext, id: number, next: string, { refreshHash, at }: Refresh): void {
  sql('UPDATE oauth_grant SET refresh_hash = ? WHERE id = ?').run(next, id);
  sql('INSERT INTO oauth_used_refresh (refresh_hash, grant_id, used_at) VALUES (?, ?, ?)').run(refreshHash, id, at);
  sql(
    `DELETE FROM oauth_used_refresh WHERE grant_id = ?1 AND rowid NOT IN
       (SELECT rowid FROM oauth_used_refresh WHERE grant_id = ?1 ORDER BY rowid DESC LIMIT ?2)`,
  ).run(id, usedRefreshMax);
}

/** A refresh token that was used before. */
function refreshAgain(context: OperationContext, input: Refresh): Refreshed {
  const used = context
    .sql(
      `SELECT g.id, g.scope, g.refresh_hash, u.used_at FROM oauth_used_refresh u JOIN oauth_grant g ON g.id = u.grant_id
         WHERE u.refresh_hash = ? AND g.client_id = ?`,
    )
    .get(input.refreshHash, input.clientId) as
    | { id: number; scope: string; refresh_hash: string; used_at: number }
    | undefined;
  if (!used) return { ok: false, why: 'unknown' };
  if (used.refresh_hash === input.nextRefreshHash && used.used_at > input.lostAfter) {
    renewGrant(context, used.id, input);
    return { ok: true, scope: used.scope };
  }
  endGrant(context, used.id);
  return { ok: false, why: 'reused' };
}

function renewGrant(context: OperationContext, id: number, input: Refresh): void {
  const { sql } = context;
  sql('UPDATE oauth_grant SET used_at = ? WHERE id = ?').run(input.at, id);
  sql('UPDATE oauth_token SET expires_at = min(expires_at, ?) WHERE grant_id = ?').run(input.othersEndAt, id);
  sql('DELETE FROM oauth_token WHERE grant_id = ? AND expires_at <= ?').run(id, input.at);
  addToken(context, id, input);
}

function addToken(
  { sql }: OperationContext,
  grantId: number,
  { tokenHash, at, expiresAt }: { tokenHash: string; at: number; expiresAt: number },
): void {
  sql('INSERT INTO oauth_token (token_hash, grant_id, issued_at, expires_at) VALUES (?, ?, ?, ?)').run(
    tokenHash,
    grantId,
    at,
    expiresAt,
  );
}

function endGrant({ sql }: OperationContext, id: number): boolean {
  sql('DELETE FROM oauth_used_refresh WHERE grant_id = ?').run(id);
  sql('DELETE FROM oauth_token WHERE grant_id = ?').run(id);
  return sql('DELETE FROM oauth_grant WHERE id = ?').run(id).changes > 0;
}

/** Revokes a grant with its tokens and the consent. Returns whether there was one. */
function revokeGrant(context: OperationContext, { id }: { id: number }): boolean {
  context
    .sql(
      `DELETE FROM oauth_consent WHERE (client_id, user_name) IN (SELECT client_id, user_name FROM oauth_grant WHERE id = ?)`,
    )
    .run(id);
  return endGrant(context, id);
}

/** Deletes what has expired, and what belongs to people and clients that were removed. */
function retireGrants(
  { sql }: OperationContext,
  { at, codesBefore, grantsUsedBefore }: { at: UnixMs; codesBefore: UnixMs; grantsUsedBefore: UnixMs },
): void {
  sql('DELETE FROM oauth_code WHERE issued_at <= ?').run(codesBefore);
  sql(
    `DELETE FROM oauth_grant WHERE used_at <= ? OR user_name NOT IN (SELECT name FROM local_user)
       OR client_id NOT IN (SELECT client_id FROM oauth_client)`,
  ).run(grantsUsedBefore);
  sql(
    `DELETE FROM oauth_consent WHERE user_name NOT IN (SELECT name FROM local_user)
       OR client_id NOT IN (SELECT client_id FROM oauth_client)`,
  ).run();
  sql('DELETE FROM oauth_token WHERE expires_at <= ? OR grant_id NOT IN (SELECT id FROM oauth_grant)').run(at);
  sql('DELETE FROM oauth_used_refresh WHERE grant_id NOT IN (SELECT id FROM oauth_grant)').run();
}

export interface OAuthClient
  extends Readonly<Omit<typeof oauthClient.$inferSelect, 'sealedSecret' | 'needsRedirectUri'>> {
  /** Secret; null for a public client (RFC 6749 2.1), which cannot keep one. */
  readonly secret: string | null;
}

const { refreshHash: _refreshHash, ...grantColumns } = getTableColumns(oauthGrant);

/** Permission that a person has given to a client. */
type OAuthGrant = Readonly<Omit<typeof oauthGrant.$inferSelect, 'refreshHash'>>;

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
export const grants = {
  reads,
  writes: { giveConsent, issueCode, redeemCode, refreshGrant, revokeGrant, retireGrants },
};

export type GrantReads = ReadsOf<typeof grants>;
export type GrantWrites = WritesOf<typeof grants>;
