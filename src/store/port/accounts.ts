import type { UnixMs } from '../../runtime/clock.ts';
import type { StorePart } from './part.ts';

/** Somebody who may log in at the box (CONTRACT 3, `users`). */
export interface LocalUser {
  readonly name: string;
  /** Null: nobody knows a password, so nobody logs in with one. */
  readonly passwordHash: string | null;
  /** `none`: signs in to other applications (OAuth) alone, and sees nothing of the box. */
  readonly role: 'admin' | 'staff' | 'viewer' | 'none';
  readonly headimgurl: string;
}

/**
 * What a browser session is good for: the admin pages, or signing in to other applications. Never
 * both.
 */
export type SessionPurpose = 'staff' | 'oauth';

export interface LoginSession {
  readonly user: LocalUser;
  /** Empty: opened by an older program, and good for nothing. */
  readonly purpose: SessionPurpose | '';
  /** Of the password hash at login. */
  readonly credential: string;
  readonly openedAt: UnixMs;
  readonly seenAt: UnixMs;
  readonly endsAt: UnixMs;
  readonly address: string;
  readonly agent: string;
}

export interface OAuthClient {
  readonly clientId: string;
  /** Null: it is public (RFC 6749 2.1), and can keep none. */
  readonly secret: string | null;
  readonly name: string;
  readonly logoUrl: string;
  readonly redirectUris: readonly string[];
}

/** What a person has allowed a client. */
export interface OAuthGrant {
  readonly id: number;
  readonly clientId: string;
  readonly userName: string;
  readonly scope: string;
  readonly madeAt: UnixMs;
  readonly usedAt: UnixMs;
}

/**
 * Why a code gives no tokens. `used`: it was used before, and what was made of it is revoked now
 * (RFC 9700 4.5).
 */
export type CodeRefusal =
  | 'unknown'
  | 'expired'
  | 'used'
  | 'other_client'
  | 'redirect_uri'
  | 'redirect_uri_missing'
  | 'verifier';

/**
 * What the accounts write. Tokens, codes and session ids come as SHA-256 of what their holder has.
 */
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
   * Somebody whom the cloud has let in: known from before, or a new person without role and
   * password here. Answers the name here.
   */
  admitCloudPerson(input: { openid: string; name: string; headimgurl: string }): string;
  seeSession(input: { idHash: string; at: UnixMs }): void;
  /** One session, or all of a person. Answers how many ended. */
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
    /** Null: the call names none. */
    redirectUri: string | null;
    /** Whether it has to name one where no PKCE ties the code to who asked for it. */
    redirectUriNeeded: boolean;
    /** S256 of the verifier; null: the call has none. */
    challenge: string | null;
    tokenHash: string;
    refreshHash: string;
    at: UnixMs;
    issuedAfter: UnixMs;
    expiresAt: UnixMs;
  }): { ok: true; scope: string } | { ok: false; why: CodeRefusal };
  /**
   * The grant's earlier access tokens end at `othersEndAt`. `nextRefreshHash`: the refresh token is
   * good once, and that one comes after it; null: it stays. Brought again after `lostAfter`, before
   * its successor was used, it is answered as before: the answer was lost. `reused`: somebody else
   * has it, and what was allowed has ended.
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
  /** With its tokens, and the consent. Answers whether there was one. */
  revokeGrant(input: { id: number }): boolean;
  /** What has run out, and what belongs to people and clients that are gone. */
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
   * The refresh token that comes after this one: always the same, so that a lost answer can be
   * given again though no token is kept.
   */
  nextRefreshToken(token: string): Promise<string>;
  /** Over a browser's number and a person's name; only this store makes it. */
  browserMark(nonce: string, userName: string): Promise<string>;
  /** Stable for a person at a client, and of no use at another (SPEC 2.7). */
  openid(clientId: string, userName: string): Promise<string>;
}

export type AccountStore = StorePart<AccountReads, AccountWrites>;
