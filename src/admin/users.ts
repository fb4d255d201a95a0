import { z } from '@hono/zod-openapi';
import { type HashStrength, hashPassword, passwordProblem, passwordRule } from '../accounts/index.ts';
import { isReservedName } from '../platform/reserved-names.ts';
import type { Site } from '../platform/site.ts';
import type { AccountReads, AccountWrites, ReadPart } from '../store/index.ts';
import { described } from '../words/described.ts';
import { byCommand, operation, type Report, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';
import { done, personName } from './shapes.ts';
import type { Writing } from './writing.ts';

/** `none`: signs in to other applications alone. */
const role = z.enum(['admin', 'staff', 'viewer', 'none']);

const user = z.object({
  name: z.string(),
  role: role.describe(
    described(
      'none: signs in to other applications alone; so does who came with an account of the cloud, until an administrator gives a role',
      'none：只能登录其他应用；用云平台账号登录的用户在管理员指定角色之前也是如此',
    ),
  ),
  can_sign_in: z
    .boolean()
    .describe(described('False: signs in with an account of the cloud alone', 'false：只用云平台账号登录')),
  sessions: z.number(),
  seen_at: z.number().nullable(),
});
export type UserReport = Report<typeof user>;

const userOperations = {
  list: operation({
    method: 'get',
    path: '/users',
    role: 'viewer',
    summary: described(
      'Who may sign in, with their roles and when they were last seen',
      '可以登录的人员、角色和最近使用时间',
    ),
    returns: described('The people', '用户'),
    answer: z.object({ rows: z.array(user), cursor: z.null() }),
  }),
  put: operation({
    method: 'put',
    path: '/users/{name}',
    role: 'admin',
    audited: described('added or changed a person who signs in', '添加或修改登录人员'),
    summary: described(
      'Adds a person, or changes role or password of one; a new password ends the sessions',
      '添加登录人员，或修改其角色或密码；新密码会结束其全部登录',
    ),
    params: z.object({ name: personName }),
    body: z.object({ role: role.optional(), password: z.string().max(1000).optional() }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: {
      422: described(
        'The name is reserved, the password is missing or weak, or it is the last admin',
        '名称被保留、缺少密码或密码太弱，或是最后一个管理员',
      ),
    },
  }),
  remove: operation({
    method: 'delete',
    path: '/users/{name}',
    role: 'admin',
    audited: described('removed a person who signs in', '删除登录人员'),
    summary: described(
      'Removes a person, with the sessions; not the last admin',
      '删除登录人员并结束其登录；不能删除最后一个管理员',
    ),
    params: z.object({ name: personName }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: {
      404: described('Nobody has this name', '没有此用户名'),
      422: described('It is the last admin', '是最后一个管理员'),
    },
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
