import { expect, test } from 'vitest';
import type { DeviceNo } from '../../src/store/index.ts';
import { aGateway, anHttpDevice } from '../support/gateway.ts';
import { aStore, registered } from '../support/store.ts';
import { until } from '../support/until.ts';

test('a start does not wait for tables that another process fills slowly, and counts what enters them later', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const counts = [new Map(), new Map([[deviceNo, 2]])];
  const behind = Object.assign(Object.create(store), {
    health: () => ({ ...store.health(), lagRecords: 5000 }),
    catchUp: () => entered,
    read: Object.assign(Object.create(store.read), {
      logCounts: async (): Promise<ReadonlyMap<DeviceNo, number>> => counts.shift()!,
    }),
  });
  const limits = { logPerSecond: 20, logPerDay: 3, logBytes: 4096, messageBytes: 1 << 20, inboxMessages: 1000 };
  await using gateway = await aGateway({ opened, store: behind, limits });
  const device = await anHttpDevice(gateway, 'FACE-T1_A0001');
  expect((await device.log('a line')).json.msg).toBe('ok');
  enter();
  await until('the day is counted again', () => counts.length === 0);
  expect((await device.log('a line')).json.msg).toBe('ok');
  expect((await device.log('a line')).json.msg).toContain('today');
});
