import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Caller, ProgramCaller } from '../accounts/index.ts';
import type { AuditNote, OwnPagePerson, StaffRole, TokenRole } from '../store/index.ts';
import { ownSubjects, subjectOf } from '../words/audit-own.ts';
import type { Reason } from '../words/sentences.ts';
import { problem } from './problem.ts';

export type Role = StaffRole;
const rank: Readonly<Record<TokenRole, number>> = { events: -1, viewer: 0, staff: 1, admin: 2 };

/** Values in the context of each route. */
export interface AdminEnvironment {
  Variables: {
    caller: Caller | ProgramCaller;
    /** Of "My attendance": whose it is. */
    employee?: OwnPagePerson;
    /** Subject of a change, for the log; a route that sets none is logged by its path. */
    subject: string | Reason;
    /** Looks of one minute are counted into one entry. */
    isReadOften: boolean;
    /** See AdminIdentity. */
    tablesHoldAll: AdminIdentity['tablesHoldAll'];
    onError: AdminIdentity['onError'];
  };
}

export type AdminContext = Context<AdminEnvironment>;

/** Identity of a caller: the socket of the box, or a browser or token over HTTPS. */
export interface AdminIdentity {
  callerOf(
    context: Context,
  ): Promise<
    | { readonly ok: true; readonly caller: Caller; readonly employee?: OwnPagePerson }
    | { readonly ok: false; readonly why: 'nobody' | 'no_page' | 'expired' | 'forged'; readonly address: string }
    | { readonly ok: false; readonly why: 'events'; readonly address: string; readonly program: ProgramCaller }
  >;
  /** See WholeStore.whole. */
  tablesHoldAll(withinMs?: number): Promise<number>;
  /** Told what made an answer a problem, or cut it. */
  onError?(error: unknown): void;
  audit(entry: AuditNote): Promise<void>;
  /** A look that programs repeat: those of a minute are counted into one entry. */
  auditRead(entry: Omit<AuditNote, 'outcome' | 'read'>): Promise<void>;
}

/** Status, title, detail, and the subject in the audit log; null: the log has no entry of it. */
const refusals = {
  nobody: [401, 'Not signed in', 'sign in, or send a token made by `gatehouse token create`', null],
  no_page: [401, 'Not signed in', 'open “My attendance” with an access code: the office hands them out', null],
  expired: [401, 'Session ended', 'sign in again, or send a token that is still good', 'session_ended'],
  events: [
    403,
    'Hears events alone',
    'this token is of role events: it reads /admin/v1/events, and nothing else of this API',
    'token_of_programs',
  ],
  forged: [
    403,
    'Asked for by another site',
    'this change was asked for by a page that is not of this box',
    'from_another_site',
  ],
} as const;

/** Routes for a token of role `events`; all others ask for more than that role. */
const forPrograms: ReadonlySet<string> = new Set(['GET /events', 'HEAD /events', 'GET /events/stream']);

/**
 * Lets in whoever has a session or a token (`needs` then asks for the role), and writes down every
 * change and every refusal of somebody who said who they are.
 */
export function guard(
  { callerOf, audit, auditRead, tablesHoldAll, onError }: AdminIdentity,
  base: string,
): MiddlewareHandler<AdminEnvironment> {
  return async (context, next) => {
    const { method } = context.req;
    const at = context.req.path.indexOf(base);
    const path = context.req.path.slice(at < 0 ? 0 : at + base.length) || '/';
    const action = `${method} ${path}`;
    // Values made up by strangers (ids, names, whole paths) do not make an entry for each of their
    // calls.
    const refused = () => `${method} ${routeOf(context, base)}`;
    const found = await callerOf(context);
    const program = !found.ok && found.why === 'events' && forPrograms.has(action) ? found.program : null;
    if (!found.ok && !program) {
      const [status, title, detail, subject] = refusals[found.why];
      if (subject !== null)
        await audit({
          actor: '',
          role: '',
          address: found.address,
          action: refused(),
          ...subjectOf(ownSubjects.say(subject)),
          outcome: 'refused',
        });
      return problem(context, status, title, detail);
    }
    const caller = found.ok ? found.caller : program!;
    const { actor, role, address } = caller;
    context.set('caller', caller);
    if (found.ok && found.employee) context.set('employee', found.employee);
    context.set('subject', '');
    context.set('isReadOften', false);
    context.set('tablesHoldAll', tablesHoldAll);
    context.set('onError', onError);
    await next();
    const about = subjectOf(context.get('subject'));
    const what = { actor, role, address, ...about };
    if (context.res.status === 403) await audit({ ...what, action: refused(), outcome: 'refused' });
    const changed = method !== 'GET' && method !== 'HEAD';
    if (context.res.status >= 400 || (!changed && about.subject === '')) return;
    if (!changed && context.get('isReadOften')) await auditRead({ ...what, action: refused() });
    else await audit({ ...what, action, outcome: 'done', read: !changed });
  };
}

/** In front of a route: lets in callers of this role and above. */
export const needs =
  (needed: TokenRole): MiddlewareHandler<AdminEnvironment> =>
  async (context, next) => {
    if (rank[context.get('caller').role] >= rank[needed]) return next();
    context.set('subject', ownSubjects.say('needs_role', { role: needed }));
    return problem(context, 403, 'Not allowed', `this needs the role ${needed}`);
  };

/** Path of a route, such as `/users/:name`; `(unknown)` if no route has it. */
function routeOf(context: Context, base: string): string {
  const pattern = matchedRoutes(context).findLast(({ method }) => method !== 'ALL')?.path;
  if (pattern === undefined) return '(unknown)';
  const at = pattern.indexOf(base);
  return pattern.slice(at < 0 ? 0 : at + base.length) || '/';
}
