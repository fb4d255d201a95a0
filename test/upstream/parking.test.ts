import { describe, expect, test } from 'vitest';
import { hurriedClock } from '../support/hurried-clock.ts';
import { productKey } from '../support/site.ts';
import { credentials } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { aCloudFor, anUplink, configFor } from '../support/uplink.ts';

const id = 'FACE-T1_A0001';
const isPoison = (_device: string, _topic: string, payload: string) => payload.includes(`"${id}-5"`);

describe.each([
  ['per-device over HTTP', 'per-device', { deviceMqtt: undefined }, 400, 'not wanted'],
  ['per-device over MQTT', 'per-device', {}, 0, 'three times in a row'],
  ['gateway over MQTT', 'gateway', {}, 0, 'three times in a row'],
] as const)('%s', (_name, mode, change, code, reason) => {
  test('what the cloud refuses for good is parked with the reason, and the rest goes on in order', async () => {
    const clock = hurriedClock(50);
    await using cloud = await aCloudFor({ clock });
    cloud.refuseForGood(isPoison);
    await using uplink = await anUplink(configFor(cloud, mode, change), { clock });
    const [device, other] = [await uplink.device(id), await uplink.device('FACE-T1_A0002')];
    await Promise.all([uplink.punches(device, 1, 10), uplink.punches(other, 1, 30)]);
    await until('nothing waits', async () => (await uplink.upstream.status()).outbox.waiting === 0);
    const arrived = new Set(cloud.arrivals.of(id).map(({ mid }) => mid));
    expect([...arrived]).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 10].map(index => `${id}-${index}`));
    expect(cloud.arrivals.firstOf(other.deviceId)).toHaveLength(30);
    const parked = await uplink.store.read.parked();
    expect(parked).toMatchObject([{ deviceNo: device.deviceNo, code }]);
    expect(parked[0]!.reason).toContain(reason);
    expect((await uplink.upstream.status()).outbox.parked).toBe(1);
  });

  test('sent again by a person it arrives when the cloud takes it now, and is parked again when it does not', async () => {
    const clock = hurriedClock(50);
    await using cloud = await aCloudFor({ clock });
    cloud.refuseForGood(isPoison);
    await using uplink = await anUplink(configFor(cloud, mode, change), { clock });
    const device = await uplink.device(id);
    await uplink.punches(device, 1, 6);
    await until('it is parked', async () => (await uplink.store.read.parked()).length === 1);
    await until('the rest is through', () => cloud.arrivals.countOf(id) >= 5);
    expect(await uplink.upstream.sendAgain(null)).toBe(1);
    await until('it is parked again', async () => {
      const [one] = await uplink.store.read.parked();
      return one && !one.sendAgain;
    });
    cloud.refuseForGood(null);
    const [parked] = await uplink.store.read.parked();
    expect(await uplink.upstream.sendAgain(parked!.seq)).toBe(1);
    await until('it arrived', () => cloud.arrivals.of(id).some(({ mid }) => mid === `${id}-5`));
    await until('nothing is parked', async () => (await uplink.store.read.parked()).length === 0);
  });
});

test.each([408, 429, 500, 503])('an answer with code %i is no refusal: the record is sent again', async codeValue => {
  const clock = hurriedClock(50);
  await using cloud = await aCloudFor({ clock, faults: { code: 1, codeValue } });
  await using uplink = await anUplink(configFor(cloud, 'per-device', { deviceMqtt: undefined }), { clock });
  const device = await uplink.device(id);
  await uplink.punches(device, 1, 3);
  await until('it was tried', () => cloud.stats().faults.code > 2);
  cloud.faults.clear();
  await until('all arrived', () => cloud.arrivals.countOf(id) === 3);
  expect(await uplink.store.read.parked()).toEqual([]);
});

test('an Authorization value that is no longer valid makes it connect again, and parks nothing', async () => {
  const clock = hurriedClock(50);
  await using cloud = await aCloudFor({ clock });
  await using uplink = await anUplink(configFor(cloud, 'per-device', { deviceMqtt: undefined }), { clock });
  const device = await uplink.device(id);
  uplink.upstream.presence(device.deviceNo, true);
  await until('up', () => uplink.upstream.isUp(device.deviceNo));
  const { clientId, username: userName, password } = credentials({ deviceId: id, key: productKey });
  const body = JSON.stringify({ clientId, userName, password, keepAliveTime: 60 });
  // The newer login wins: the value of the older one is answered with 406 from here on.
  expect((await fetch(`${cloud.urls.deviceHttp}/api/connect/${id}`, { method: 'POST', body })).status).toBe(200);
  await uplink.punches(device, 1, 3);
  await until('all arrived', () => cloud.arrivals.countOf(id) === 3);
  expect(await uplink.store.read.parked()).toEqual([]);
});

test('in a batch the refused lines are parked, and the batch is not sent again for them', async () => {
  const clock = hurriedClock(20);
  await using cloud = await aCloudFor({ clock });
  await using uplink = await anUplink(configFor(cloud, 'batch'), { clock });
  const device = await uplink.device(id);
  await uplink.punches(device, 1, 2);
  await uplink.say(device, 'no envelope, but sent all the same');
  await uplink.punches(device, 3, 4);
  await until('nothing waits', async () => (await uplink.upstream.status()).outbox.waiting === 0);
  expect(cloud.arrivals.of(id).map(({ mid }) => mid)).toEqual([1, 2, 3, 4].map(index => `${id}-${index}`));
  expect(await uplink.store.read.parked()).toMatchObject([{ seq: 3, code: 400, reason: 'malformed' }]);
  expect(cloud.stats().duplicates).toBe(0);
});
