import { type EventEmitter, once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import mqtt, { type MqttClient } from 'mqtt';
import { describe, expect, test } from 'vitest';
import { realClock } from '../../../src/runtime/real-world.ts';
import { type SimCloudOptions, startSimCloud } from '../../../tools/sim/index.ts';
import { seededRandom } from '../../support/clock.ts';
import { aSite, productKey } from '../../support/site.ts';
import { credentials, punch } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';

const device = 'FACE-T1_A0001';
/** However long the test takes, all of it is in one second. */
const oneSecond = { ...realClock, monotonic: () => 0 };
const aCloud = (options: Partial<SimCloudOptions> = {}) =>
  startSimCloud({
    clock: realClock,
    random: seededRandom(1),
    products: [...aSite().products, { product_id: 'GATEHOUSE', product_key: 'box-key' }],
    ...options,
  });

function connect(url: string | null, deviceId = device, key = productKey): MqttClient {
  const options = { ...credentials({ deviceId, key }), reconnectPeriod: 0, keepalive: 60 };
  return mqtt.connect(url!, options).on('error', () => {});
}
/** mqtt.js types its events too narrowly for `once`. */
const event = (client: MqttClient, name: string) => once(client as unknown as EventEmitter, name);

async function connected(url: string | null, deviceId = device, key = productKey): Promise<MqttClient> {
  const client = connect(url, deviceId, key);
  await event(client, 'connect');
  return client;
}
const log = (text: string) => JSON.stringify({ log: text });

async function login(url: string | null, deviceId = device, key = productKey) {
  const { clientId, username: userName, password } = credentials({ deviceId, key });
  const response = await fetch(`${url}/api/connect/${clientId}`, {
    method: 'POST',
    body: JSON.stringify({ clientId, userName, password, keepAliveTime: 60 }),
  });
  return { status: response.status, authorization: response.headers.get('authorization') ?? '' };
}

describe('over MQTT', () => {
  test('a message is recorded, acknowledged and answered on the own topic', async () => {
    await using cloud = await aCloud();
    const client = await connected(cloud.urls.deviceMqtt);
    const answers: string[] = [];
    client.on('message', (_topic, payload) => answers.push(payload.toString()));
    await client.subscribeAsync(`$client/${device}`);
    await client.publishAsync('device', punch(device, 'm1'), { qos: 1 });
    expect(cloud.arrivals.of(device)).toMatchObject([{ mid: 'm1', channel: 'device', via: 'mqtt', topic: 'device' }]);
    await until('one answer', () => answers.length === 1);
    expect(JSON.parse(answers[0]!)).toMatchObject({ mid: 'm1', action: 2001, data: { code: 0 }, to: device });
    client.end(true);
  });

  test('more than 20 logs in any second are acknowledged, dropped and counted for their device', async () => {
    await using cloud = await aCloud({ clock: oneSecond });
    const client = await connected(cloud.urls.deviceMqtt);
    for (let index = 0; index < 25; index++)
      await client.publishAsync('log/FT1/A0001', log(`line ${index}`), { qos: 1 });
    expect(cloud.arrivals.of(device)).toHaveLength(20);
    expect(cloud.dropped(device)).toEqual({ rate: 5, day: 0 });
    expect(cloud.stats()).toMatchObject({ drops: { rate: 5, day: 0 }, logsPerSecondMax: 25 });
    client.end(true);
  });

  test('logs over the count of the day are dropped, and a long one is cut to 4 KB', async () => {
    await using cloud = await aCloud({ limits: { logPerDay: 2 } });
    const client = await connected(cloud.urls.deviceMqtt);
    for (let index = 0; index < 3; index++)
      await client.publishAsync('log/FT1/A0001', log('x'.repeat(5000)), { qos: 1 });
    expect(cloud.arrivals.of(device).map(({ payload }) => payload.length)).toEqual([4096, 4096]);
    expect(cloud.dropped(device)).toEqual({ rate: 0, day: 1 });
    client.end(true);
  });

  test('a device that subscribes to a foreign topic is disconnected', async () => {
    await using cloud = await aCloud();
    const client = await connected(cloud.urls.deviceMqtt);
    const closed = event(client, 'close');
    client.subscribe('$client/FACE-T1_A0002');
    await closed;
    await until('the device is off', () => !cloud.isOnline(device));
  });

  test('after the first login with the device key the product key is refused', async () => {
    await using cloud = await aCloud();
    const client = await connected(cloud.urls.deviceMqtt);
    const activate = { mid: 'a1', from: device, to: 'system', time: 0, action: 1001, data: {} };
    await client.publishAsync('device', JSON.stringify(activate), { qos: 1 });
    const key = cloud.keyOf(device)!;
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    client.end(true);
    (await connected(cloud.urls.deviceMqtt, device, productKey)).end(true);
    (await connected(cloud.urls.deviceMqtt, device, key)).end(true);
    const [refusal] = await event(connect(cloud.urls.deviceMqtt, device, productKey), 'error');
    expect(refusal.code).toBe(5);
  });

  test('a message for a device that is away waits until it subscribes', async () => {
    await using cloud = await aCloud();
    expect(cloud.send(device, { mid: 'd1', action: 9 })).toBe('waiting');
    const client = await connected(cloud.urls.deviceMqtt);
    const message = event(client, 'message');
    client.subscribe(`$client/${device}`);
    expect(JSON.parse((await message)[1].toString())).toEqual({ mid: 'd1', action: 9 });
    client.end(true);
  });

  test('a box speaks for other devices, and what is for them comes to the box', async () => {
    await using cloud = await aCloud();
    const box = await connected(cloud.urls.deviceMqtt, 'GATEHOUSE_000001', 'box-key');
    const answers: string[] = [];
    box.on('message', (_topic, payload) => answers.push(JSON.parse(payload.toString()).to));
    await box.subscribeAsync('$client/GATEHOUSE_000001');
    await box.publishAsync('device', punch(device, 'm1'), { qos: 1 });
    await box.publishAsync('log/FT1/A0002', log('through the box'), { qos: 1 });
    expect(cloud.arrivals.devices()).toEqual([device, 'FACE-T1_A0002']);
    await until('one answer', () => answers.length === 1);
    expect(answers).toEqual([device]);
    box.end(true);
  });
});

describe('over HTTP', () => {
  test('connect, push, pull and disconnect as SPEC 4.2 says', async () => {
    await using cloud = await aCloud();
    const url = cloud.urls.deviceHttp;
    const { status, authorization } = await login(url);
    expect(status).toBe(200);
    const headers = { authorization };
    const push = () => fetch(`${url}/api/push/${device}`, { method: 'POST', headers, body: punch(device, 'h1') });
    expect(await (await push()).json()).toEqual({ code: 0, msg: 'ok' });
    const pulled = await (await fetch(`${url}/api/pull/${device}?batchSize=9`, { headers })).json();
    expect(pulled).toMatchObject({ code: 0, size: 1, data: [{ mid: 'h1', action: 2001, data: { code: 0 } }] });
    await fetch(`${url}/api/disconnect/${device}`, { headers });
    expect((await push()).status).toBe(406);
    expect((await login(url, device, 'wrong')).status).toBe(406);
  });

  test('a batch is taken once, however often it is sent', async () => {
    await using cloud = await aCloud();
    const url = cloud.urls.deviceHttp;
    const { authorization } = await login(url, 'GATEHOUSE_000001', 'box-key');
    const line = (seq: number, payload: string) =>
      JSON.stringify({ seq, device_id: device, channel: 'device', topic: 'device', received_at: 1, payload });
    const body = zstdCompressSync([line(3, punch(device, 'b1')), line(5, punch(device, 'b2')), 'x'].join('\n'));
    const headers = { authorization, 'content-encoding': 'zstd', 'batch-epoch': 'e1' };
    const batch = () => fetch(`${url}/api/v1.0/batch/GATEHOUSE_000001`, { method: 'POST', headers, body });
    expect(await (await batch()).json()).toMatchObject({ code: 0, data: { acked_seq: 5, refused: [{ code: 400 }] } });
    await batch();
    expect(cloud.arrivals.of(device).map(({ mid }) => mid)).toEqual(['b1', 'b2']);
  });
});

describe('faults', () => {
  test('a cut line refuses connections and comes back on the same port', async () => {
    await using cloud = await aCloud();
    const client = await connected(cloud.urls.deviceMqtt);
    const closed = event(client, 'close');
    await cloud.cut();
    await closed;
    await expect(login(cloud.urls.deviceHttp)).rejects.toThrow();
    await cloud.restore();
    (await connected(cloud.urls.deviceMqtt)).end(true);
  });

  test('a dropped connection leaves its message sometimes recorded and never acknowledged', async () => {
    await using cloud = await aCloud({ faults: { drop: 1 } });
    for (let index = 0; index < 12; index++) {
      const client = await connected(cloud.urls.deviceMqtt);
      let acknowledged = false;
      client.publish('device', punch(device, `m${index}`), { qos: 1 }, error => {
        acknowledged = !error;
      });
      await event(client, 'close');
      expect(acknowledged).toBe(false);
    }
    expect(cloud.arrivals.countOf(device)).toBeGreaterThan(0);
    expect(cloud.arrivals.countOf(device)).toBeLessThan(12);
  });

  test('refused logins, and a body code other than 0, end when they are switched off', async () => {
    await using cloud = await aCloud({ faults: { refuse: 1 } });
    const [refusal] = await event(connect(cloud.urls.deviceMqtt), 'error');
    expect(refusal.code).toBe(5);
    cloud.faults.set({ refuse: 0, code: 1, codeValue: 500 });
    const { authorization } = await login(cloud.urls.deviceHttp);
    const push = async () =>
      (
        await fetch(`${cloud.urls.deviceHttp}/api/push/${device}`, {
          method: 'POST',
          headers: { authorization },
          body: punch(device, 'h1'),
        })
      ).json();
    expect(await push()).toMatchObject({ code: 500 });
    expect(cloud.arrivals.received).toBe(0);
    cloud.faults.clear();
    expect(await push()).toMatchObject({ code: 0 });
  });

  test('a hanging cloud takes the message and stays silent, also about what follows', async () => {
    await using cloud = await aCloud();
    const client = await connected(cloud.urls.deviceMqtt);
    cloud.faults.set({ hang: 1 });
    let acknowledged = 0;
    client.publish('device', punch(device, 'm1'), { qos: 1 }, () => acknowledged++);
    await until('it hangs', () => cloud.stats().faults.hang === 1);
    cloud.faults.clear();
    client.publish('device', punch(device, 'm2'), { qos: 1 }, () => acknowledged++);
    await (await connected(cloud.urls.deviceMqtt, 'FACE-T1_A0002')).endAsync();
    expect([acknowledged, cloud.arrivals.received]).toEqual([0, 0]);
    client.end(true);
  });

  test('what is refused for good closes the connection and is never recorded', async () => {
    await using cloud = await aCloud();
    cloud.refuseForGood((_device, _topic, payload) => payload.includes('poison'));
    const client = await connected(cloud.urls.deviceMqtt);
    client.publish('device', punch(device, 'poison'), { qos: 1 });
    await event(client, 'close');
    expect(cloud.arrivals.received).toBe(0);
  });
});

test('the record file has a message before it is acknowledged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-sim-'));
  const record = join(folder, 'arrived.ndjson');
  await using cloud = await aCloud({ record });
  const client = await connected(cloud.urls.deviceMqtt);
  await client.publishAsync('device', punch(device, 'm1'), { qos: 1 });
  const lines = (await readFile(record, 'utf8')).trim().split('\n');
  expect(lines.map(line => JSON.parse(line))).toMatchObject([{ deviceId: device, mid: 'm1', channel: 'device' }]);
  client.end(true);
  await rm(folder, { recursive: true });
});
