import { z } from '@hono/zod-openapi';
import type { Webhooks } from '../events/index.ts';
import { eventKinds } from '../platform/event-topics.ts';
import { described } from '../words/described.ts';
import { byCommand, operation, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';

const kind = z.enum(eventKinds);
const delivery = z.object({
  id: z
    .string()
    .describe(described('The same for each try (header `webhook-id`)', '每次重试相同（请求头 `webhook-id`）')),
  kind,
  count: z.number().describe(described('Events in it', '其中的事件数')),
  after: z.number().describe(described('They follow this `seq`', '位于此 `seq` 之后')),
  through: z.number(),
  at: z.number().describe(described('The last try', '最近一次尝试')),
  tries: z.number(),
  state: z
    .enum(['taken', 'failed', 'ended'])
    .describe(described('ended: the receiver wants no more calls', 'ended：接收方不再需要调用')),
  why: z.string().describe(described('Empty: it was taken', '空：已被接收')),
  next_try_at: z.number().nullable(),
});
const webhook = z.object({
  name: z.string(),
  host: z.string().describe(described('Of its address, whose path may be a secret', '地址中的主机名；路径可能是机密')),
  kinds: z.array(kind),
  ended: z
    .string()
    .nullable()
    .describe(described('Why nothing more is sent; null: it goes on', '不再发送的原因；null：继续发送')),
  deliveries: z
    .array(delivery)
    .describe(
      described('The last 50 since the start of the box, the newest first', '网关启动以来最近 50 条，最新的在前'),
    ),
});

const webhookOperations = {
  list: operation({
    method: 'get',
    path: '/webhooks',
    role: 'viewer',
    summary: described(
      'Web servers that events are sent to, and what became of the last messages',
      '接收事件的 Web 服务器，以及最近消息的结果',
    ),
    returns: described('The webhooks of the config', '配置中的 webhook'),
    answer: z.object({ rows: z.array(webhook) }),
  }),
  again: operation({
    method: 'post',
    path: '/webhooks/{name}/again',
    role: 'staff',
    audited: described('sent a message of a webhook again', '再次发送 webhook 消息'),
    summary: described('Sends a message of a webhook once more, at once', '立即再次发送一条 webhook 消息'),
    params: z.object({ name: z.string().min(1).max(64) }),
    body: z.object({
      id: z
        .string()
        .min(1)
        .max(200)
        .openapi({ description: described('Of the message', '消息的编号') }),
    }),
    returns: described('What became of it', '结果'),
    answer: z.object({ delivery }),
    failures: {
      404: described(
        'There is no such webhook, or it has not sent this message lately',
        '没有此 webhook，或它近期没有发送过此消息',
      ),
    },
  }),
};

const rowOf = ({ nextTryAt, ...rest }: Awaited<ReturnType<Webhooks['sendAgain']>> & object) => ({
  ...rest,
  next_try_at: nextTryAt,
});

/** `webhooks` null: the config has none, or the box is stopped. */
const webhookAdmin = (webhooks: () => Webhooks | null): Running<typeof webhookOperations> => ({
  list: async () => ({
    rows: (webhooks()?.report() ?? []).map(({ name, url, kinds, ended, deliveries }) => ({
      ...{ name, host: new URL(url).host, kinds: [...kinds], ended },
      deliveries: deliveries.map(rowOf),
    })),
  }),
  async again({ name, id }, call = byCommand) {
    call.subject(`${name} ${id}`);
    const sent = (await webhooks()?.sendAgain(name, id)) ?? null;
    if (!sent) throw refused(404, 'unknown', `the webhook ${name} has sent no message ${id} lately`);
    return { delivery: rowOf(sent) };
  },
});

export const webhooksResource = resource(
  webhookOperations,
  ({ events }: { readonly events: { webhooks(): Webhooks | null } }) => webhookAdmin(() => events.webhooks()),
  () => webhookAdmin(() => null),
);
