import { expect, test } from 'vitest';
import { webhooksResource } from '../../src/admin/webhooks.ts';
import type { NotChanged, WebhookReport, Webhooks } from '../../src/events/index.ts';
import type { WebhookDelivery } from '../../src/store/index.ts';

const delivery: WebhookDelivery = {
  ...{ name: 'till', id: 'msg_1', kind: 'checkins', afterSeq: 4, throughSeq: 9, events: 5, at: 1_763_600_000_000 },
  ...{ attempts: 2, state: 'failed', status: 503, tookMs: 12, nextAt: 1_763_600_020_000 },
  ...{ why: 'the receiver answers HTTP 503', code: 'webhook_answers', params: { status: 503 } },
};
const shown = {
  ...{ id: 'msg_1', kind: 'checkins', count: 5, after: 4, through: 9, at: 1_763_600_000_000, attempts: 2 },
  ...{ state: 'failed', status: 503, took_ms: 12, next_at: 1_763_600_020_000 },
  ...{ why: 'the receiver answers HTTP 503', code: 'webhook_answers', params: { status: 503 } },
};
const till: WebhookReport = {
  ...{ name: 'till', url: 'https://till.example/hook/s3cret', kinds: ['checkins'], isFixed: true, paused: false },
  last: delivery,
};

const adminOf = (webhooks: Partial<Webhooks>) =>
  webhooksResource.running({ events: { webhooks: async () => webhooks as Webhooks } });
const url = 'https://till.example/hook';

test('webhooks are listed without the path of their address', async () => {
  const { rows } = await adminOf({ report: async () => [till] }).list({});
  expect(rows).toEqual([
    { name: 'till', host: 'till.example', kinds: ['checkins'], fixed: true, paused: false, last: shown },
  ]);
});

test('a message is sent again; one that is not known, or waits, is refused', async () => {
  const admin = adminOf({ sendAgain: async (_, id) => ({ msg_1: delivery, msg_2: 'paused' as const })[id] ?? null });
  expect(await admin.again({ name: 'till', id: 'msg_1' })).toEqual({ delivery: shown });
  await expect(admin.again({ name: 'till', id: 'msg_2' })).rejects.toThrow('is paused');
  await expect(admin.again({ name: 'till', id: 'msg_3' })).rejects.toThrow('has sent no message msg_3 lately');
});

test.each<[object, string]>([
  [{ name: 'a b' }, 'name: not a name'],
  [{ url: 'ftp://till.example' }, 'url: begins with ftp://'],
  [{ url: 'https://mei:pw@till.example' }, 'holds a user name or password'],
  [{ url: 'till.example' }, 'url: not an address'],
])('%o is refused as in the config', async (wrong, why) => {
  const admin = adminOf({});
  await expect(admin.add({ name: 'till', url, kinds: ['checkins'], ...wrong })).rejects.toThrow(why);
});

test.each<[NotChanged, number, string]>([
  ['unknown', 404, 'there is no webhook till'],
  ['fixed', 409, 'stands in the config'],
  ['exists', 409, 'choose another name'],
  ['too_many', 409, 'delete one first'],
])('what cannot be done is refused: %s', async (why, status, says) => {
  const admin = adminOf({ add: async () => why, change: async () => why, remove: async () => why });
  for (const act of [
    () => admin.add({ name: 'till', url, kinds: ['checkins'] }),
    () => admin.change({ name: 'till', paused: true }),
    () => admin.remove({ name: 'till' }),
  ])
    await expect(act()).rejects.toMatchObject({ problem: { status, detail: expect.stringContaining(says) } });
});
