import { z } from '@hono/zod-openapi';
import { newToken, tokenHash } from '../accounts/index.ts';
import { hasPeoplesData, readFilter, usualFilters } from '../platform/event-topics.ts';
import type { Clock } from '../runtime/clock.ts';
import type { EventRights, ReadPart, TokenReads, TokenWrites } from '../store/index.ts';
import { described } from '../words/described.ts';
import { byCommand, operation, type Report, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';
import { done, personName, rowId } from './shapes.ts';
import type { Writing } from './writing.ts';

const dayMs = 24 * 3600_000;
/** Every token ends: one that nobody said more of after a year. */
const usualDays = 365;

const role = z.enum(['admin', 'staff', 'viewer', 'events']);
/** Pattern of a program's name, which is a level of topics, and the user name of its logins. */
const programNamePattern = /^[\w.@-]{1,64}$/;
const topicsMax = 20;
const actionsMax = 50;
const rights = {
  topics: z
    .array(z.string().min(1).max(200))
    .max(topicsMax)
    .nullable()
    .default(null)
    .describe(
      described(
        'Of role events: the filters of topics that it may subscribe to, below gatehouse/v1; null: no people’s data',
        '角色 events：可订阅的主题过滤器，位于 gatehouse/v1 之下；null：不含人员数据',
      ),
    ),
  actions: z
    .array(z.number().int().min(0).max(0xffff_ffff))
    .max(actionsMax)
    .nullable()
    .default(null)
    .describe(
      described(
        'Of role events: the action codes that it may send to devices; null: none',
        '角色 events：可向设备发送的 action 代码；null：无',
      ),
    ),
};
const token = z.object({
  id: z.number(),
  name: z.string(),
  role,
  topics: z.array(z.string()).nullable().describe(described('Null: the role is not events', 'null：角色不是 events')),
  actions: z.array(z.number()).nullable(),
  peoples_data: z
    .boolean()
    .describe(described('Whether a program with this token hears people’s data', '持此令牌的程序是否接收人员数据')),
  made_by: z.string(),
  made_at: z.number(),
  ends_at: z.number(),
  used_at: z.number().nullable(),
});
export type TokenReport = Report<typeof token>;

const tokenOperations = {
  list: operation({
    method: 'get',
    path: '/tokens',
    role: 'viewer',
    summary: described(
      'Bearer tokens of the admin API and of the site’s own programs: who made them, for which role, until when',
      '管理接口的令牌：创建人、角色和有效期',
    ),
    returns: described('The tokens', '令牌'),
    answer: z.object({ rows: z.array(token), cursor: z.null() }),
  }),
  make: operation({
    method: 'post',
    path: '/tokens',
    role: 'admin',
    audited: described('made a token', '创建令牌'),
    summary: described('Makes a bearer token; the answer alone holds it', '创建令牌，令牌只在这次应答中返回'),
    body: z.object({
      name: personName,
      role,
      days: z
        .number()
        .int()
        .min(1)
        .max(3650)
        .nullable()
        .default(null)
        .openapi({ description: described('null: a year', 'null：一年') }),
      ...rights,
    }),
    returns: described('The token', '令牌'),
    answer: z.object({ token: z.string() }),
    failures: {
      400: described('A filter that is none, or rights that belong to another role', '过滤器无效，或权限属于另一角色'),
    },
  }),
  remove: operation({
    method: 'delete',
    path: '/tokens/{id}',
    role: 'admin',
    audited: described('ended a token', '停用令牌'),
    summary: described('Ends a token', '停用令牌'),
    params: z.object({ id: rowId }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: { 404: described('There is no such token', '没有此令牌') },
  }),
};
type TokenAdmin = Running<typeof tokenOperations>;

const tokenAdmin = (read: TokenReads, writing: Writing<TokenWrites>, clock: Clock): TokenAdmin => ({
  list: async () => ({
    rows: (await read.tokens()).map(one => ({
      id: one.id,
      name: one.name,
      role: one.role,
      topics: one.events && [...one.events.topics],
      actions: one.events && [...one.events.actions],
      peoples_data: one.events !== null && hasPeoplesData(one.events.topics),
      made_by: one.madeBy,
      made_at: one.madeAt,
      ends_at: one.endsAt,
      used_at: one.usedAt,
    })),
    cursor: null,
  }),
  async make({ name, role: of, days, topics, actions }, call = byCommand) {
    call.subject(name);
    if (of === 'events' && !programNamePattern.test(name))
      throw refused(
        400,
        'bad_name',
        `${name}: the name of a program has letters, digits, and . _ @ - alone: it is part of topics`,
      );
    const events = rightsOf(of, topics, actions);
    if (of === 'events' && (await read.tokens()).some(one => one.role === 'events' && one.name === name))
      throw refused(409, 'in_use', `there is a program ${name} already: choose another name, or end its token first`);
    const made = newToken();
    const at = clock.now();
    // The account behind a token, too: what it makes ends with the account.
    const madeBy = call.caller.account;
    const endsAt = at + (days ?? usualDays) * dayMs;
    await writing(write =>
      write.makeToken({ tokenHash: tokenHash(made), name, role: of, madeBy, at, endsAt, ...events }),
    );
    return { token: made };
  },
  async remove({ id }, call = byCommand) {
    call.subject(String(id));
    if (!(await writing(write => write.removeToken({ id })))) throw refused(404, 'unknown', `there is no token ${id}`);
    return { done: true };
  },
});

/** Rights of a token of role `events`; one of another role has none. */
function rightsOf(
  of: z.infer<typeof role>,
  topics: readonly string[] | null,
  actions: readonly number[] | null,
): { events?: EventRights } {
  if (of !== 'events') {
    if (topics ?? actions) throw refused(400, 'bad_rights', `topics and actions are of role events, not of ${of}`);
    return {};
  }
  const filters = (topics ?? usualFilters).map(text => {
    const filter = readFilter(text);
    if (filter !== null) return filter;
    throw refused(
      400,
      'bad_topic',
      `${text}: no filter of topics: write such as checkins/#, devices/+/presence or line`,
    );
  });
  return { events: { topics: [...new Set(filters)], actions: [...new Set(actions ?? [])] } };
}

const running = ({
  store,
  writing,
  clock,
}: {
  readonly store: ReadPart<TokenReads>;
  readonly writing: Writing<TokenWrites>;
  readonly clock: Clock;
}) => tokenAdmin(store.read, writing, clock);

export const tokensResource = resource(tokenOperations, running, running);
