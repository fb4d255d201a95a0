import type { MqttClient } from 'mqtt';
import { describe, expect, test } from 'vitest';
import type { UpstreamView } from '../../src/devices/index.ts';
import { over } from '../../src/store/domain.ts';
import { StoreError } from '../../src/store/index.ts';
import {
  aGateway,
  anHttpDevice,
  ask,
  connectHttp,
  connectMqtt,
  eventsOf,
  type Gateway,
  passwordOf,
} from '../support/gateway.ts';
import { aProduct, applied, deviceId } from '../support/store.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_A0001';
const productKey = aProduct().product_key;

/** Over HTTP: a connection that comes in does not push another out. */
const opens = async (gateway: Gateway, key: string): Promise<boolean> =>
  (await connectHttp(gateway, id, key)).status === 200;

async function anMqttDevice(gateway: Gateway, key?: string): Promise<{ client: MqttClient; gone: Promise<void> }> {
  const client = await connectMqtt(gateway, id, key);
  if (typeof client === 'number') throw new Error(`refused with CONNACK ${client}`);
  return { client, gone: new Promise(resolve => client.once('close', () => resolve())) };
}

/** The key of an activation; who sends it logs in with `key`. */
async function activated(gateway: Gateway, key: string, mid: string): Promise<string> {
  const device = await anHttpDevice(gateway, id, key);
  await device.push({ mid, action: 1001, data: {} });
  const answer = await until('the answer', async () => {
    await gateway.clock.advance(1000);
    return ((await device.pull()).json.data as { data: { access_key: string } }[])[0];
  });
  return answer.data.access_key;
}

/** A device whose first own key is in force. */
async function activatedOnce(gateway: Gateway): Promise<string> {
  const first = await activated(gateway, productKey, 'first');
  expect(await opens(gateway, first)).toBe(true);
  return first;
}

const leftBecause = (gateway: Gateway, why: string): Promise<unknown> =>
  until(`it left: ${why}`, async () => {
    const events = await eventsOf(gateway, id);
    return events.some(({ kind, detail }) => kind === 'disconnected' && detail === why);
  });

test('a key that cannot be stored is not handed over', async () => {
  await using gateway = await aGateway();
  const { store, clock } = gateway;
  const setDeviceKey = () => Promise.reject(new StoreError('disk_full', 'no room'));
  Object.assign(store, { write: over(store.write, { setDeviceKey }) });
  const device = await anHttpDevice(gateway, id, productKey);
  await device.push({ mid: 'm', action: 1001, data: {} });
  const answer = await until('the answer', async () => {
    await clock.advance(1000);
    return ((await device.pull()).json.data as { data: object }[])[0];
  });
  expect(answer.data).toEqual({ code: 503, msg: 'the box cannot write now: try again later' });
});

