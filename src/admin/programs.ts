import { z } from '@hono/zod-openapi';
import type { ProgramRefusal } from '../events/index.ts';
import { hasPeoplesData } from '../platform/event-topics.ts';
import type { ReadPart, TokenReads } from '../store/index.ts';
import { described } from '../words/described.ts';
import type { EventSource } from './events.ts';
import { operation, type Report, type Running, resource } from './operation.ts';
import { sentenceShape } from './problem.ts';

const refusal = z.object({
  at: z.number(),
  address: z.string(),
  why: z.string().describe(described('What was refused, why, and what to do', '拒绝了什么、原因和处理办法')),
  ...sentenceShape,
});
const program = z.object({
  id: z.number().describe(described('Of the token', '令牌的编号')),
  name: z.string(),
  topics: z.array(z.string()).describe(described('Filters of topics', '主题过滤器')),
  actions: z.array(z.number()).describe(described('Action codes that it may send', '可发送的 action 代码')),
  peoples_data: z.boolean().describe(described('Whether it hears people’s data', '是否接收人员数据')),
  made_by: z.string(),
  ends_at: z.number().nullable(),
  used_at: z.number().nullable(),
  connections: z.number().describe(described('Over MQTT, now', '当前的 MQTT 连接数')),
  dropped: z
    .number()
    .describe(
      described(
        'Events that it was too slow for, since the start of the box',
        '网关启动以来因其读取过慢而丢弃的事件数',
      ),
    ),
  refusal: refusal
    .nullable()
    .describe(described('The last one since the start of the box; null: none', '网关启动以来最近一次；null：没有')),
});
const programsReport = z.object({
  listens: z
    .object({ address: z.string(), tls: z.boolean() })
    .nullable()
    .describe(
      described('Where programs log in; null: `listen.events` is off', '程序登录的地址；null：`listen.events` 已关闭'),
    ),
  rows: z.array(program).describe(described('By name', '按名称排列')),
  strangers: z
    .array(refusal.extend({ name: z.string() }))
    .describe(
      described('Names without a token that tried to log in, the newest first', '没有令牌却尝试登录的名称，最新的在前'),
    ),
});
export type ProgramReport = Report<typeof program>;
export type ProgramsReport = Report<typeof programsReport>;

const programOperations = {
  list: operation({
    method: 'get',
    path: '/programs',
    role: 'viewer',
    summary: described(
      'The site’s own programs that hear events: what each may, whether it is connected, and why it was refused',
      '接收事件的站点程序：权限、是否已连接，以及为何被拒绝',
    ),
    returns: described('The programs', '程序'),
    answer: programsReport,
  }),
};

const shown = ({ reason, ...one }: ProgramRefusal) => ({ ...one, why: reason });

/** `source` null: the box is stopped. */
const programAdmin = (
  read: Pick<TokenReads, 'tokens'>,
  source: Pick<EventSource, 'broker'> | null,
): Running<typeof programOperations> => ({
  async list() {
    const broker = source?.broker() ?? null;
    const known = new Map((broker?.programs ?? []).map(one => [one.name, one]));
    const rows = (await read.tokens()).flatMap(({ id, name, events, madeBy, endsAt, usedAt }) => {
      if (!events) return [];
      const { connections = 0, dropped = 0, refusals = [] } = known.get(name) ?? {};
      known.delete(name);
      return {
        ...{ id, name, topics: [...events.topics], actions: [...events.actions] },
        peoples_data: hasPeoplesData(events.topics),
        ...{ made_by: madeBy, ends_at: endsAt, used_at: usedAt },
        ...{ connections, dropped, refusal: refusals[0] ? shown(refusals[0]) : null },
      };
    });
    const strangers = [...known.values()].flatMap(({ name, refusals }) =>
      refusals.slice(0, 1).map(one => ({ name, ...shown(one) })),
    );
    return {
      listens: broker && { address: broker.address, tls: broker.isTls },
      rows: rows.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      strangers: strangers.toSorted((one, other) => other.at - one.at),
    };
  },
});

export const programsResource = resource(
  programOperations,
  ({
    store,
    events,
  }: {
    readonly store: ReadPart<Pick<TokenReads, 'tokens'>>;
    readonly events: Pick<EventSource, 'broker'>;
  }) => programAdmin(store.read, events),
  ({ store }: { readonly store: ReadPart<Pick<TokenReads, 'tokens'>> }) => programAdmin(store.read, null),
);
