import { expect, test } from 'vitest';
import { keepHistory } from '../../src/operations/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { DeviceNo, HistoryPoint } from '../../src/store/index.ts';
import { answered } from '../support/answered.ts';
import { HandClock } from '../support/clock.ts';
import { aProduct, append, applied, aStore, registered } from '../support/store.ts';
import { until } from '../support/until.ts';

const start = Date.parse('2026-11-20T00:00:00Z');

/** A store, and what the sampler sees, in the hands of the test. */
async function sampled() {
  const clock = new HandClock(start);
  const opened = await aStore({ clock });
  const { store } = opened;
  await applied(store, { products: [aProduct()] });
  const { deviceNo } = await registered(store);
  const seen = {
    line: { isUp: true, waiting: 0 } as { isUp: boolean; waiting: number } | null,
    online: [] as DeviceNo[],
  };
  const keeper = keepHistory({
    store,
    clock,
    log: silentLog,
    uplink: async () => seen.line,
    onlineDevices: () => seen.online,
    temperature: async () => 421,
  });
  return {
    ...{ store, clock, deviceNo, seen },
    /** Until so many minutes are kept. */
    async minutes(count: number): Promise<HistoryPoint[]> {
      let points: HistoryPoint[] = [];
      await until(`${count} minutes are kept`, async () => {
        points = await store.read.history({ ring: 'minute', from: start, to: clock.now() });
        return points.length >= count;
      });
      // The sampler has heard so, and sleeps again.
      await answered(store);
      return points;
    },
    async [Symbol.asyncDispose]() {
      await keeper[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

test('a minute keeps the most that waited, how long the line was up, what came, and who was online', async () => {
  await using box = await sampled();
  const { store, clock, deviceNo, seen } = box;
  seen.online = [deviceNo];
  await clock.advance(20_000);
  seen.line = { isUp: false, waiting: 41 };
  const record = { deviceNo, channel: 'device', receivedAt: start, logPath: '', marks: {} } as const;
  await append(store, { ...record, payload: Buffer.from('one') });
  await append(store, { ...record, payload: Buffer.from('two') });
  await clock.advance(30_000);
  seen.online = [];
  await clock.advance(15_000);
  const [first] = await box.minutes(1);
  expect(first).toMatchObject({
    at: start,
    waiting: 41,
    records: 2,
    lineSeconds: 24,
    temperatureTenths: 421,
    online: 1,
  });
  expect(first!.waits.length).toBeGreaterThan(0);
  expect(first!.freeBytes).toBeGreaterThan(0);
  await clock.advance(60_000);
  expect((await box.minutes(2))[1]).toMatchObject({ records: 0, lineSeconds: 0, online: 0 });
});

test('a box without a cloud has no line to tell of', async () => {
  await using box = await sampled();
  box.seen.line = null;
  await box.clock.advance(70_000);
  expect(await box.minutes(1)).toMatchObject([{ waiting: null, lineSeconds: null }]);
});

test('in a region the process that has the turn keeps the minutes, and begins with what comes then', async () => {
  const clock = new HandClock(start);
  await using opened = await aStore({ clock });
  const { store } = opened;
  await applied(store, { products: [aProduct()] });
  const { deviceNo } = await registered(store);
  const listeners: ((isMine: boolean) => void)[] = [];
  const once = {
    isMine: false,
    isUpElsewhere: false,
    tellUp() {},
    onChange: (listener: (isMine: boolean) => void) => void listeners.push(listener),
  };
  await using _keeper = keepHistory({
    ...{ clock, log: silentLog, store: { ...store, once } },
    ...{ uplink: async () => null, onlineDevices: () => [], temperature: async () => null },
  });
  const log = { deviceNo, channel: 'log', receivedAt: start, logPath: 'FT1/A', marks: {}, payload: Buffer.from('a') };
  await append(store, log as never);
  await clock.advance(3 * 60_000);
  once.isMine = true;
  for (const listener of listeners) listener(true);
  await append(store, log as never);
  const kept = await until('a minute is kept', async () => {
    await clock.advance(10_000);
    const points = await store.read.history({ ring: 'minute', from: start, to: clock.now() });
    return points.length > 0 ? points : null;
  });
  expect(kept.map(({ records }) => records)).toEqual([1]);
});
