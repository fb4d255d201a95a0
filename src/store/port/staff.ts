import type { UnixMs } from '../../runtime/clock.ts';
import type { LocalUser } from './accounts.ts';
import type { StorePart } from './part.ts';

/** What somebody may do at the box. */
export type StaffRole = Exclude<LocalUser['role'], 'none'>;

/** A bearer token of the admin API. */
export interface AdminToken {
  readonly id: number;
  readonly name: string;
  readonly role: StaffRole;
  /** An account, with which it ends; `command` for the socket of the box. */
  readonly madeBy: string;
  readonly madeAt: UnixMs;
  /** Null: made by an older program; it gets an end within minutes. */
  readonly endsAt: UnixMs | null;
  readonly usedAt: UnixMs | null;
}

/** `read`: somebody looked at what is worth an entry (a photo, secrets, features). */
export type AuditChain = 'done' | 'read' | 'refused';

/** What is told to the audit log. */
export interface AuditNote {
  /** A name, `token NAME`, or `command` for the socket of the box. */
  readonly actor: string;
  readonly role: string;
  readonly address: string;
  /** Such as `POST /users`. */
  readonly action: string;
  /** Whom or what it was about; never a secret. */
  readonly subject: string;
  readonly outcome: 'done' | 'refused';
  /** Nothing was changed: it belongs to the chain of reads. */
  readonly read?: boolean;
}

/** In days. */
export interface KeptDays {
  readonly records: number;
  readonly logs: number;
}

/** Who did what: added, never changed. */
export interface AuditEntry extends Omit<AuditNote, 'read'> {
  readonly id: number;
  readonly at: UnixMs;
  /** How often, from `at` to `lastAt`: repeats of one minute are one entry. */
  readonly count: number;
  readonly lastAt: UnixMs | null;
}

/**
 * An entry with its place in its chain; both null for one that a program wrote which knew no chain.
 */
export interface AuditRow extends AuditEntry {
  readonly chain: AuditChain | null;
  readonly hash: string | null;
}

/**
 * The newest entry of a chain: a copy that is kept elsewhere shows later that the log was not
 * rewritten.
 */
export interface AuditHead {
  readonly chain: AuditChain;
  readonly id: number;
  readonly hash: string;
}

export interface AuditVerdict {
  readonly holds: boolean;
  /** The first entry that does not hold; `chain` null: it is in none. */
  readonly broken: { readonly id: number; readonly chain: AuditChain | null; readonly why: string } | null;
  readonly chains: readonly {
    readonly chain: AuditChain;
    readonly entries: number;
    /** The number of the last entry before it. */
    readonly begins_after: number;
    readonly begun_at: UnixMs;
    /**
     * How many were removed from its old end; an entry of `done` says of each time when and why.
     */
    readonly removed: number;
    readonly head: AuditHead;
  }[];
  /** Entries without a hash, of a program that knew no chain. */
  readonly outside: number;
  /** Kept heads that are older than what is kept of their chain: nothing can be said of them. */
  readonly kept_gone: readonly AuditHead[];
}

export interface StaffWrites {
  /**
   * Adds a person, or changes what is told of one. False: `ifNone` and there is somebody already.
   */
  putUser(input: {
    name: string;
    role?: LocalUser['role'];
    passwordHash?: string;
    headimgurl?: string;
    /** Only while nobody is here: the first account. */
    ifNone?: boolean;
  }): boolean;
  /**
   * With the sessions, the tokens that they made and what they allowed. `last_admin`: nobody could
   * manage the box any more, so nothing was done.
   */
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
  /**
   * Answers its number. Parts call `store.audit`, which counts repeats and waits for a disk that is
   * full.
   */
  audit(input: AuditNote & { at: UnixMs; lastAt?: UnixMs | null; count?: number }): number;
  /** At a start: notes entries that have no hash. */
  noteUnchainedAudit(input: { at: UnixMs }): void;
  /** How long forwarded records and logs are kept; within `keptDaysMax`. */
  keepDays(input: KeptDays): void;
  retireAudit(input: { before: UnixMs; now: UnixMs }): void;
}

export interface StaffReads {
  users(): Promise<(LocalUser & { readonly sessions: number; readonly seenAt: UnixMs | null })[]>;
  hasUsers(): Promise<boolean>;
  tokens(): Promise<AdminToken[]>;
  /**
   * With no more than the role that its maker has now. Null: there is none, or the account that
   * made it is gone or has no role.
   */
  token(tokenHash: string): Promise<AdminToken | null>;
  /** Newest first; `before`: an id. */
  auditEntries(query: { before?: number; limit: number; actor?: string; text?: string }): Promise<AuditEntry[]>;
  keptDays(): Promise<KeptDays>;
  /**
   * Counts at most some ten thousand rows: `at_least`, then. Of records those that were forwarded
   * or not, of files those that no cloud waits for.
   */
  olderThan(
    what: 'records' | 'logs' | 'files',
    before: UnixMs,
  ): Promise<{ items: number; bytes: number; at_least: boolean }>;
  /** Oldest first. */
  auditRows(): AsyncIterable<AuditRow>;
  /**
   * Counts every hash again; `kept`: heads that somebody kept. Of a full log it takes seconds, in
   * which other work goes on.
   */
  verifyAudit(kept?: readonly AuditHead[]): Promise<AuditVerdict>;
}

export type StaffStore = StorePart<StaffReads, StaffWrites>;