describe('a second activation', () => {
  test.each([
    ['that an activation gave', activatedOnce],
    [
      'that the site file gives',
      async ({ store }: Gateway) => {
        await applied(store, { devices: [{ device_id: id, access_key: 'of-the-site-file' }] });
        return 'of-the-site-file';
      },
    ],
  ])('keeps the first key %s until the second is used, and the product key shut', async (_name, firstKey) => {
    await using gateway = await aGateway();
    const first = await firstKey(gateway);
    const second = await activated(gateway, first, 'second');
    expect(second).not.toBe(first);
    expect(await opens(gateway, productKey)).toBe(false);
    expect(await opens(gateway, first)).toBe(true);
    expect(await opens(gateway, second)).toBe(true);
    expect(await opens(gateway, first)).toBe(false);
    expect(await opens(gateway, productKey)).toBe(false);
    expect(await opens(gateway, second)).toBe(true);
  });

  test('of which the answer is lost voids none of the keys that were handed over before', async () => {
    await using gateway = await aGateway();
    const first = await activatedOnce(gateway);
    const second = await activated(gateway, first, 'second');
    const lost = await activated(gateway, first, 'third');
    expect(new Set([first, second, lost]).size).toBe(3);
    expect(await opens(gateway, second)).toBe(true);
    expect(await opens(gateway, first)).toBe(false);
    expect(await opens(gateway, lost)).toBe(false);
  });

  test('under the product key keeps the key of the first, and both open until one of them is used', async () => {
    await using gateway = await aGateway();
    const first = await activated(gateway, productKey, 'first');
    const lost = await activated(gateway, productKey, 'second');
    expect(await opens(gateway, productKey)).toBe(true);
    expect(await opens(gateway, first)).toBe(true);
    expect(await opens(gateway, lost)).toBe(false);
    expect(await opens(gateway, productKey)).toBe(false);
  });

  test('with the mid of the first does not reveal a key in use to a device that logged in with the product key', async () => {
    await using gateway = await aGateway();
    const first = await activatedOnce(gateway);
    const { deviceNo } = gateway.store.directory.device(deviceId(id))!;
    await gateway.store.write.openProductKeyWindow({ deviceNo, until: gateway.clock.now() + 60_000 });
    expect(await activated(gateway, productKey, 'first')).not.toBe(first);
    expect(await activated(gateway, first, 'first')).toBe(first);
  });

  test('after the day of the product key has passed does not open it again', async () => {
    await using gateway = await aGateway();
    await activated(gateway, productKey, 'first');
    const { store, clock } = gateway;
    const { deviceNo } = store.directory.device(deviceId(id))!;
    const at = clock.now() + 25 * 3600 * 1000;
    // Of a session that the product key opened the day before, and that is still there.
    await store.write.setDeviceKey({ deviceNo, accessKey: 'second', at, mid: 'second' });
    await clock.advance(25 * 3600 * 1000);
    expect(await opens(gateway, productKey)).toBe(false);
    expect(await opens(gateway, 'second')).toBe(true);
  });

  test('that nobody uses stays within its bound: of the keys handed over the oldest goes', async () => {
    await using gateway = await aGateway();
    const first = await activatedOnce(gateway);
    const offered: string[] = [];
    for (const mid of ['2', '3', '4', '5', '6']) offered.push(await activated(gateway, first, mid));
    expect(await opens(gateway, offered[0]!)).toBe(false);
    expect(await opens(gateway, first)).toBe(true);
    expect(await opens(gateway, offered[1]!)).toBe(true);
  });

  test('is answered by the cloud where there is one, and its key waits beside the first in the same way', async () => {
    const upstream: UpstreamView = {
      standsAlone: false,
      isUp: () => true,
      whenUp: async () => true,
      tryLogin: async () => 'refused',
    };
    await using gateway = await aGateway({ upstream });
    await applied(gateway.store, { devices: [{ device_id: id, access_key: 'first' }] });
    const { deviceNo } = gateway.store.directory.device(deviceId(id))!;
    const data = { code: 0, msg: 'ok', access_key: 'of-the-cloud' };
    const answer = { mid: 'm', from: 'system', to: id, time: 0, action: 1001, data };
    await gateway.devices.fromCloud(deviceNo, Buffer.from(JSON.stringify(answer)));
    expect(await opens(gateway, 'first')).toBe(true);
    expect(await opens(gateway, 'of-the-cloud')).toBe(true);
    expect(await opens(gateway, 'first')).toBe(false);
  });
});

describe('sessions end with what they were made with', () => {
  test('a changed product key ends those that the old one made, over MQTT and HTTP', async () => {
    await using gateway = await aGateway();
    const other = await anHttpDevice(gateway, 'FACE-T1_A0002');
    const { gone } = await anMqttDevice(gateway);
    await applied(gateway.store, { products: [aProduct({ product_key: 'another' })] });
    await gone;
    expect((await other.pull()).status).toBe(406);
    await leftBecause(gateway, 'the key of its product was changed');
    expect(await opens(gateway, productKey)).toBe(false);
    expect(await opens(gateway, 'another')).toBe(true);
  });

  test('a site that is applied again without a change ends nothing', async () => {
    await using gateway = await aGateway();
    const device = await anHttpDevice(gateway, id);
    await applied(gateway.store, { products: [aProduct({ name: 'Another name' })] });
    expect((await device.pull()).status).toBe(200);
  });

  test('the first login with a new own key ends those of the product key, over either gateway', async () => {
    await using gateway = await aGateway();
    const overHttp = await anHttpDevice(gateway, id);
    const { gone } = await anMqttDevice(gateway);
    const first = await activated(gateway, productKey, 'first');
    expect((await overHttp.pull()).status).toBe(406); // it connected again over HTTP, twice
    const newer = await anHttpDevice(gateway, id, first);
    await gone;
    await leftBecause(gateway, 'it has a key of its own now');
    expect((await newer.pull()).status).toBe(200);
  });

  test('the first login with a second own key ends those of the first', async () => {
    await using gateway = await aGateway();
    const first = await activatedOnce(gateway);
    const second = await activated(gateway, first, 'second');
    const { gone } = await anMqttDevice(gateway, first);
    expect(await opens(gateway, second)).toBe(true);
    await gone;
    await leftBecause(gateway, 'its key was replaced by another');
  });

  test('a key that staff set, a block by the site file, a product that leaves it and another way in end them too', async () => {
    await using gateway = await aGateway();
    const { store } = gateway;
    const ends = async (change: () => Promise<unknown>, key?: string): Promise<void> => {
      const { gone } = await anMqttDevice(gateway, key);
      await change();
      await gone;
    };
    await ends(() => applied(store, { products: [aProduct({ access: 'http' })] }));
    await applied(store, { products: [aProduct()] });
    await ends(() => applied(store, { devices: [{ device_id: id, access_key: 'set-by-staff' }] }));
    await ends(() => applied(store, { devices: [{ device_id: id, blocked: true }] }), 'set-by-staff');
    await applied(store, { devices: [{ device_id: id, blocked: false }] });
    await ends(() => applied(store, { products: [] }, { prune: true }), 'set-by-staff');
  });
});

