import { describe, expect, test } from 'vitest';
import { hurriedClock } from '../support/hurried-clock.ts';
import { aProduct, append, applied } from '../support/store.ts';
import { punch } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { aCloudFor, anUplink, configFor, nobody } from '../support/uplink.ts';

const id = 'FACE-T1_A0001';
const mids = (from: number, to: number, device = id) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${device}-${from + index}`);

describe.each([
  ['per-device over MQTT', 'per-device', 'mqtt', {}],
  ['per-device over HTTP', 'per-device', 'http', { deviceMqtt: undefined }],
  ['gateway over MQTT', 'gateway', 'mqtt', {}],
  ['gateway over HTTP', 'gateway', 'http', { deviceMqtt: undefined }],
  ['batch', 'batch', 'batch', {}],
] as const)('%s', (_name, mode, via, change) => {
  test('records arrive in order for each device and are confirmed', async () => {
    await using cloud = await aCloudFor();
    await using uplink = await anUplink(configFor(cloud, mode, change));
    const devices = await Promise.all(['A0001', 'A0002', 'A0003'].map(sn => uplink.device(`FACE-T1_${sn}`)));
    await Promise.all(devices.map(device => uplink.punches(device, 1, 40)));
    await until('all are confirmed', async () => (await uplink.upstream.status()).outbox.waiting === 0);
    for (const device of devices) {
      const arrivals = cloud.arrivals.of(device.deviceId);
      expect(arrivals.map(({ mid }) => mid)).toEqual(mids(1, 40, device.deviceId));
      expect(new Set(arrivals.map(arrival => arrival.via))).toEqual(new Set([via]));
      const last = await until('it is written down', async () => {
        const [row] = await uplink.store.read.ledger(device.deviceNo, { limit: 1 });
        return row?.state === 'confirmed' ? row : null;
      });
      expect(last).toMatchObject({ mid: `${device.deviceId}-40`, state: 'confirmed', via });
    }
  });

  test('records that are confirmed as fast as they come do not count as waiting afterwards', async () => {
    await using cloud = await aCloudFor();
    await using uplink = await anUplink(configFor(cloud, mode, change));
    const device = await uplink.device(id);
    for (let index = 1; index <= 60; index++) await uplink.punches(device, index, index);
    await until('all are confirmed', () => cloud.arrivals.countOf(id) === 60);
    await until('nothing waits', async () => (await uplink.upstream.status()).outbox.waiting === 0);
    expect(uplink.upstream.waiting().size).toBe(0);
  });

  test('after a restart it continues after the last confirmed record', async () => {
    await using cloud = await aCloudFor();
    await using uplink = await anUplink(configFor(cloud, mode, change));
    const device = await uplink.device(id);
    await uplink.punches(device, 1, 10);
    await until('all are confirmed', async () => (await uplink.upstream.status()).outbox.waiting === 0);
    await uplink.restart();
    await uplink.punches(device, 11, 20);
    await until('the rest arrives', () => cloud.arrivals.countOf(id) >= 20);
    expect(cloud.arrivals.of(id).map(({ mid }) => mid)).toEqual(mids(1, 20));
  });

  test('a message for a device is delivered; an answer to a message that the box has answered is not', async () => {
    await using cloud = await aCloudFor();
    await using uplink = await anUplink(configFor(cloud, mode, change), { clock: hurriedClock(20) });
    const device = await uplink.device(id);
    uplink.upstream.presence(device.deviceNo, true);
    await uplink.punches(device, 1, 1);
    await until('it arrived', () => cloud.arrivals.countOf(id) === 1);
    const message = { mid: 'd1', from: 'system', to: id, time: 1, action: 9, data: { code: 0, msg: 'hello' } };
    await until('it is there', () => uplink.upstream.isUp(device.deviceNo));
    cloud.send(id, message);
    await until('it came down', () => uplink.delivered.length > 0);
    expect(uplink.delivered.map(({ text }) => JSON.parse(text))).toEqual([message]);
  });
});

test.each([
  ['MQTT', {}],
  ['HTTP', { deviceMqtt: undefined }],
] as const)(
  'a message that the box cannot take over %s stops neither the next nor the records',
  async (_name, change) => {
    await using cloud = await aCloudFor();
    await using uplink = await anUplink(configFor(cloud, 'per-device', change), {
      clock: hurriedClock(20),
      handOver: text => (text.includes('"bad"') ? Promise.reject(new Error('the disk is full')) : Promise.resolve()),
    });
    const device = await uplink.device(id);
    uplink.upstream.presence(device.deviceNo, true);
    await until('it is there', () => uplink.upstream.isUp(device.deviceNo) && cloud.isOnline(id));
    cloud.send(id, { mid: 'bad', from: 'system', to: id, time: 1, action: 9, data: {} });
    await uplink.punches(device, 1, 3);
    await until('the records arrived', () => cloud.arrivals.countOf(id) >= 3);
    await until('the next came down', () => {
      cloud.send(id, { mid: 'good', from: 'system', to: id, time: 1, action: 9, data: {} });
      return uplink.delivered.some(({ text }) => text.includes('"good"'));
    });
  },
);

test('local records are skipped, and nothing waits for them', async () => {
  await using cloud = await aCloudFor();
  await using uplink = await anUplink(configFor(cloud));
  const device = await uplink.device(id);
  await uplink.say(device, 'garbage', 'device', { malformed: true, local: true });
  await uplink.say(device, punch(id, 'local'), 'device', { local: true });
  await uplink.punches(device, 1, 1);
  await uplink.say(device, 'more garbage', 'device', { malformed: true, local: true });
  await until('the cursor is at the end', () => {
    const { forwardedSeq } = uplink.store.directory.deviceByNo(device.deviceNo)!;
    return forwardedSeq >= 3;
  });
  expect(cloud.arrivals.of(id).map(({ mid }) => mid)).toEqual([`${id}-1`]);
  expect((await uplink.upstream.status()).outbox).toMatchObject({ waiting: 0, parked: 0, oldestAt: null });
});

test('a time of 0 becomes the second of receipt; every other byte is as the device wrote it', async () => {
  await using cloud = await aCloudFor();
  await using uplink = await anUplink(configFor(cloud));
  const device = await uplink.device(id);
  const odd = `{ "mid":"x",\t"from":"${id}","to":"system", "time" : 0,"action":77,"data":{"time":0,"n":1.50}}`;
  await uplink.say(device, odd);
  const [arrival] = await until('it arrived', () => (cloud.arrivals.countOf(id) > 0 ? cloud.arrivals.of(id) : null));
  const received = (await uplink.store.read.record(1 as never))!.receivedAt;
  expect(arrival!.payload).toBe(odd.replace('"time" : 0', `"time" : ${Math.floor(received / 1000)}`));
});

test('the cloud sees a device as online exactly while the site does, or until its backlog is drained', async () => {
  await using cloud = await aCloudFor();
  await using uplink = await anUplink(configFor(cloud), { clock: hurriedClock(20) });
  const device = await uplink.device(id);
  expect(cloud.isOnline(id)).toBe(false);
  uplink.upstream.presence(device.deviceNo, true);
  await until('the cloud sees it', () => cloud.isOnline(id));
  await cloud.cut();
  await uplink.punches(device, 1, 30);
  uplink.upstream.presence(device.deviceNo, false);
  await cloud.restore();
  await until('the backlog is there', () => cloud.arrivals.countOf(id) >= 30);
  await until('the cloud sees it no more', () => !cloud.isOnline(id));
});

test('a device that the cloud refuses shows the reason, and does not block others', async () => {
  await using cloud = await aCloudFor();
  await using uplink = await anUplink(configFor(cloud), { clock: hurriedClock(20) });
  await applied(uplink.store, { products: [aProduct({ product_id: 'DOOR-X', product_key: 'unknown to the cloud' })] });
  const [good, refused] = [await uplink.device(id), await uplink.device('DOOR-X_B1')];
  uplink.upstream.presence(good.deviceNo, true);
  uplink.upstream.presence(refused.deviceNo, true);
  await uplink.punches(refused, 1, 3);
  await uplink.punches(good, 1, 5);
  await until('the good one is through', () => cloud.arrivals.countOf(id) === 5);
  const itsLine = await until('it is refused', () => {
    const now = uplink.upstream.deviceUplink(refused.deviceNo);
    return now?.state === 'refused' ? now : null;
  });
  expect(itsLine.why).toContain('the cloud');
  expect(uplink.upstream.deviceUplink(good.deviceNo)).toMatchObject({ state: 'up', why: '' });
  await until('the good one is confirmed', async () => (await uplink.upstream.status()).outbox.waiting === 3);
  expect(await uplink.upstream.status()).toMatchObject({ uplink: { state: 'up' } });
});

test('when every login is refused the status says so, and sending continues when logins are accepted again', async () => {
  await using cloud = await aCloudFor({ faults: { refuse: 1 } });
  await using uplink = await anUplink(configFor(cloud), { clock: hurriedClock(20) });
  const device = await uplink.device(id);
  await uplink.punches(device, 1, 3);
  const { uplink: summary } = await until('it is refused', async () => {
    const status = await uplink.upstream.status();
    return status.uplink.state === 'refused' ? status : null;
  });
  expect(summary.why).toContain('cloud');
  expect((await uplink.upstream.status()).outbox).toMatchObject({ waiting: 3, perSecond: 0, catchUpSeconds: null });
  cloud.faults.clear();
  await until('all arrived', () => cloud.arrivals.countOf(id) === 3);
  await until('it is up', async () => (await uplink.upstream.status()).uplink.state === 'up');
});

test('with the line cut, status says since when, why, how many wait, how old the oldest is and when the next try is', async () => {
  await using cloud = await aCloudFor();
  await using uplink = await anUplink(configFor(cloud), { clock: hurriedClock(5) });
  const device = await uplink.device(id);
  uplink.upstream.presence(device.deviceNo, true);
  await until('up', () => uplink.upstream.isUp(device.deviceNo));
  await cloud.cut();
  await uplink.punches(device, 1, 7);
  const status = await until('down, with a next try', async () => {
    const now = await uplink.upstream.status();
    return now.uplink.state === 'down' && now.uplink.nextTryAt !== null && now.outbox.waiting === 7 ? now : null;
  });
  expect(status.uplink.why).not.toBe('');
  expect(status.uplink.since).toBeGreaterThan(0);
  expect(status.outbox.oldestAt).toBe((await uplink.store.read.record(1 as never))!.receivedAt);
});

test('a box without a cloud stands alone', async () => {
  await using uplink = await anUplink(null);
  const device = await uplink.device(id);
  expect(uplink.upstream.standsAlone).toBe(true);
  expect(uplink.upstream.isUp(device.deviceNo)).toBe(false);
  expect((await uplink.upstream.status()).uplink.state).toBe('none');
  expect(await uplink.upstream.tryLogin({ clientId: id, userName: 'FACE-T1', password: 'x' })).toBe('unreachable');
});

test('where MQTT is blocked records go over HTTP', async () => {
  await using cloud = await aCloudFor();
  await using uplink = await anUplink(configFor(cloud, 'per-device', { deviceMqtt: nobody }));
  const device = await uplink.device(id);
  await uplink.punches(device, 1, 3);
  await until('they arrived over HTTP', () => cloud.arrivals.countOf(id) === 3);
  expect(new Set(cloud.arrivals.of(id).map(({ via }) => via))).toEqual(new Set(['http']));
});

test.each([
  ['the true second of receipt, where it is known by now', 1_763_600_000_500, '"time" : 1763600000'],
  ['none, where it is not', null, '"time" : 0'],
])('a time of 0 that came while the box did not know the time becomes %s', async (_name, known, time) => {
  await using cloud = await aCloudFor();
  await using uplink = await anUplink(configFor(cloud), { trueTime: at => (at === 138_000 ? known : null) });
  const device = await uplink.device(id);
  const text = `{"mid":"x","from":"${id}","to":"system", "time" : 0,"action":77,"data":{}}`;
  const record = { deviceNo: device.deviceNo, channel: 'device', logPath: '', payload: Buffer.from(text) } as const;
  await append(uplink.store, { ...record, receivedAt: 138_000, marks: { clamped: true } });
  const [arrival] = await until('it arrived', () => (cloud.arrivals.countOf(id) > 0 ? cloud.arrivals.of(id) : null));
  expect(arrival!.payload).toBe(text.replace('"time" : 0', time));
});
