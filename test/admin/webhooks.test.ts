import { expect, test } from 'vitest';
import { webhooksResource } from '../../src/admin/webhooks.ts';
import type { Webhooks } from '../../src/events/index.ts';

const delivery = {
  ...{ id: 'msg_1', kind: 'checkins', after: 4, through: 9, count: 5, at: 1_763_600_000_000, tries: 2 },
  ...{ state: 'failed', why: 'the receiver answers HTTP 503', nextTryAt: 1_763_600_020_000 },
} as const;
const { nextTryAt, ...rest } = delivery;
const shown = { ...rest, next_try_at: nextTryAt };

const webhooks = {
  report: () => [
    { name: 'till', url: 'https://till.example/hook/s3cret', kinds: ['checkins'], ended: null, deliveries: [delivery] },
  ],
  sendAgain: async (name: string, id: string) => (name === 'till' && id === 'msg_1' ? delivery : null),
} as unknown as Webhooks;

test('webhooks are listed with their last messages, and without the path of their address', async () => {
  const { rows } = await webhooksResource.running({ events: { webhooks: () => webhooks } }).list({});
  expect(rows).toEqual([{ name: 'till', host: 'till.example', kinds: ['checkins'], ended: null, deliveries: [shown] }]);
});

test('a message is sent again; one that is not known is refused', async () => {
  const admin = webhooksResource.running({ events: { webhooks: () => webhooks } });
  expect(await admin.again({ name: 'till', id: 'msg_1' })).toEqual({ delivery: shown });
  for (const [name, id] of [
    ['till', 'msg_2'],
    ['other', 'msg_1'],
  ] as const)
    await expect(admin.again({ name, id })).rejects.toThrow(`the webhook ${name} has sent no message ${id} lately`);
});

test('a box without webhooks lists none', async () => {
  expect(await webhooksResource.running({ events: { webhooks: () => null } }).list({})).toEqual({ rows: [] });
});
