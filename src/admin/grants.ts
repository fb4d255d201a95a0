import { z } from '@hono/zod-openapi';
import type { GrantReads, GrantWrites, ReadPart } from '../store/index.ts';
import { described } from '../words/described.ts';
import { operation, type Report, type Running, resource } from './operation.ts';
import { found, rowId } from './shapes.ts';
import type { Writing } from './writing.ts';

const grant = z.object({
  id: z.number(),
  client_id: z.string(),
  user: z.string(),
  scope: z.string(),
  made_at: z.number(),
  used_at: z.number(),
});
/** Permission that somebody has given to an application. */
export type GrantReport = Report<typeof grant>;

export const grantOperations = {
  list: operation({
    method: 'get',
    path: '/grants',
    role: 'viewer',
    summary: described('What people have allowed OAuth clients', '用户授予 OAuth 客户端的权限'),
    query: z.object({ user: z.string().min(1).optional() }),
    returns: described('The grants, the last used first', '授权，最近使用的在前'),
    answer: z.object({ grants: z.array(grant) }),
  }),
  revoke: operation({
    method: 'post',
    path: '/grants/{id}/revoke',
    role: 'admin',
    audited: described('revoked the access of an application', '取消应用授权'),
    summary: described('Ends a grant and its tokens', '取消一项授权及其令牌'),
    params: z.object({ id: rowId }),
    returns: described('Whether there was such a grant', '是否有这样的授权'),
    answer: found,
  }),
};
type GrantAdmin = Running<typeof grantOperations>;

const grantAdmin = (read: GrantReads, writing: Writing<GrantWrites>): GrantAdmin => ({
  list: async ({ user } = {}) => ({
    grants: (await read.grants(user ?? null)).map(one => ({
      id: one.id,
      client_id: one.clientId,
      user: one.userName,
      scope: one.scope,
      made_at: one.madeAt,
      used_at: one.usedAt,
    })),
  }),
  revoke: async ({ id }) => ({ found: await writing(write => write.revokeGrant({ id })) }),
});

const running = ({
  store,
  writing,
}: {
  readonly store: ReadPart<GrantReads>;
  readonly writing: Writing<GrantWrites>;
}) => grantAdmin(store.read, writing);

export const grantsResource = resource(grantOperations, running, running);
