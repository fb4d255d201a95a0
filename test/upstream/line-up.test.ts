import { describe, expect, test } from 'vitest';
import { aCloudFor, aLine, configFor, hurriedClock, nobody } from '../support/line.ts';
import { aProduct, applied } from '../support/store.ts';
import { punch } from '../support/terminal.ts';
import { until } from '../support/until.ts';

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
  test('what devices said arrives in order per device and is confirmed', async () => {
    await using cloud = await aCloudFor();
    await using line = await aLine(configFor(cloud, mode, change));
    const devices = await Promise.all(['A0001', 'A0002', 'A0003'].map(sn => line.device(`FACE-T1_${sn}`)));
    await Promise.all(devices.map(device => line.punches(device, 1, 40)));
    await until('all are confirmed', async () => (await line.upstream.status()).outbox.waiting === 0);
    for (const device of devices) {
      const arrivals = cloud.arrivals.of(device.deviceId);
      expect(arrivals.map(({ mid }) => mid)).toEqual(mids(1, 40, device.deviceId));
      expect(new Set(arrivals.map(arrival => arrival.via))).toEqual(new Set([via]));
      const last = await until('it is written down', async () => {
        const [row] = await line.store.read.ledger(device.deviceNo, { limit: 1 });
        return row?.state === 'confirmed' ? row : null;
      });
      expect(last).toMatchObject({ mid: `${device.deviceId}-40`, state: 'confirmed', via });
    }
  });

  test('records that are confirmed as fast as they come do not count as waiting afterwards', async () => {
    await using cloud = await aCloudFor();
    await using line = await aLine(configFor(cloud, mode, change));
    const device = await line.device(id);
    for (let index = 1; index <= 60; index++) await line.punches(device, index, index);
    await until('all are confirmed', () => cloud.arrivals.countOf(id) === 60);
    await until('nothing waits', async () => (await line.upstream.status()).outbox.waiting === 0);
    expect(line.upstream.waiting().size).toBe(0);
  });

  test('after a restart it goes on where the cloud had confirmed', async () => {
    await using cloud = await aCloudFor();
    await using line = await aLine(configFor(cloud, mode, change));
    const device = await line.device(id);
    await line.punches(device, 1, 10);
    await until('all are confirmed', async () => (await line.upstream.status()).outbox.waiting === 0);
    await line.restart();
    await line.punches(device, 11, 20);
    await until('the rest arrives', () => cloud.arrivals.countOf(id) >= 20);
    expect(cloud.arrivals.of(id).map(({ mid }) => mid)).toEqual(mids(1, 20));
  });

  test('a message for a device comes down; an answer to what the box has answered does not', async () => {
    await using cloud = await aCloudFor();
    await using line = await aLine(configFor(cloud, mode, change), { clock: hurriedClock(20) });
    const device = await line.device(id);
    line.upstream.presence(device.deviceNo, true);
    await line.punches(device, 1, 1);
    await until('it arrived', () => cloud.arrivals.countOf(id) === 1);
    const message = { mid: 'd1', from: 'system', to: id, time: 1, action: 9, data: { code: 0, msg: 'hello' } };
    await until('it is there', () => line.upstream.isUp(device.deviceNo));
    cloud.send(id, message);
    await until('it came down', () => line.delivered.length > 0);
    expect(line.delivered.map(({ text }) => JSON.parse(text))).toEqual([message]);
  });
});

test.each([
  ['MQTT', {}],
  ['HTTP', { deviceMqtt: undefined }],
] as const)(
  'a message that the box cannot take over %s stops neither the next nor the records',
  async (_name, change) => {
    await using cloud = await aCloudFor();
    await using line = await aLine(configFor(cloud, 'per-device', change), {
      clock: hurriedClock(20),
      handOver: text => (text.includes('"bad"') ? Promise.reject(new Error('the disk is full')) : Promise.resolve()),
    });
    const device = await line.device(id);
    line.upstream.presence(device.deviceNo, true);
    await until('it is there', () => line.upstream.isUp(device.deviceNo) && cloud.isOnline(id));
    cloud.send(id, { mid: 'bad', from: 'system', to: id, time: 1, action: 9, data: {} });
    await line.punches(device, 1, 3);
    await until('the records arrived', () => cloud.arrivals.countOf(id) >= 3);
    await until('the next came down', () => {
      cloud.send(id, { mid: 'good', from: 'system', to: id, time: 1, action: 9, data: {} });
      return line.delivered.some(({ text }) => text.includes('"good"'));
    });
  },
);

test('records that are kept here only are passed over, and nothing waits for them', async () => {
  await using cloud = await aCloudFor();
  await using line = await aLine(configFor(cloud));
  const device = await line.device(id);
  await line.say(device, 'garbage', 'device', { quarantined: true });
  await line.say(device, punch(id, 'local'), 'device', { local: true });
  await line.punches(device, 1, 1);
  await line.say(device, 'more garbage', 'device', { quarantined: true });
  await until('the cursor is at the end', () => {
    const { forwardedSeq } = line.store.directory.deviceByNo(device.deviceNo)!;
    return forwardedSeq >= 3;
  });
  expect(cloud.arrivals.of(id).map(({ mid }) => mid)).toEqual([`${id}-1`]);
  expect((await line.upstream.status()).outbox).toMatchObject({ waiting: 0, parked: 0, oldestAt: null });
});

