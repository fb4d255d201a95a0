import type { UnixMs } from '../../runtime/clock.ts';
import type { StorePart } from './part.ts';

/** Somebody who may log in at the box (CONTRACT 3, `users`). */
export interface LocalUser {
  readonly name: string;
  /** Hash of the password; null if there is none to log in with. */
  readonly passwordHash: string | null;
  /** `none`: can only sign in to other applications (OAuth), and sees nothing of the box. */
  readonly role: 'admin' | 'staff' | 'viewer' | 'none';
  readonly headimgurl: string;
}

/**
 * Purpose of a browser session: the admin pages, or signing in to other applications; never both.
 */
export type SessionPurpose = 'staff' | 'oauth';

export interface LoginSession {
  readonly user: LocalUser;
  readonly purpose: SessionPurpose;
  /** Fingerprint of the password hash at login. */
  readonly credential: string;
  readonly openedAt: UnixMs;
  readonly seenAt: UnixMs;
  readonly endsAt: UnixMs;
  readonly address: string;
  readonly agent: string;
}

export interface OAuthClient {
  readonly clientId: string;
  /** Secret; null for a public client (RFC 6749 2.1), which cannot keep one. */
  readonly secret: string | null;
  readonly name: string;
  readonly logoUrl: string;
  readonly redirectUris: readonly string[];
}

/** Permission that a person has given to a client. */
export interface OAuthGrant {
  readonly id: number;
  readonly clientId: string;
  readonly userName: string;
  readonly scope: string;
  readonly madeAt: UnixMs;
  readonly usedAt: UnixMs;
}

/**
 * Why a code gives no tokens. `used`: it was used before, and the tokens issued for it are now
 * revoked (RFC 9700 4.5).
 */
export type CodeRefusal = 'unknown' | 'expired' | 'used' | 'other_client' | 'redirect_uri' | 'verifier';

/** Writes of the accounts. Tokens, codes and session ids are passed as their SHA-256. */
export interface AccountWrites {
  openSession(input: {
    idHash: string;
    userName: string;
    purpose: SessionPurpose;
    credential: string;
    at: UnixMs;
    endsAt: UnixMs;
    address: string;
    agent: string;
  }): void;
  /**
   * Admits a person who signed in at the cloud: known from before, or a new one without role and
   * password. Returns the name at this box.
   */
  admitCloudPerson(input: { openid: string; name: string; headimgurl: string }): string;
  seeSession(input: { idHash: string; at: UnixMs }): void;
  /** Ends one session, or all of a person. Returns how many ended. */
  endSessions(input: { idHash: string } | { userName: string }): number;
  giveConsent(input: { clientId: string; userName: string; scope: string; at: UnixMs }): void;
  issueCode(input: {
    codeHash: string;
    clientId: string;
    userName: string;
    redirectUri: string;
    scope: string;
    challenge: string | null;
    at: UnixMs;
  }): void;
  redeemCode(input: {
    codeHash: string;
    clientId: string;
    /** Address in the call; null if it names none. */
    redirectUri: string | null;
    /** S256 of the verifier; null: the call has none. */
    challenge: string | null;
    tokenHash: string;
    refreshHash: string;
    at: UnixMs;
    issuedAfter: UnixMs;
    expiresAt: UnixMs;
  }): { ok: true; scope: string } | { ok: false; why: CodeRefusal };
  /**
   * The grant's earlier access tokens end at `othersEndAt`. `nextRefreshHash`: the refresh token
   * can be used once, and this is its successor; null: it stays valid. A token that was used after
   * `lostAfter` and whose successor was not used yet is accepted once more, because the answer was
   * probably lost. `reused`: the token was stolen, and the grant has been revoked.
   */
  refreshGrant(input: {
    refreshHash: string;
    nextRefreshHash: string | null;
    lostAfter: UnixMs;
    clientId: string;
    tokenHash: string;
    at: UnixMs;
    usedAfter: UnixMs;
    expiresAt: UnixMs;
    othersEndAt: UnixMs;
  }): { ok: true; scope: string } | { ok: false; why: 'unknown' | 'reused' };
  /** Revokes a grant with its tokens and the consent. Returns whether there was one. */
  revokeGrant(input: { id: number }): boolean;
  /** Deletes what has expired, and what belongs to people and clients that were removed. */
  retireAccounts(input: { at: UnixMs; codesBefore: UnixMs; grantsUsedBefore: UnixMs }): void;
}

export interface AccountReads {
  user(name: string): Promise<LocalUser | null>;
  session(idHash: string): Promise<LoginSession | null>;
  sessions(userName: string): Promise<(LoginSession & { idHash: string })[]>;
  oauthClient(clientId: string): Promise<OAuthClient | null>;
  /** The scope that the person has allowed the client; null: not asked yet. */
  consent(clientId: string, userName: string): Promise<string | null>;
  accessToken(
    tokenHash: string,
  ): Promise<{ user: LocalUser; clientId: string; scope: string; expiresAt: UnixMs } | null>;
  grants(userName: string | null): Promise<OAuthGrant[]>;
  /**
   * The successor of this refresh token: always the same, so that a lost answer can be repeated
   * although no token is stored.
   */
  nextRefreshToken(token: string): Promise<string>;
  /** A MAC over a browser's number and a person's name, with a key of this store. */
  browserMark(nonce: string, userName: string): Promise<string>;
  /** Stable for a person at one client, and different at each client (SPEC 2.7). */
  openid(clientId: string, userName: string): Promise<string>;
}

export type AccountStore = StorePart<AccountReads, AccountWrites>;
