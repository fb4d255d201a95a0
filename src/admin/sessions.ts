import { z } from '@hono/zod-openapi';
import type { AccountReads, AccountWrites, ReadPart } from '../store/index.ts';
import { described } from '../words/described.ts';
import { operation, type Running, resource } from './operation.ts';
import type { Writing } from './writing.ts';

const params = z.object({ name: z.string().min(1) });
const session = z.object({
  user: z.string(),
  opened_at: z.number(),
  seen_at: z.number(),
  address: z.string(),
  agent: z.string(),
});

const sessionOperations = {
  list: operation({
    method: 'get',
    path: '/users/{name}/sessions',
    role: 'viewer',
    summary: described('Browsers at which a person is logged in', '一名人员已登录的浏览器'),
    params,
    returns: described('The sessions, the last seen first', '会话，最近使用的在前'),
    answer: z.object({ sessions: z.array(session) }),
  }),
  end: operation({
    method: 'post',
    path: '/users/{name}/sessions/end',
    role: 'admin',
    audited: described('ended sessions', '结束登录'),
    summary: described('Logs a person out everywhere', '结束一名人员的全部登录'),
    params,
    returns: described('How many sessions ended', '结束的会话数'),
    answer: z.object({ count: z.number() }),
  }),
};
type SessionAdmin = Running<typeof sessionOperations>;

const sessionAdmin = (read: AccountReads, writing: Writing<AccountWrites>): SessionAdmin => ({
  list: async ({ name }) => ({
    sessions: (await read.sessions(name)).map(one => ({
      user: name,
      opened_at: one.openedAt,
      seen_at: one.seenAt,
      address: one.address,
      agent: one.agent,
    })),
  }),
  end: async ({ name }) => ({ count: await writing(write => write.endSessions({ userName: name })) }),
});

const running = ({
  store,
  writing,
}: {
  readonly store: ReadPart<AccountReads>;
  readonly writing: Writing<AccountWrites>;
}) => sessionAdmin(store.read, writing);

export const sessionsResource = resource(sessionOperations, running, running);
