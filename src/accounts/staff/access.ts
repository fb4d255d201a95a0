import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../runtime/clock.ts';
import { plainAddress } from '../../runtime/plain-address.ts';
import type { AdminToken, AuditNote, EventRights, StaffRole, Store, TokenStore } from '../../store/index.ts';
import type { BrowserSession, Sessions } from '../sessions.ts';
import { mayBeToken, tokenHash } from '../tokens.ts';

/** A caller of the admin API. */
export interface Caller {
  /** A name, `token NAME`, or `command`. */
  readonly actor: string;
  /** The person, also behind a token: the name of an account, or `command`. */
  readonly account: string;
  readonly role: StaffRole;
  readonly via: 'session' | 'token' | 'socket';
  readonly address: string;
}

/** A program of the site, with a token of role `events`: it hears events, and does nothing else. */
export interface ProgramCaller extends Omit<Caller, 'role'> {
  readonly role: 'events';
  readonly hears: EventRights;
}

/** `forged`: a cross-site request in the name of a person who is signed in here. */
type Identified =
  | { readonly ok: true; readonly caller: Caller; readonly session: BrowserSession | null }
  | { readonly ok: false; readonly why: 'nobody' | 'expired' | 'forged'; readonly address: string }
  | { readonly ok: false; readonly why: 'events'; readonly address: string; readonly program: ProgramCaller };

/** `__Host-`: only over TLS, only from this host; `Strict`: sent by the box's own pages only. */
export const staffCookie = '__Host-gatehouse';
const safe = new Set(['GET', 'HEAD', 'OPTIONS']);
const seenEveryMs = 60_000;

/** Identifies a caller by the session of a browser or by a bearer token. */
export class StaffAccess {
  readonly #store: TokenStore & Pick<Store, 'audit'>;
  readonly #clock: Clock;
  readonly #sessions: Sessions;

  constructor({
    store,
    clock,
    sessions,
  }: { store: TokenStore & Pick<Store, 'audit'>; clock: Clock; sessions: Sessions }) {
    this.#store = store;
    this.#clock = clock;
    this.#sessions = sessions;
  }

  async identify(request: IncomingMessage, { isUse = true } = {}): Promise<Identified> {
    const address = addressOf(request);
    const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (bearer !== undefined && mayBeToken(bearer)) return this.#byToken(bearer, address, isUse);
    const id = cookieIn(request.headers.cookie, staffCookie);
    if (id === undefined || !mayBeToken(id)) return { ok: false, why: 'nobody', address };
    const session = await this.#sessions.find(id, 'staff', { isUse });
    const role = session?.user.role;
    if (!session || role === undefined || role === 'none') return { ok: false, why: 'expired', address };
    if (!safe.has(request.method ?? '') && !isFromHere(request)) return { ok: false, why: 'forged', address };
    return {
      ok: true,
      caller: { actor: session.user.name, account: session.user.name, role, via: 'session', address },
      session,
    };
  }

  /**
   * Whether the caller still has the session or the token, and the role: for long responses, which
   * do not extend either.
   */
  async isStill(request: IncomingMessage, was: Caller | ProgramCaller): Promise<boolean> {
    const found = await this.identify(request, { isUse: false });
    if (found.ok) return found.caller.actor === was.actor && found.caller.role === was.role;
    if (found.why !== 'events' || was.role !== 'events') return false;
    return found.program.actor === was.actor && JSON.stringify(found.program.hears) === JSON.stringify(was.hears);
  }

  /**
   * Logs what was done or refused. On a full disk entries wait in memory, and the request goes on.
   */
  audit(entry: AuditNote): Promise<void> {
    return this.#store.audit.note(entry);
  }

  /** Reads of one minute by the same person are counted in one entry. */
  auditRead(entry: Omit<AuditNote, 'outcome' | 'read'>): Promise<void> {
    return this.#store.audit.noteRead(entry);
  }

  async #byToken(bearer: string, address: string, isUse: boolean): Promise<Identified> {
    const token = await this.#validToken(bearer, isUse);
    if (!token) return { ok: false, why: 'expired', address };
    const { name, madeBy: account, role, events } = token;
    const caller = { actor: `token ${name}`, account, via: 'token', address } as const;
    if (role !== 'events') return { ok: true, caller: { ...caller, role }, session: null };
    const hears = events ?? { topics: [], actions: [] };
    return { ok: false, why: 'events', address, program: { ...caller, role, hears } };
  }

  /** The program of the site that a token of role `events` is for; null: it is no such token. */
  async programOf(token: string, { isUse = true } = {}): Promise<AdminToken | null> {
    const found = await this.#validToken(token, isUse);
    return found?.role === 'events' ? found : null;
  }

  async #validToken(text: string, isUse: boolean): Promise<AdminToken | null> {
    const token = mayBeToken(text) ? await this.#store.read.token(tokenHash(text)) : null;
    const now = this.#clock.now();
    if (!token || token.endsAt <= now) return null;
    if (isUse && (token.usedAt ?? 0) + seenEveryMs <= now)
      await this.#store.write.seeToken({ id: token.id, at: now }).catch(() => {});
    return token;
  }
}

export const addressOf = (request: IncomingMessage): string => plainAddress(request.socket.remoteAddress ?? '');

export function cookieIn(header: string | undefined, wanted: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const [name, value] = part.trim().split('=');
    if (name === wanted) return value;
  }
  return undefined;
}

/** Browsers send where a call comes from; a cookie without that is not trusted. */
export function isFromHere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  return headers.origin === `https://${headers.host}`;
}