describe('a device that the cloud has activated', () => {
  const aCloud = (accepted: Set<string>) => {
    const asked: string[] = [];
    const upstream: UpstreamView = {
      standsAlone: false,
      isUp: () => true,
      whenUp: async () => true,
      tryLogin: async ({ password }) => {
        asked.push(password);
        return accepted.has(password) ? 'accepted' : 'refused';
      },
    };
    return { asked, upstream };
  };

  test('is refused with the product key here too, once the cloud has taken another key of it', async () => {
    const cloud = aCloud(new Set([passwordOf(id, 'of-the-cloud')]));
    await using gateway = await aGateway({ upstream: cloud.upstream });
    const { gone } = await anMqttDevice(gateway);
    expect(await opens(gateway, 'of-the-cloud')).toBe(true);
    await gone;
    await leftBecause(gateway, 'the cloud has taken another key of it');
    expect(await opens(gateway, productKey)).toBe(false);
    const refusals = () => gateway.store.read.refusals({ clientId: id });
    await until('it is written down', async () => (await refusals()).length > 0);
    expect((await refusals()).map(({ code }) => code)).toEqual(['old_key_after_activation']);
    expect(await opens(gateway, 'of-the-cloud')).toBe(true);
    expect(cloud.asked).toEqual([passwordOf(id, 'of-the-cloud'), passwordOf(id)]);
  });

  test('comes in with the product key again when the cloud takes it, as after a factory reset there', async () => {
    const accepted = new Set([passwordOf(id, 'of-the-cloud')]);
    await using gateway = await aGateway({ upstream: aCloud(accepted).upstream });
    expect(await opens(gateway, 'of-the-cloud')).toBe(true);
    accepted.clear();
    accepted.add(passwordOf(id));
    expect(await opens(gateway, productKey)).toBe(true);
    expect(await opens(gateway, 'of-the-cloud')).toBe(false);
  });
});

describe('what a stranger learns', () => {
  test.each<[string, (gateway: Gateway) => Promise<unknown>]>([
    [
      'a blocked device',
      ({ store }) => applied(store, { devices: [{ device_id: id, blocked: true, access_key: 'its-own' }] }),
    ],
    ['a device of the other way in', ({ store }) => applied(store, { products: [aProduct({ access: 'http' })] })],
    ['an unknown product', ({ store }) => applied(store, { products: [] }, { prune: true })],
    ['a device that is not known', async () => {}],
    [
      'a device with a key of its own',
      ({ store }) => applied(store, { devices: [{ device_id: id, access_key: 'k' }] }),
    ],
  ])('of %s is what he learns of any: a wrong password', async (_name, made) => {
    await using gateway = await aGateway();
    await made(gateway);
    expect(await connectMqtt(gateway, id, 'guess')).toBe(4);
    const { status, body } = await connectHttp(gateway, id, 'guess');
    expect([status, body]).toEqual([406, '']);
    const notes = () => gateway.store.read.refusals({ clientId: id });
    await until('it is written down', async () => (await notes()).length > 0);
    const codes = (await notes()).map(({ code }) => code);
    expect(codes).not.toContain('blocked');
    expect(codes).not.toContain('wrong_door');
  });

  test('a login with the right password learns that the device is blocked, or that this is the wrong gateway', async () => {
    await using gateway = await aGateway();
    await applied(gateway.store, { devices: [{ device_id: id, blocked: true }] });
    expect(await connectMqtt(gateway, id)).toBe(5);
    expect((await ask(`${gateway.httpUrl}/api/pull/${id}`)).status).toBe(406);
    await applied(gateway.store, { products: [aProduct({ access: 'http' })] });
    expect(await connectMqtt(gateway, 'FACE-T1_A0009')).toBe(5);
  });
});
