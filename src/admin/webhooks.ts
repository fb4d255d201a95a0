import { z } from '@hono/zod-openapi';
import type { Webhooks } from '../events/index.ts';
import { eventKinds } from '../platform/event-topics.ts';
import { byCommand, operation, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';

const kind = z.enum(eventKinds);
const delivery = z.object({
  id: z.string().describe('The same for each try (header `webhook-id`)'),
  kind,
  count: z.number().describe('Events in it'),
  after: z.number().describe('They follow this `seq`'),
  through: z.number(),
  at: z.number().describe('The last try'),
  tries: z.number(),
  state: z.enum(['taken', 'failed', 'ended']).describe('ended: the receiver wants no more calls'),
  why: z.string().describe('Empty: it was taken'),
  next_try_at: z.number().nullable(),
});
const webhook = z.object({
  name: z.string(),
  host: z.string().describe('Of its address, whose path may be a secret'),
  kinds: z.array(kind),
  ended: z.string().nullable().describe('Why nothing more is sent; null: it goes on'),
  deliveries: z.array(delivery).describe('The last 50 since the start of the box, the newest first'),
});

const webhookOperations = {
  list: operation({
    method: 'get',
    path: '/webhooks',
    role: 'viewer',
    summary: 'Web servers that events are sent to, and what became of the last messages',
    returns: 'The webhooks of the config',
    answer: z.object({ rows: z.array(webhook) }),
  }),
  again: operation({
    method: 'post',
    path: '/webhooks/{name}/again',
    role: 'staff',
    summary: 'Sends a message of a webhook once more, at once',
    params: z.object({ name: z.string().min(1).max(64) }),
    body: z.object({ id: z.string().min(1).max(200).openapi({ description: 'Of the message' }) }),
    returns: 'What became of it',
    answer: z.object({ delivery }),
    failures: { 404: 'There is no such webhook, or it has not sent this message lately' },
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
