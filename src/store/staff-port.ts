import type { UnixMs } from '../platform/clock.ts';
import type { LocalUser } from './accounts-port.ts';

/** What somebody may do at the box. */
export type StaffRole = Exclude<LocalUser['role'], 'none'>;

/** A bearer token of the admin API. */
export interface AdminToken {
  readonly id: number;
  readonly name: string;
  readonly role: StaffRole;
  readonly madeBy: string;
  readonly madeAt: UnixMs;
  /** Null: for good. */
  readonly endsAt: UnixMs | null;
  readonly usedAt: UnixMs | null;
}

/** Who did what: added, never changed. */
export interface AuditEntry {
  readonly id: number;
  readonly at: UnixMs;
  /** A name, `token NAME`, or `command` for the socket of the box. */
  readonly actor: string;
  readonly role: string;
  readonly address: string;
  /** Such as `POST /users`. */
  readonly action: string;
  /** Whom or what it was about; never a secret. */
  readonly subject: string;
  readonly outcome: 'done' | 'refused';
}

export interface StaffWrites {
  /** Adds a person, or changes what is told of one. False: `ifNone` and there is somebody already. */
  putUser(input: {
    name: string;
    role?: LocalUser['role'];
    passwordHash?: string;
    headimgurl?: string;
    /** Only while nobody is here: the first account. */
    ifNone?: boolean;
  }): boolean;
  /** With the sessions, the tokens that they made and what they allowed. `last_admin`: nobody could manage the box any more, so nothing was done. */
  removeUser(input: { name: string }): 'removed' | 'unknown' | 'last_admin';
  makeToken(input: {
    tokenHash: string;
    name: string;
    role: StaffRole;
    madeBy: string;
    at: UnixMs;
    endsAt: UnixMs | null;
  }): number;
  seeToken(input: { id: number; at: UnixMs }): void;
  /** Answers whether there was such a token. */
  removeToken(input: { id: number }): boolean;
  audit(input: Omit<AuditEntry, 'id'>): void;
  retireAudit(input: { before: UnixMs }): void;
}

export interface StaffReads {
  users(): Promise<(LocalUser & { readonly sessions: number; readonly seenAt: UnixMs | null })[]>;
  hasUsers(): Promise<boolean>;
  tokens(): Promise<AdminToken[]>;
  token(tokenHash: string): Promise<AdminToken | null>;
  /** Newest first; `before`: an id. */
  auditEntries(query: { before?: number; limit: number; actor?: string; text?: string }): Promise<AuditEntry[]>;
}
