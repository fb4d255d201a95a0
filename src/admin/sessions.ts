import { z } from '@hono/zod-openapi';
import type { AccountReads, AccountWrites, ReadPart } from '../store/index.ts';
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
    summary: 'Browsers at which a person is logged in',
    params,
    returns: 'The sessions, the last seen first',
    answer: z.object({ sessions: z.array(session) }),
  }),
  end: operation({
    method: 'post',
    path: '/users/{name}/sessions/end',
    role: 'admin',
    summary: 'Logs a person out everywhere',
    params,
    returns: 'How many sessions ended',
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
