import { z } from '@hono/zod-openapi';
import type { EventQuery, Follower, ProgramReport, RecordEvent, Webhooks } from '../events/index.ts';
import { type EventKind, eventKinds, hearsKind } from '../platform/event-topics.ts';
import type { UnixMs } from '../runtime/clock.ts';
import type { EventRights } from '../store/index.ts';
import { auditSubjects } from '../words/audit.ts';
import { described } from '../words/described.ts';
import { byCommand, type Call, operation, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';

/** Where events come from: the tables, whether or not the broker for programs is on. */
export interface EventSource {
  /** Names the store: another one numbers its events otherwise. */
  readonly epoch: string;
  read(query: EventQuery): Promise<RecordEvent[]>;
  /** The `seq` after which the events begin that were received since a moment. */
  placeSince(kind: EventKind, since: UnixMs): Promise<number>;
  follow(follower: Follower): Promise<() => void>;
  /** Report of the broker; null if `listen.events` is off. */
  broker(): BrokerReport | null;
  /** Webhooks; null if the config has none. */
  webhooks(): Promise<Webhooks>;
}

export interface BrokerReport {
  /** Where it listens, such as `127.0.0.1:1884`. */
  readonly address: string;
  readonly isTls: boolean;
  /** Programs that have called since the start, with a token or without. */
  readonly programs: readonly ProgramReport[];
}

const rowsMax = 500;
const event = z
  .looseObject({
    seq: z.number().describe(described('Rises within a kind', '在同一类中递增')),
    previous: z
      .number()
      .describe(
        described(
          'The `seq` of the event before it; of the first of a page, `after`',
          '前一个事件的 `seq`；每页第一个为 `after`',
        ),
      ),
    device_id: z.string().describe(described('Empty: only the cloud lists the record', '空：只有云端列有该记录')),
    device_name: z.string(),
    received_at: z.number(),
  })
  .describe(
    described(
      'As on its topic: /asyncapi.json has the schema of each kind',
      '与其主题上的相同：各类的结构见 /asyncapi.json',
    ),
  );

const eventOperations = {
  read: operation({
    method: 'get',
    path: '/events',
    role: 'events',
    summary: described(
      'Events of check-ins, access records or logs, oldest first, as programs of the site hear them: those after a `seq`',
      '打卡、通行或日志的事件，与站点程序收到的相同：某个序号之后的事件，旧的在前',
    ),
    query: z.object({
      kind: z.enum(eventKinds),
      after: z.coerce
        .number<number>()
        .int()
        .nonnegative()
        .optional()
        .describe(described('The last `seq` that is known', '已知的最后一个 `seq`')),
      since: z.coerce
        .number<number>()
        .int()
        .nonnegative()
        .optional()
        .describe(
          described(
            'In place of `after`: what the box received since this moment, in milliseconds since 1970',
            '代替 `after`：网关自此时刻起收到的事件，自 1970 年起的毫秒数',
          ),
        ),
      limit: z.coerce.number<number>().int().min(1).max(rowsMax).default(rowsMax),
    }),
    returns: described('The page', '一页'),
    answer: z.object({
      rows: z.array(event),
      through: z.number().describe(described('`after` of the next page', '下一页的 `after`')),
      more: z.boolean().describe(described('Whether there may be more now', '现在是否可能还有')),
      epoch: z
        .string()
        .describe(
          described(
            'Another one: the box has another store, and its numbers are others',
            '若已改变：网关的存储已更换，序号也随之不同',
          ),
        ),
    }),
    failures: { 403: described('The token does not hear the whole kind', '令牌不能接收这一类的全部事件') },
  }),
};
type EventAdmin = Running<typeof eventOperations>;

const eventAdmin = (source: EventSource): EventAdmin => ({
  async read({ kind, after, since, limit }, call = byCommand) {
    mustHear(call.hears, kind);
    const from = after ?? (since === undefined ? 0 : await source.placeSince(kind, since));
    const events = await source.read({ kind, after: from, limit });
    if (events.length > 0) noteRead(call, kind);
    return {
      rows: events.map(({ payload }) => JSON.parse(payload)),
      through: events.at(-1)?.seq ?? from,
      more: events.length === limit,
      epoch: source.epoch,
    };
  },
});

/** Of a program: it reads only kinds of which its token allows every topic. */
export function mustHear(hears: EventRights | null, kind: EventKind): void {
  if (hears === null || hearsKind(hears.topics, kind)) return;
  throw refused(403, 'bad_topic', `the token does not allow gatehouse/v1/${kind}/#: make one that does`);
}

/** Like an export: who has read records of people is written down, logs are not of people. */
function noteRead(call: Pick<Call, 'subject' | 'isReadOften'>, kind: EventKind): void {
  if (kind === 'logs') return;
  call.isReadOften();
  call.subject(auditSubjects.say('exported', { what: kind }));
}

export const eventsResource = resource(eventOperations, ({ events }: { readonly events: EventSource }) =>
  eventAdmin(events),
);
