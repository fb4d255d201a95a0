import type { AuditChain, AuditHead } from '../../platform/audit-heads.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { LocalUser } from './accounts.ts';
import type { StorePart } from './part.ts';

/** Role of a person at the box. */
export type StaffRole = Exclude<LocalUser['role'], 'none'>;

/** A program of the site that hears events has a token of role `events`, and nothing else. */
export type TokenRole = StaffRole | 'events';

/** Rights of a token of role `events`. */
export interface EventRights {
  /** Filters of topics that it may subscribe to. */
  readonly topics: readonly string[];
  /** Action codes that it may send to devices. */
  readonly actions: readonly number[];
}

/** A bearer token of the admin API, or one of the site's own programs. */
export interface AdminToken {
  readonly id: number;
  readonly name: string;
  readonly role: TokenRole;
  /** Rights; null if the role is not `events`. */
  readonly events: EventRights | null;
  /** The account that made it, with which it ends; `command` for the socket of the box. */
  readonly madeBy: string;
  readonly madeAt: UnixMs;
  /** Expiry; null for a token that has no date yet and gets one within minutes. */
  readonly endsAt: UnixMs;
  readonly usedAt: UnixMs | null;
}

/** An event to be entered in the audit log. */
export interface AuditNote {
  /** A name, `token NAME`, or `command` for the socket of the box. */
  readonly actor: string;
  readonly role: string;
  readonly address: string;
  /** Action, such as `POST /users`. */
  readonly action: string;
  /** Thing or person affected; never a secret. */
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

/** An entry of the audit log; entries are added, never changed. */
export interface AuditEntry extends Omit<AuditNote, 'read'> {
  readonly id: number;
  readonly at: UnixMs;
  /** How often, from `at` to `lastAt`: repeats of one minute are one entry. */
  readonly count: number;
  readonly lastAt: UnixMs | null;
}

/** An entry with its chain and its hash. */
export interface AuditRow extends AuditEntry {
  readonly chain: AuditChain;
  readonly hash: string;
}

export interface AuditVerdict {
  readonly holds: boolean;
  /** The first entry that fails the check; `chain` null: it is in none. */
  readonly broken: { readonly id: number; readonly chain: AuditChain | null; readonly why: string } | null;
  readonly chains: readonly {
    readonly chain: AuditChain;
    readonly entries: number;
    /** The number of the last entry before it. */
    readonly begins_after: number;
    readonly begun_at: UnixMs;
    /**
     * How many were removed from its old end; for each removal an entry in `done` says when and
     * why.
     */
    readonly removed: number;
    readonly head: AuditHead;
  }[];
  /** Given heads that are older than the oldest entry of their chain: they cannot be checked. */
  readonly kept_gone: readonly AuditHead[];
}

export interface StaffWrites {
  /**
   * Adds a person, or changes the given fields of one. Returns false if nothing was done: `ifNone`
   * is set and there is an account already, or `keepsAdmin` is set and it is the last admin, whose
   * role would go.
   */
  putUser(input: {
    name: string;
    role?: LocalUser['role'];
    passwordHash?: string;
    headimgurl?: string;
    /** Only while there is no account: for the first one. */
    ifNone?: boolean;
    keepsAdmin?: boolean;
  }): boolean;
  /**
   * Removes a person with sessions, tokens and grants. `last_admin`: nobody else could manage the
   * box, so nothing was done.
   */
  removeUser(input: { name: string }): 'removed' | 'unknown' | 'last_admin';
  makeToken(input: {
    tokenHash: string;
    name: string;
    role: TokenRole;
    /** Of role `events`. */
    events?: EventRights;
    madeBy: string;
    at: UnixMs;
    endsAt: UnixMs;
  }): number;
  seeToken(input: { id: number; at: UnixMs }): void;
  /** Returns whether there was such a token. */
  removeToken(input: { id: number }): boolean;
  /**
   * Adds an entry and returns its number. Parts call `store.audit` instead, which counts repeats
   * and holds entries while the disk is full.
   */
  audit(input: AuditNote & { at: UnixMs; lastAt?: UnixMs | null; count?: number }): number;
  /** Called at a start: notes entries that have no hash. */
  /** How long forwarded records and logs are kept; within `keptDaysMax`. */
  keepDays(input: KeptDays): void;
  retireAudit(input: { before: UnixMs; now: UnixMs }): void;
}

export interface StaffReads {
  users(): Promise<(LocalUser & { readonly sessions: number; readonly seenAt: UnixMs | null })[]>;
  hasUsers(): Promise<boolean>;
  tokens(): Promise<AdminToken[]>;
  /**
   * Its role is at most that of the account that made it, and it sends nothing to devices if that
   * account is no admin any more. Null: there is no such token, or that account was removed or has
   * no role.
   */
  token(tokenHash: string): Promise<AdminToken | null>;
  /** Newest first; `before`: an id. */
  auditEntries(query: { before?: number; limit: number; actor?: string; text?: string }): Promise<AuditEntry[]>;
  keptDays(): Promise<KeptDays>;
  /**
   * Counts at most some ten thousand rows; then `at_least` is set. Counts records whether or not
   * they were forwarded, but only files that do not wait for the cloud.
   */
  olderThan(
    what: 'records' | 'logs' | 'files',
    before: UnixMs,
  ): Promise<{ items: number; bytes: number; at_least: boolean }>;
  /** Oldest first. */
  auditRows(): AsyncIterable<AuditRow>;
  /**
   * Computes every hash again; `kept`: heads that were kept elsewhere. Takes seconds for a full
   * log, during which other work goes on.
   */
  verifyAudit(kept?: readonly AuditHead[]): Promise<AuditVerdict>;
}

export type StaffStore = StorePart<StaffReads, StaffWrites>;
