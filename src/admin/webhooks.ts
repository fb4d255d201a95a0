import { z } from '@hono/zod-openapi';
import { webhookSettings } from '../config/index.ts';
import type { NotChanged, WebhookReport, Webhooks } from '../events/index.ts';
import { eventKinds } from '../platform/event-topics.ts';
import type { WebhookDelivery } from '../store/index.ts';
import { described } from '../words/described.ts';
import { whyIn } from '../words/sentences.ts';
import { webhookSubjects } from '../words/webhooks.ts';
import { byCommand, operation, type Report, type Running, resource } from './operation.ts';
import { refused, sentenceShape } from './problem.ts';
import { readSettings } from './settings-sent.ts';
import { done } from './shapes.ts';

const kind = z.enum(eventKinds);
const kinds = z.array(kind).min(1).max(eventKinds.length);
const url = z
  .string()
  .max(2048)
  .describe(
    described(
      'As in the config: https://… or http://…; in environment production no address of the box itself',
      '与配置文件中相同：https://… 或 http://…；环境为 production 时不能是网关自身的地址',
    ),
  );
const params = z.object({ name: z.string().min(1).max(64) });

const attempt = {
  status: z
    .number()
    .nullable()
    .describe(described('HTTP status; null: there was no answer', 'HTTP 状态；null：没有应答')),
  took_ms: z.number(),
  why: z.string().describe(described('Why it was not taken; empty: it was', '未被接收的原因；空：已接收')),
  ...sentenceShape,
};
const delivery = z.object({
  id: z
    .string()
    .describe(described('The same for each attempt (header `webhook-id`)', '每次尝试相同（请求头 `webhook-id`）')),
  kind,
  count: z.number().describe(described('Events in it', '其中的事件数')),
  after: z.number().describe(described('They follow this `seq`', '位于此 `seq` 之后')),
  through: z.number(),
  at: z.number().describe(described('The last attempt', '最近一次尝试')),
  attempts: z.number(),
  state: z
    .enum(['taken', 'failed', 'ended'])
    .describe(described('ended: the receiver wants no more calls', 'ended：接收方不再需要调用')),
  ...attempt,
  next_at: z
    .number()
    .nullable()
    .describe(described('The next attempt; null: none is planned', '下次尝试；null：没有计划')),
});
type DeliveryRow = Report<typeof delivery>;

const webhook = z.object({
  name: z.string(),
  host: z.string().describe(described('Of its address, whose path may be a secret', '地址中的主机名；路径可能是机密')),
  kinds: z.array(kind),
  fixed: z
    .boolean()
    .describe(described('It stands in the config, and cannot be changed here', '在配置文件中，不能在此修改')),
  paused: z.boolean().describe(described('Events wait until it is resumed', '事件等到恢复后再发送')),
  last: delivery
    .nullable()
    .describe(described('The newest attempt; null: nothing was sent', '最近一次尝试；null：尚未发送')),
});

const failures = {
  404: described('There is no such webhook', '没有此 webhook'),
  409: described(
    'fixed: it stands in the config; in_use: the name is taken; too_many: there are ten already',
    'fixed：在配置文件中；in_use：名称已使用；too_many：已有十个',
  ),
};
const wrongValue = { 422: described('A value is wrong; the title names it', '某个值有误；标题指出是哪个') };

const webhookOperations = {
  list: operation({
    method: 'get',
    path: '/webhooks',
    role: 'viewer',
    summary: described(
      'Web servers that events are sent to, of the config and added here',
      '接收事件的 Web 服务器，包括配置文件中的和在此添加的',
    ),
    returns: described('The webhooks', 'webhook 列表'),
    answer: z.object({ rows: z.array(webhook) }),
  }),
  add: operation({
    method: 'post',
    path: '/webhooks',
    role: 'admin',
    audited: described('added a webhook', '添加 webhook'),
    summary: described(
      'Adds a webhook. It begins with the next event; its secret is made here and answered this once',
      '添加 webhook，从下一个事件开始发送；密钥由网关生成，只返回这一次',
    ),
    body: z.object({ name: z.string().max(64), url, kinds }),
    returns: described('The secret', '密钥'),
    answer: z.object({ secret: z.string() }),
    failures: { 409: failures[409], ...wrongValue },
  }),
  change: operation({
    method: 'put',
    path: '/webhooks/{name}',
    role: 'admin',
    audited: described('changed a webhook', '修改 webhook'),
    summary: described(
      'Changes a webhook from its next call on; what is absent stays. A new address gets a new secret, so that nobody else is sent what the old one signs',
      '修改 webhook，从下一次调用起生效；未给出的保持不变。更换地址时会换新密钥，旧密钥签名的内容不会发给别人',
    ),
    params,
    body: z.object({
      url: url.optional(),
      kinds: kinds.optional(),
      paused: z.boolean().optional(),
      new_secret: z.boolean().optional(),
    }),
    returns: described('The new secret, answered this once; null: it stays', '新密钥，只返回这一次；null：不变'),
    answer: z.object({ secret: z.string().nullable() }),
    failures: { ...failures, ...wrongValue },
  }),
  remove: operation({
    method: 'delete',
    path: '/webhooks/{name}',
    role: 'admin',
    audited: described('deleted a webhook', '删除 webhook'),
    summary: described('Deletes a webhook, and what waits for its receiver', '删除 webhook 及其待发送的内容'),
    params,
    returns: described('Done', '已完成'),
    answer: done,
    failures,
  }),
  test: operation({
    method: 'post',
    path: '/webhooks/{name}/test',
    role: 'admin',
    audited: described('tested a webhook', '测试 webhook'),
    summary: described(
      'Calls the receiver at once with `events.test`, a message without events',
      '立即用不含事件的消息 `events.test` 调用接收方',
    ),
    params,
    returns: described('What the receiver answered', '接收方的应答'),
    answer: z.object({
      taken: z.boolean(),
      ...attempt,
      answer: z.string().describe(described('Its first 200 characters', '前 200 个字符')),
    }),
    failures: { 404: failures[404] },
  }),
  deliveries: operation({
    method: 'get',
    path: '/webhooks/{name}/deliveries',
    role: 'viewer',
    summary: described('The last 50 messages of a webhook', 'webhook 最近的 50 条消息'),
    params,
    returns: described('The messages, the newest attempt first', '消息，最近尝试的在前'),
    answer: z.object({ rows: z.array(delivery) }),
    failures: { 404: failures[404] },
  }),
  again: operation({
    method: 'post',
    path: '/webhooks/{name}/again',
    role: 'staff',
    audited: described('sent a message of a webhook again', '再次发送 webhook 消息'),
    summary: described('Sends a message of a webhook once more, at once', '立即再次发送一条 webhook 消息'),
    params,
    body: z.object({
      id: z
        .string()
        .min(1)
        .max(200)
        .openapi({ description: described('Of the message', '消息的编号') }),
    }),
    returns: described(
      'What became of it; of one that waited for its next attempt, as it was before',
      '结果；正在等待下次尝试的，为此前的结果',
    ),
    answer: z.object({ delivery }),
    failures: {
      404: described(
        'There is no such webhook, or it has not sent this message lately',
        '没有此 webhook，或它近期没有发送过此消息',
      ),
      409: described('paused: the message waits until the webhook is resumed', 'paused：恢复 webhook 后才会发送此消息'),
    },
  }),
};