test('a time of 0 becomes the second of receipt; every other byte is as the device wrote it', async () => {
  await using cloud = await aCloudFor();
  await using line = await aLine(configFor(cloud));
  const device = await line.device(id);
  const odd = `{ "mid":"x",\t"from":"${id}","to":"system", "time" : 0,"action":77,"data":{"time":0,"n":1.50}}`;
  await line.say(device, odd);
  const [arrival] = await until('it arrived', () => (cloud.arrivals.countOf(id) > 0 ? cloud.arrivals.of(id) : null));
  const received = (await line.store.read.record(1 as never))!.receivedAt;
  expect(arrival!.payload).toBe(odd.replace('"time" : 0', `"time" : ${Math.floor(received / 1000)}`));
});

test('the cloud sees a device as online exactly while the site does, or until its backlog is drained', async () => {
  await using cloud = await aCloudFor();
  await using line = await aLine(configFor(cloud), { clock: hurriedClock(20) });
  const device = await line.device(id);
  expect(cloud.isOnline(id)).toBe(false);
  line.upstream.presence(device.deviceNo, true);
  await until('the cloud sees it', () => cloud.isOnline(id));
  await cloud.cut();
  await line.punches(device, 1, 30);
  line.upstream.presence(device.deviceNo, false);
  await cloud.restore();
  await until('the backlog is there', () => cloud.arrivals.countOf(id) >= 30);
  await until('the cloud sees it no more', () => !cloud.isOnline(id));
});

test('a device that the cloud refuses says why, and stops nobody else', async () => {
  await using cloud = await aCloudFor();
  await using line = await aLine(configFor(cloud), { clock: hurriedClock(20) });
  await applied(line.store, { products: [aProduct({ product_id: 'DOOR-X', product_key: 'unknown to the cloud' })] });
  const [good, refused] = [await line.device(id), await line.device('DOOR-X_B1')];
  line.upstream.presence(good.deviceNo, true);
  line.upstream.presence(refused.deviceNo, true);
  await line.punches(refused, 1, 3);
  await line.punches(good, 1, 5);
  await until('the good one is through', () => cloud.arrivals.countOf(id) === 5);
  const itsLine = await until('it is refused', () => {
    const now = line.upstream.deviceLine(refused.deviceNo);
    return now?.state === 'refused' ? now : null;
  });
  expect(itsLine.why).toContain('the cloud');
  expect(line.upstream.deviceLine(good.deviceNo)).toMatchObject({ state: 'up', why: '' });
  expect(await line.upstream.status()).toMatchObject({ line: { state: 'up' }, outbox: { waiting: 3 } });
});

test('when every login is refused the line says so, and goes on when it is taken back', async () => {
  await using cloud = await aCloudFor({ faults: { refuse: 1 } });
  await using line = await aLine(configFor(cloud), { clock: hurriedClock(20) });
  const device = await line.device(id);
  await line.punches(device, 1, 3);
  const { line: summary } = await until('it is refused', async () => {
    const status = await line.upstream.status();
    return status.line.state === 'refused' ? status : null;
  });
  expect(summary.why).toContain('cloud');
  expect((await line.upstream.status()).outbox).toMatchObject({ waiting: 3, perSecond: 0, catchUpSeconds: null });
  cloud.faults.clear();
  await until('all arrived', () => cloud.arrivals.countOf(id) === 3);
  await until('it is up', async () => (await line.upstream.status()).line.state === 'up');
});

test('with the line cut, status says since when, why, how many wait, how old the oldest is and when the next try is', async () => {
  await using cloud = await aCloudFor();
  await using line = await aLine(configFor(cloud), { clock: hurriedClock(5) });
  const device = await line.device(id);
  line.upstream.presence(device.deviceNo, true);
  await until('up', () => line.upstream.isUp(device.deviceNo));
  await cloud.cut();
  await line.punches(device, 1, 7);
  const status = await until('down, with a next try', async () => {
    const now = await line.upstream.status();
    return now.line.state === 'down' && now.line.nextTryAt !== null && now.outbox.waiting === 7 ? now : null;
  });
  expect(status.line.why).not.toBe('');
  expect(status.line.since).toBeGreaterThan(0);
  expect(status.outbox.oldestAt).toBe((await line.store.read.record(1 as never))!.receivedAt);
});

test('a box without a cloud stands alone', async () => {
  await using line = await aLine(null);
  const device = await line.device(id);
  expect(line.upstream.standsAlone).toBe(true);
  expect(line.upstream.isUp(device.deviceNo)).toBe(false);
  expect((await line.upstream.status()).line.state).toBe('none');
  expect(await line.upstream.tryLogin({ clientId: id, userName: 'FACE-T1', password: 'x' })).toBe('unreachable');
});

test('where MQTT is blocked records go over HTTP', async () => {
  await using cloud = await aCloudFor();
  await using line = await aLine(configFor(cloud, 'per-device', { deviceMqtt: nobody }));
  const device = await line.device(id);
  await line.punches(device, 1, 3);
  await until('they arrived over HTTP', () => cloud.arrivals.countOf(id) === 3);
  expect(new Set(cloud.arrivals.of(id).map(({ via }) => via))).toEqual(new Set(['http']));
});
