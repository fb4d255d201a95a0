import { expect } from 'vitest';
import type { WebhookDelivery, WebhookWrites } from '../../../src/store/index.ts';
import { webhookFailures } from '../../../src/words/webhooks.ts';
import { at, type Cases } from './case.ts';

const payroll = {
  ...{ name: 'payroll', url: 'https://payroll.example/hook', secret: 'whsec_x', paused: false, madeAt: at },
  kinds: ['checkins', 'logs'],
} as const;

type Attempt = Omit<WebhookDelivery, 'attempts'>;
const attempt = (through: number, more: Partial<Attempt> = {}): Attempt => ({
  ...{ name: 'payroll', id: `msg_${through}`, kind: 'checkins', afterSeq: through - 1, throughSeq: through, events: 1 },
  ...{ at: at + through, state: 'taken', status: 200, tookMs: 12, why: '', nextAt: null },
  ...more,
});

export const webhookCases: Cases<WebhookWrites> = {
  putWebhook: async ({ store: { read, write } }) => {
    expect(await read.webhooks()).toEqual([]);
    const till = { ...payroll, name: 'till' };
    await write.putWebhook(till);
    await write.putWebhook(payroll);
    expect(await read.webhooks()).toEqual([payroll, till]);
    const changed = { ...payroll, paused: true, kinds: ['access'], secret: 'whsec_y' } as const;
    await write.putWebhook(changed);
    expect(await read.webhooks()).toEqual([changed, till]);
  },

  removeWebhook: async ({ store: { read, write } }) => {
    await write.putWebhook(payroll);
    await write.putWebhookPlace({ name: 'payroll', kind: 'access', seq: 9 });
    await write.noteWebhookDelivery(attempt(1));
    await write.removeWebhook({ name: 'payroll' });
    await write.removeWebhook({ name: 'nobody' });
    expect([await read.webhooks(), await read.webhookPlaces(), await read.webhookDeliveries('payroll')]).toEqual([
      [],
      [],
      [],
    ]);
  },

  putWebhookPlace: async ({ store: { read, write } }) => {
    expect(await read.webhookPlaces()).toEqual([]);
    const logs = { name: 'payroll', kind: 'logs', seq: 7 } as const;
    for (const seq of [3, 5]) await write.putWebhookPlace({ name: 'payroll', kind: 'checkins', seq });
    await write.putWebhookPlace(logs);
    expect(await read.webhookPlaces()).toEqual([{ name: 'payroll', kind: 'checkins', seq: 5 }, logs]);
  },

  noteWebhookDelivery: async ({ store: { read, write } }) => {
    const { reason: why, ...said } = webhookFailures.say('webhook_answers', { status: 503 });
    const failed = attempt(1, { at, state: 'failed', status: 503, nextAt: at + 5000, why, ...said });
    await write.noteWebhookDelivery({ ...attempt(9), name: 'till' });
    await write.noteWebhookDelivery(failed);
    expect(await read.webhookDeliveries('payroll')).toEqual([{ ...failed, attempts: 1 }]);
    await write.noteWebhookDelivery(attempt(1));
    expect(await read.webhookDeliveries('payroll')).toEqual([{ ...attempt(1), attempts: 2 }]);
    // After a restart the page of what waited is longer, and its message another one.
    await write.noteWebhookDelivery(attempt(2, { state: 'failed' }));
    await write.noteWebhookDelivery(attempt(3, { afterSeq: 1 }));
    expect((await read.webhookDeliveries('payroll')).map(({ id }) => id)).toEqual(['msg_3', 'msg_1']);
    for (let seq = 4; seq < 60; seq++) await write.noteWebhookDelivery(attempt(seq));
    const kept = await read.webhookDeliveries('payroll');
    expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([50, 'msg_59', 'msg_10']);
    expect(await read.webhookDeliveries('payroll', 1)).toHaveLength(1);
    expect(await read.webhookDeliveries('till')).toHaveLength(1);
  },

  dropWebhookKind: async ({ store: { read, write } }) => {
    await write.noteWebhookDelivery(attempt(1));
    await write.noteWebhookDelivery(attempt(2, { state: 'failed' }));
    await write.noteWebhookDelivery(attempt(3, { state: 'failed', kind: 'logs' }));
    await write.dropWebhookKind({ name: 'payroll', kind: 'checkins' });
    expect((await read.webhookDeliveries('payroll')).map(({ id }) => id)).toEqual(['msg_3', 'msg_1']);
  },
};
