import { expect } from 'vitest';
import type { WebhookWrites } from '../../../src/store/index.ts';
import type { Cases } from './case.ts';

export const webhookCases: Cases<WebhookWrites> = {
  putWebhookPlace: async ({ store: { read, write } }) => {
    expect(await read.webhookPlaces()).toEqual([]);
    const logs = { name: 'payroll', kind: 'logs', seq: 7 };
    for (const seq of [3, 5]) await write.putWebhookPlace({ name: 'payroll', kind: 'checkins', seq });
    await write.putWebhookPlace(logs);
    expect(await read.webhookPlaces()).toEqual([{ name: 'payroll', kind: 'checkins', seq: 5 }, logs]);
  },
};
