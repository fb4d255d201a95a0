import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Applications to which people of the box may sign in. */
export const oauthClient = sqliteTable('oauth_client', {
  clientId: text('client_id').primaryKey(),
  /** A client without one is public: an app that cannot keep a secret (RFC 6749 2.1). */
  sealedSecret: blob('sealed_secret', { mode: 'buffer' }),
  name: text().notNull(),
  logoUrl: text('logo_url').notNull(),
  redirectUris: text('redirect_uris', { mode: 'json' }).$type<readonly string[]>().notNull(),
  /** 1: its token call has to repeat the redirect_uri (RFC 6749 4.1.3). SPEC 4.6 has none there. */
  needsRedirectUri: integer('needs_redirect_uri').notNull().default(0),
});

/** The place of a client's secret (Seal.open). */
export const clientSecretPlace = (clientId: string): string => `oauth.secret:${clientId}`;

export const oauthConsent = sqliteTable(
  'oauth_consent',
  {
    clientId: text('client_id').notNull(),
    userName: text('user_name').notNull(),
    scope: text().notNull(),
    givenAt: integer('given_at').notNull(),
  },
  table => [primaryKey({ columns: [table.clientId, table.userName] })],
);

export const oauthCode = sqliteTable('oauth_code', {
  codeHash: text('code_hash').primaryKey(),
  clientId: text('client_id').notNull(),
  userName: text('user_name').notNull(),
  redirectUri: text('redirect_uri').notNull(),
  scope: text().notNull(),
  /** PKCE, S256; null: none. */
  challenge: text(),
  issuedAt: integer('issued_at').notNull(),
  /** The grant made with it, which a second use revokes. Null: not used. */
  grantId: integer('grant_id'),
});

/**
 * Permission of a person for a client, until it is revoked. Its refresh token stays the same (SPEC
 * 4.6), except for public clients, where each use issues the next one.
 */
export const oauthGrant = sqliteTable(
  'oauth_grant',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    clientId: text('client_id').notNull(),
    userName: text('user_name').notNull(),
    scope: text().notNull(),
    refreshHash: text('refresh_hash').notNull().unique(),
    madeAt: integer('made_at').notNull(),
    usedAt: integer('used_at').notNull(),
  },
  table => [index('oauth_grant_by_user').on(table.userName)],
);

/**
 * Used refresh tokens of public clients: one that is presented again, later than a lost answer
 * explains, was stolen.
 */
export const oauthUsedRefresh = sqliteTable(
  'oauth_used_refresh',
  {
    refreshHash: text('refresh_hash').primaryKey(),
    grantId: integer('grant_id').notNull(),
    usedAt: integer('used_at').notNull(),
  },
  table => [index('oauth_used_refresh_by_grant').on(table.grantId, table.usedAt)],
);

export const oauthToken = sqliteTable(
  'oauth_token',
  {
    tokenHash: text('token_hash').primaryKey(),
    grantId: integer('grant_id').notNull(),
    issuedAt: integer('issued_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  table => [index('oauth_token_by_grant').on(table.grantId)],
);
