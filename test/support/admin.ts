import { type AdminIdentity, adminRoutes, type Role } from '../../src/admin/index.ts';
import { checkAnswer } from './openapi.ts';

/** A caller with this role; null: an unknown caller. Collects the entries of the audit log. */
export function anIdentity(
  role: Role | null,
  name = 'mei',
  tablesHoldAll: AdminIdentity['tablesHoldAll'] = async () => 1,
): AdminIdentity & { readonly audited: object[] } {
  const audited: object[] = [];
  return {
    audited,
    tablesHoldAll,
    callerOf: async () =>
      role === null
        ? { ok: false, why: 'nobody', address: '192.168.1.9' }
        : { ok: true, caller: { actor: name, account: name, role, via: 'session', address: '192.168.1.9' } },
    audit: async entry => void audited.push(entry),
    auditRead: async entry => void audited.push({ ...entry, outcome: 'done', read: true }),
  };
}

/** The admin API without a listener; checks each of its answers against /openapi.json. */
export function anAdminApi(...parts: Parameters<typeof adminRoutes>) {
  const app = adminRoutes(...parts);
  return Object.assign(app, {
    async request(path: string, init: RequestInit = {}): Promise<Response> {
      const answer = await app.fetch(new Request(`http://box${path}`, init));
      if (answer.headers.get('content-type') === 'application/json')
        checkAnswer(init.method ?? 'GET', path, answer.status, await answer.clone().json());
      return answer;
    },
  });
}
