import type { AccountReads, LocalUser, LoginSession } from '../port/accounts.ts';
import type { Connection } from '../schema/database.ts';
import { places } from './rows.ts';

interface UserRow {
  readonly name: string;
  readonly password_hash: string | null;
  readonly role: string;
  readonly headimgurl: string;
  readonly has_role: number | null;
}

const userOf = ({ name, password_hash, role, headimgurl, has_role }: UserRow): LocalUser => ({
  name,
  passwordHash: password_hash,
  role: has_role === 0 ? 'none' : (role as LocalUser['role']),
  headimgurl,
});

interface SessionRow extends UserRow {
  readonly id_hash: string;
  readonly purpose: string;
  readonly credential: string;
  readonly opened_at: number;
  readonly seen_at: number;
  readonly ends_at: number;
  readonly address: string;
  readonly agent: string;
}

const sessionOf = (row: SessionRow) => ({
  idHash: row.id_hash,
  user: userOf(row),
  purpose: row.purpose as LoginSession['purpose'],
  credential: row.credential,
  openedAt: row.opened_at,
  seenAt: row.seen_at,
  endsAt: row.ends_at,
  address: row.address,
  agent: row.agent,
});

const sessionRows = 'SELECT s.*, u.* FROM login_session s JOIN local_user u ON u.name = s.user_name';

/**
 * People, their sessions, and what OAuth clients hold. What belongs to somebody who is gone is not
 * answered.
 */
export function accountReads({ sql, seal }: Connection): AccountReads {
  return {
    async user(name) {
      const row = sql('SELECT * FROM local_user WHERE name = ?').get(name) as UserRow | undefined;
      return row ? userOf(row) : null;
    },

    async session(idHash) {
      const row = sql(`${sessionRows} WHERE s.id_hash = ?`).get(idHash) as SessionRow | undefined;
      return row ? sessionOf(row) : null;
    },

    async sessions(userName) {
      const rows = sql(`${sessionRows} WHERE s.user_name = ? ORDER BY s.seen_at DESC`).all(userName);
      return (rows as unknown as SessionRow[]).map(sessionOf);
    },

    async oauthClient(clientId) {
      const row = sql('SELECT * FROM oauth_client WHERE client_id = ?').get(clientId) as
        | { sealed_secret: Uint8Array; name: string; logo_url: string; redirect_uris: string; public: number }
        | undefined;
      if (!row) return null;
      return {
        clientId,
        secret: row.public === 1 ? null : seal.openText(row.sealed_secret, places.clientSecret(clientId)),
        name: row.name,
        logoUrl: row.logo_url,
        redirectUris: JSON.parse(row.redirect_uris),
      };
    },

    async consent(clientId, userName) {
      const row = sql('SELECT scope FROM oauth_consent WHERE client_id = ? AND user_name = ?').get(
        clientId,
        userName,
      ) as { scope: string } | undefined;
      return row?.scope ?? null;
    },

    async accessToken(tokenHash) {
      const row = sql(
        `SELECT u.*, g.client_id, g.scope, t.expires_at FROM oauth_token t JOIN oauth_grant g ON g.id = t.grant_id
           JOIN local_user u ON u.name = g.user_name JOIN oauth_client c ON c.client_id = g.client_id WHERE t.token_hash = ?`,
      ).get(tokenHash) as (UserRow & { client_id: string; scope: string; expires_at: number }) | undefined;
      if (!row) return null;
      return { user: userOf(row), clientId: row.client_id, scope: row.scope, expiresAt: row.expires_at };
    },

    async grants(userName) {
      const rows = sql(
        `SELECT id, client_id, user_name, scope, made_at, used_at FROM oauth_grant WHERE ?1 IS NULL OR user_name = ?1 ORDER BY used_at DESC`,
      ).all(userName) as {
        id: number;
        client_id: string;
        user_name: string;
        scope: string;
        made_at: number;
        used_at: number;
      }[];
      return rows.map(row => ({
        id: row.id,
        clientId: row.client_id,
        userName: row.user_name,
        scope: row.scope,
        madeAt: row.made_at,
        usedAt: row.used_at,
      }));
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
