import type { AdminIdentity, Role } from '../../src/admin/index.ts';

/** Somebody of this role calls; null: nobody who is known. What is written down is collected. */
export function anIdentity(role: Role | null): AdminIdentity & { readonly audited: object[] } {
  const audited: object[] = [];
  return {
    audited,
    callerOf: async () =>
      role === null
        ? { ok: false, why: 'nobody', address: '192.168.1.9' }
        : { ok: true, caller: { actor: 'mei', account: 'mei', role, via: 'session', address: '192.168.1.9' } },
    audit: async entry => void audited.push(entry),
    auditRead: async entry => void audited.push({ ...entry, outcome: 'done', read: true }),
  };
}
