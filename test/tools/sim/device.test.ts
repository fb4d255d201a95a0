import { describe, expect, test } from 'vitest';
import { realClock } from '../../../src/runtime/real-world.ts';
import { type SimCloud, type SimDevices, startSimCloud, startSimDevices } from '../../../tools/sim/index.ts';
import { HandClock, seededRandom } from '../../support/clock.ts';
import { aSite, productKey } from '../../support/site.ts';
import { until } from '../../support/until.ts';

const aCloud = () =>
  startSimCloud({ clock: realClock, random: seededRandom(1), products: aSite().products, limits: false });
const devicesOf = (url: string | null, more: object = {}): SimDevices =>
  startSimDevices({
    clock: realClock,
    random: seededRandom(2),
    url: url!,
    product: 'FACE-T1',
    productKey,
    model: 'FT1',
    count: 3,
    rate: 200,
    logs: 100,
    recordsMax: 60,
    retryMs: () => 30,
    ...more,
  });

function expectAllInOrder(cloud: SimCloud, devices: SimDevices): void {
  for (const [deviceId, said] of devices.acknowledged())
    expect(cloud.arrivals.firstOf(deviceId).map(({ payload }) => payload)).toEqual(said.map(({ text }) => text));
}

describe.each([
  ['MQTT', (cloud: SimCloud) => cloud.urls.deviceMqtt],
  ['HTTP', (cloud: SimCloud) => cloud.urls.deviceHttp],
])('over %s', (_name, urlOf) => {
  test('everything that is said is acknowledged and arrives in order', async () => {
    await using cloud = await aCloud();
    await using devices = devicesOf(urlOf(cloud));
    await until('all was said', () => devices.stats().said >= 180);
    await devices.whenIdle();
    expectAllInOrder(cloud, devices);
    expect(devices.stats()).toMatchObject({ connected: 3, repeats: 0, reconnects: 0 });
  });

  test('what was not acknowledged is said again, in the old order and with the same mid', async () => {
    await using cloud = await aCloud();
    cloud.faults.set({ drop: 0.1 });
    await using devices = devicesOf(urlOf(cloud));
    await until('all was said', () => devices.stats().said >= 180);
    await until('some was said again', () => devices.stats().repeats > 5);
    cloud.faults.clear();
    await devices.whenIdle();
    expectAllInOrder(cloud, devices);
    expect(cloud.stats().duplicates).toBeGreaterThan(0);
  });
});

test('a device says no more than it may, punches and logs together', async () => {
  const clock = new HandClock();
  await using devices = devicesOf('http://127.0.0.1:9', { clock, count: 5, logs: 200, recordsMax: 7 });
  await clock.advance(10_000);
  expect(devices.stats().said).toBe(35);
});

test('a device that activates goes on with its own key', async () => {
  await using cloud = await aCloud();
  await using devices = devicesOf(cloud.urls.deviceMqtt, { count: 1, rate: 0, logs: 0, activate: true });
  await until('it has a key', () => cloud.keyOf('FACE-T1_A0001') && devices.stats().received === 1);
  cloud.hangUp();
  await until('it is back', () => devices.stats().reconnects === 1 && devices.stats().connected === 1);
  cloud.hangUp();
  await until('it is back again', () => devices.stats().reconnects === 2 && devices.stats().connected === 1);
});
