import { z } from '@hono/zod-openapi';
import { type HashStrength, hashPassword, passwordProblem, passwordRule } from '../accounts/index.ts';
import { isReservedName } from '../platform/reserved-names.ts';
import type { Site } from '../platform/site.ts';
import type { AccountReads, AccountWrites, ReadPart } from '../store/index.ts';
import { byCommand, operation, type Report, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';
import { done, personName } from './shapes.ts';
import type { Writing } from './writing.ts';

/** `none`: signs in to other applications alone. */
const role = z.enum(['admin', 'staff', 'viewer', 'none']);

const user = z.object({
  name: z.string(),
  role: role.describe(
    'none: signs in to other applications alone; so does who came with an account of the cloud, until an administrator gives a role',
  ),
  can_sign_in: z.boolean().describe('False: signs in with an account of the cloud alone'),
  sessions: z.number(),
  seen_at: z.number().nullable(),
});
export type UserReport = Report<typeof user>;

const userOperations = {
  list: operation({
    method: 'get',
    path: '/users',
    role: 'viewer',
    summary: 'Who may sign in, with their roles and when they were last seen',
    returns: 'The people',
    answer: z.object({ rows: z.array(user), cursor: z.null() }),
  }),
  put: operation({
    method: 'put',
    path: '/users/{name}',
    role: 'admin',
    summary: 'Adds a person, or changes role or password of one; a new password ends the sessions',
    params: z.object({ name: personName }),
    body: z.object({ role: role.optional(), password: z.string().max(1000).optional() }),
    returns: 'Done',
    answer: done,
    failures: { 422: 'The name is reserved, the password is missing or weak, or it is the last admin' },
  }),
  remove: operation({
    method: 'delete',
    path: '/users/{name}',
    role: 'admin',
    summary: 'Removes a person, with the sessions; not the last admin',
    params: z.object({ name: personName }),
    returns: 'Done',
    answer: done,
    failures: { 404: 'Nobody has this name', 422: 'It is the last admin' },
  }),
};
export type UserAdmin = Running<typeof userOperations>;

/** No password may hold the name of the site. */
const userAdmin = (
  read: AccountReads,
  writing: Writing<AccountWrites>,
  site: Pick<Site, 'name'>,
  hashStrength: HashStrength,
): UserAdmin => ({
  list: async () => ({
    rows: (await read.users()).map(one => ({
      name: one.name,
      role: one.role,
      can_sign_in: one.passwordHash !== null,
      sessions: one.sessions,
      seen_at: one.seenAt,
    })),
    cursor: null,
  }),
  async put({ name, role: wanted, password }, call = byCommand) {
    call.subject(name);
    const known = await read.user(name);
    if (!known && isReservedName(name))
      throw refused(422, 'name_reserved', 'the audit log uses this name: choose another');
    if (!known && password === undefined)
      throw refused(422, 'password_missing', `${name} is new: a password is needed`);
    const weak = password === undefined ? null : await passwordProblem(password, name, site.name);
    if (weak) throw refused(422, `password_${weak}`, passwordRule[weak]);
    const passwordHash = password === undefined ? undefined : await hashPassword(password, hashStrength);
    const put = await writing(write =>
      write.putUser({
        name,
        keepsAdmin: true,
        ...(wanted ? { role: wanted } : {}),
        ...(passwordHash === undefined ? {} : { passwordHash }),
      }),
    );
    if (!put) throw refused(422, 'last_admin', `${name} is the last admin: make another one first`);
    return { done: true };
  },
  async remove({ name }, call = byCommand) {
    call.subject(name);
    const outcome = await writing(write => write.removeUser({ name }));
    if (outcome === 'unknown') throw refused(404, 'unknown', 'there is nobody with this name');
    if (outcome === 'last_admin') throw refused(422, 'last_admin', `${name} is the last admin: make another one first`);
    return { done: true };
  },
});

const running = ({
  store,
  writing,
  site,
  hashStrength,
}: {
  readonly store: ReadPart<AccountReads>;
  readonly writing: Writing<AccountWrites>;
  readonly site: Pick<Site, 'name'>;
  readonly hashStrength: HashStrength;
}) => userAdmin(store.read, writing, site, hashStrength);

export const usersResource = resource(userOperations, running, running);
