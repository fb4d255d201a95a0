import { expect, test } from 'vitest';
import type { Arrival } from '../../tools/sim/index.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { until } from '../support/until.ts';
import { aCloudFor, anUplink, configFor } from '../support/uplink.ts';

const ids = Array.from({ length: 10 }, (_, index) => `FACE-T1_A${index}`);
const texts = (arrivals: readonly Arrival[]) => arrivals.map(({ payload }) => payload);
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `{"n":${from + index}}`);

test.each(['per-device', 'gateway'] as const)(
  'a backlog of logs drains at the rate that the cloud allows, and it drops none (%s)',
  async mode => {
    await using cloud = await aCloudFor({ limits: {} });
    await using uplink = await anUplink(configFor(cloud, mode), { devices: ids });
    const devices = await Promise.all(ids.map(id => uplink.device(id)));
    await cloud.cut();
    for (const text of numbered(1, 120)) await Promise.all(devices.map(device => uplink.say(device, text, 'log')));
    await cloud.restore();
    await until('all arrived', () => ids.every(id => cloud.arrivals.countOf(id) === 120));
    expect(cloud.stats()).toMatchObject({ drops: { rate: 0, day: 0 } });
    for (const id of ids) {
      const arrivals = cloud.arrivals.of(id);
      expect(texts(arrivals)).toEqual(numbered(1, 120));
    }
  },
);

test('a box that is started again at once sends no more in a second than the cloud allows, and it drops none', async () => {
  await using cloud = await aCloudFor({ limits: {} });
  await using uplink = await anUplink(configFor(cloud));
  const device = await uplink.device(ids[0]!);
  for (const text of numbered(1, 60)) void uplink.say(device, text, 'log');
  await until('as many came as the second allows', () => cloud.arrivals.countOf(ids[0]!) === 20);
  await uplink.restart();
  await until('all came', () => cloud.stats().received + cloud.stats().drops.rate >= 60);
  expect(cloud.stats().drops).toEqual({ rate: 0, day: 0 });
});

test('what is over the count of the day waits for the next day of the cloud, also after a restart', async () => {
  await using cloud = await aCloudFor({ limits: { logPerSecond: 1000, logPerDay: 30 } });
  await using uplink = await anUplink(configFor(cloud), { perSecond: 1000, perDay: 30 });
  const device = await uplink.device(ids[0]!);
  for (const text of numbered(1, 50)) await uplink.say(device, text, 'log');
  await until('the day is full', () => cloud.arrivals.countOf(ids[0]!) === 30);
  await until('it is written down', () => uplink.store.directory.deviceByNo(device.deviceNo)!.forwardedSeq === 30);
  await uplink.store.catchUp();
  await uplink.restart();
  await until('it is back', () => uplink.upstream.isUp(device.deviceNo));
  // Whatever it would send now has been sent when a later message of another device is through.
  const other = await uplink.device(ids[1]!);
  await uplink.punches(other, 1, 3);
  await until('the other is through', () => cloud.arrivals.countOf(ids[1]!) === 3);
  expect(cloud.stats()).toMatchObject({ received: 33, drops: { rate: 0, day: 0 } });
  expect((await uplink.upstream.status()).outbox.waiting).toBe(20);
});

test.each(['per-device', 'gateway'] as const)(
  "a punch never waits behind logs that the cloud's count of the day holds back, also after a restart (%s)",
  async mode => {
    await using cloud = await aCloudFor({ limits: { logPerSecond: 1000, logPerDay: 10 } });
    await using uplink = await anUplink(configFor(cloud, mode), { perSecond: 1000, perDay: 10 });
    const device = await uplink.device(ids[0]!);
    const punches = () => cloud.arrivals.of(ids[0]!).filter(({ topic }) => !topic.startsWith('log/')).length;
    for (const text of numbered(1, 500)) void uplink.say(device, text, 'log');
    await uplink.punches(device, 1, 3);
    await until('the punches are through', () => punches() === 3);
    await until('and the logs of the day', () => cloud.arrivals.countOf(ids[0]!) === 13);
    await until(
      'they are written down',
      () => uplink.store.directory.deviceByNo(device.deviceNo)!.forwarded.device > 500,
    );
    await uplink.store.catchUp();
    const [newest] = await uplink.store.read.ledger(device.deviceNo, { limit: 1 });
    expect(newest).toMatchObject({ channel: 'device', state: 'confirmed' });
    await uplink.restart();
    expect((await uplink.upstream.status()).outbox.waiting).toBe(490);
    await uplink.punches(device, 4, 5);
    await until('the later ones too', () => punches() === 5);
    expect(cloud.stats()).toMatchObject({ received: 15, drops: { rate: 0, day: 0 } });
    await until('they wait no longer', async () => (await uplink.upstream.status()).outbox.waiting === 490);
  },
);

test("what the day's count held back goes up when the cloud's day turns, in order", async () => {
  const clock = hurriedClock(20_000);
  await using cloud = await aCloudFor({ clock, limits: { logPerSecond: 1000, logPerDay: 10 } });
  await using uplink = await anUplink(configFor(cloud), { clock, perSecond: 1000, perDay: 10 });
  const device = await uplink.device(ids[0]!);
  for (const text of numbered(1, 25)) void uplink.say(device, text, 'log');
  await until('all three days have passed', () => cloud.arrivals.countOf(ids[0]!) === 25);
  expect(texts(cloud.arrivals.firstOf(ids[0]!))).toEqual(numbered(1, 25));
});

test('a device whose logs are paced does not hold others up', async () => {
  await using cloud = await aCloudFor({ limits: {} });
  await using uplink = await anUplink(configFor(cloud, 'gateway'));
  const [busy, quiet] = [await uplink.device(ids[0]!), await uplink.device(ids[1]!)];
  for (const text of numbered(1, 2000)) void uplink.say(busy, text, 'log');
  await uplink.punches(quiet, 1, 5);
  await until('the quiet one is through', () => cloud.arrivals.countOf(ids[1]!) === 5);
  expect(cloud.arrivals.countOf(ids[0]!)).toBeLessThan(2000);
  expect(cloud.stats().drops).toEqual({ rate: 0, day: 0 });
});

test('a backlog without limits drains in order, from many devices side by side', async () => {
  const clock = hurriedClock(10);
  await using cloud = await aCloudFor({ clock });
  await using uplink = await anUplink(configFor(cloud), { clock, perSecond: 1e9, perDay: 1e9 });
  const devices = await Promise.all(ids.map(id => uplink.device(id)));
  await cloud.cut();
  for (const device of devices) for (const text of numbered(1, 1000)) void uplink.say(device, text, 'log');
  await uplink.say(devices[0]!, '{"n":0}', 'log');
  await cloud.restore();
  await until('all arrived', () => cloud.stats().received >= 10_001);
  for (const id of ids.slice(1)) expect(texts(cloud.arrivals.firstOf(id))).toEqual(numbered(1, 1000));
});