const rowOf = (one: WebhookDelivery): DeliveryRow => ({
  ...{ id: one.id, kind: one.kind, count: one.events, after: one.afterSeq, through: one.throughSeq },
  ...{ at: one.at, attempts: one.attempts, state: one.state, status: one.status, took_ms: one.tookMs },
  ...whyIn(one),
  next_at: one.nextAt,
});

const hookOf = ({ url: address, isFixed, last, ...rest }: WebhookReport) => ({
  ...{ name: rest.name, host: new URL(address).host, kinds: [...rest.kinds] },
  ...{ fixed: isFixed, paused: rest.paused, last: last && rowOf(last) },
});

const unknown = (name: string) => refused(404, 'unknown', `there is no webhook ${name}`);

function notChanged(name: string, why: NotChanged) {
  if (why === 'unknown') return unknown(name);
  if (why === 'fixed') return refused(409, why, `the webhook ${name} stands in the config: change it there`);
  if (why === 'exists') return refused(409, 'in_use', `there is a webhook ${name} already: choose another name`);
  return refused(409, why, 'there are ten webhooks already: delete one first');
}

const running = (webhooks: () => Promise<Webhooks>): Running<typeof webhookOperations> => ({
  list: async () => ({ rows: (await (await webhooks()).report()).map(hookOf) }),

  async add(sent, call = byCommand) {
    const read = readSettings(webhookSettings.omit({ secret: true }), sent, {});
    call.subject(webhookSubjects.say('webhook_added', { name: read.name, host: new URL(read.url).host }));
    const made = await (await webhooks()).add(read);
    if (typeof made === 'string') throw notChanged(read.name, made);
    return made;
  },

  async change({ name, new_secret: newSecret, paused, ...sent }, call = byCommand) {
    const read = readSettings(webhookSettings.pick({ url: true, kinds: true }).partial(), sent, {});
    const keys = [
      ...Object.keys(read),
      ...(paused === undefined ? [] : [paused ? 'paused' : 'resumed']),
      ...(newSecret ? ['secret'] : []),
    ];
    call.subject(webhookSubjects.say('webhook_changed', { name, keys: keys.join(', ') }));
    const changed = await (await webhooks()).change(name, { ...read, paused, newSecret });
    if (typeof changed === 'string') throw notChanged(name, changed);
    return changed;
  },

  async remove({ name }, call = byCommand) {
    call.subject(name);
    const why = await (await webhooks()).remove(name);
    if (why !== null) throw notChanged(name, why);
    return { done: true };
  },

  async test({ name }, call = byCommand) {
    call.subject(name);
    const called = await (await webhooks()).test(name, call.signal ?? new AbortController().signal);
    if (!called) throw unknown(name);
    const { state, status, tookMs, answer } = called;
    return { taken: state === 'taken', status, took_ms: tookMs, ...whyIn(called), answer };
  },

  async deliveries({ name }) {
    const found = await (await webhooks()).deliveries(name);
    if (!found) throw unknown(name);
    return { rows: found.map(rowOf) };
  },

  async again({ name, id }, call = byCommand) {
    call.subject(`${name} ${id}`);
    const sent = await (await webhooks()).sendAgain(name, id, call.signal ?? new AbortController().signal);
    if (sent === 'paused')
      throw refused(409, sent, `the webhook ${name} is paused: resume it, and it sends the message`);
    if (!sent) throw refused(404, 'unknown', `the webhook ${name} has sent no message ${id} lately`);
    return { delivery: rowOf(sent) };
  },
});

export const webhooksResource = resource(
  webhookOperations,
  ({ events }: { readonly events: { webhooks(): Promise<Webhooks> } }) => running(() => events.webhooks()),
);
