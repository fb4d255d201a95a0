import { hashPassword, newToken, passwordProblem, passwordRule, tokenHash } from '../accounts/index.ts';
import { isReservedName } from '../platform/reserved-names.ts';
import type { Clock } from '../runtime/clock.ts';
import type { StoreReader, StoreWriter } from '../store/index.ts';
import type { BoxAdmin } from './port.ts';

const dayMs = 24 * 3600_000;
/** Every token ends: one that nobody said more of after a year. */
const usualTokenDays = 365;

type Staff = Pick<
  BoxAdmin,
  'users' | 'putUser' | 'removeUser' | 'tokens' | 'makeToken' | 'removeToken' | 'audit' | 'auditRows' | 'verifyAudit'
>;

/**
 * People who manage the box, and tokens. `writing` has the store for what writes: a stopped box is
 * owned for it. `site`: its name.
 */
export function staffAdmin(
  read: StoreReader,
  writing: <T>(act: (write: StoreWriter) => Promise<T>) => Promise<T>,
  { clock, site }: { readonly clock: Clock; readonly site: string },
): Staff {
  return {
    users: async () =>
      (await read.users()).map(one => ({
        name: one.name,
        role: one.role,
        can_sign_in: one.passwordHash !== null,
        sessions: one.sessions,
        seen_at: one.seenAt,
      })),
    async putUser({ name, role, password }) {
      const known = await read.user(name);
      if (!known && isReservedName(name))
        return { title: 'name_reserved', says: 'the audit log uses this name: choose another' };
      if (!known && password === undefined)
        return { title: 'password_missing', says: `${name} is new: a password is needed` };
      const weak = password === undefined ? null : await passwordProblem(password, name, site);
      if (weak) return { title: `password_${weak}`, says: passwordRule[weak] };
      if (known?.role === 'admin' && role !== undefined && role !== 'admin' && (await isLastAdmin(read, name)))
        return { title: 'last_admin', says: `${name} is the last admin: make another one first` };
      const passwordHash = password === undefined ? undefined : await hashPassword(password);
      await writing(write =>
        write.putUser({ name, ...(role ? { role } : {}), ...(passwordHash === undefined ? {} : { passwordHash }) }),
      );
      return null;
    },
    removeUser: name => writing(write => write.removeUser({ name })),
    tokens: async () =>
      (await read.tokens()).map(one => ({
        id: one.id,
        name: one.name,
        role: one.role,
        made_by: one.madeBy,
        made_at: one.madeAt,
        ends_at: one.endsAt,
        used_at: one.usedAt,
      })),
    async makeToken({ name, role, days, madeBy }) {
      const token = newToken();
      const at = clock.now();
      const endsAt = at + (days ?? usualTokenDays) * dayMs;
      await writing(write => write.makeToken({ tokenHash: tokenHash(token), name, role, madeBy, at, endsAt }));
      return token;
    },
    removeToken: id => writing(write => write.removeToken({ id })),
    audit: query => read.auditEntries(query),
    auditRows: () => read.auditRows(),
    verifyAudit: heads => read.verifyAudit(heads),
  };
}

const isLastAdmin = async (read: StoreReader, name: string): Promise<boolean> =>
  !(await read.users()).some(one => one.role === 'admin' && one.passwordHash !== null && one.name !== name);
