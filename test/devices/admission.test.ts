import { describe, expect, test } from 'vitest';
import type { UpstreamView } from '../../src/devices/index.ts';
import { aGateway, connectHttp, connectMqtt, type Gateway, passwordOf, standsAlone } from '../support/gateway.ts';
import { aProduct, applied, deviceId, registered } from '../support/store.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_A0001';
const hour = 3_600_000;

/** The same rules at both gateways: true if the device was admitted. */
const gateways: readonly [string, (gateway: Gateway, deviceId: string, key?: string) => Promise<boolean>][] = [
  [
    'MQTT',
    async (gateway, device, key) => {
      const client = await connectMqtt(gateway, device, key);
      if (typeof client === 'number') return false;
      await client.endAsync();
      await until('gone', () => gateway.devices.status().online === 0);
      return true;
    },
  ],
  ['HTTP', async (gateway, device, key) => (await connectHttp(gateway, device, key)).status === 200],
];

const reasons = async ({ store }: Gateway, clientId = id): Promise<string[]> => {
  await until('the refusal is written down', async () => (await store.read.refusals({ clientId })).length > 0);
  return (await store.read.refusals({ clientId })).map(one => one.code);
};

describe.each(gateways)('over %s', (_gateway, comesIn) => {
  test('a device of a known product is let in with the product key and known from then on', async () => {
    await using gateway = await aGateway();
    expect(await comesIn(gateway, id)).toBe(true);
    expect(gateway.store.directory.device(deviceId(id))).toMatchObject({ deviceId: id, productId: 'FACE-T1' });
  });

  test('ids in lower case are the same device', async () => {
    await using gateway = await aGateway();
    expect(await comesIn(gateway, id.toLowerCase())).toBe(true);
    expect([...gateway.store.directory.devices()].map(one => one.deviceId)).toEqual([id]);
  });

  test('a wrong key, an unknown product and a broken id are refused, each with its reason', async () => {
    await using gateway = await aGateway();
    expect(await comesIn(gateway, id, 'guess')).toBe(false);
    expect(await reasons(gateway)).toEqual(['wrong_password']);
    expect(await comesIn(gateway, 'FACE-T9_A0001')).toBe(false);
    expect(await reasons(gateway, 'FACE-T9_A0001')).toEqual(['unknown_product']);
    expect(await comesIn(gateway, 'NO-UNDERSCORE')).toBe(false);
    expect(await reasons(gateway, 'NO-UNDERSCORE')).toEqual(['bad_device_id']);
  });

  test('a blocked device is refused', async () => {
    await using gateway = await aGateway();
    const { deviceNo } = await registered(gateway.store);
    await gateway.store.write.setBlocked({ deviceNo, blocked: true });
    expect(await comesIn(gateway, id)).toBe(false);
    expect(await reasons(gateway)).toEqual(['blocked']);
  });

  test('after activation both keys open until the first login with the new one, then only that', async () => {
    await using gateway = await aGateway();
    const { store, clock } = gateway;
    const { deviceNo } = await registered(store);
    await store.write.setDeviceKey({ deviceNo, accessKey: 'device-key', at: clock.now(), mid: 'm' });
    expect(await comesIn(gateway, id)).toBe(true);
    expect(await comesIn(gateway, id, 'device-key')).toBe(true);
    expect(await comesIn(gateway, id)).toBe(false);
    expect(await reasons(gateway)).toEqual(['old_key_after_activation']);
  });

  test('24 hours after activation the product key is refused in any case', async () => {
    await using gateway = await aGateway();
    const { store, clock } = gateway;
    const { deviceNo } = await registered(store);
    await store.write.setDeviceKey({ deviceNo, accessKey: 'device-key', at: clock.now(), mid: 'm' });
    clock.set(clock.now() + 24 * hour);
    expect(await comesIn(gateway, id)).toBe(false);
    expect(await comesIn(gateway, id, 'device-key')).toBe(true);
  });

  test('staff let the product key in again for a while after a factory reset', async () => {
    await using gateway = await aGateway();
    const { store, clock } = gateway;
    await applied(store, { devices: [{ device_id: id, access_key: 'device-key' }] });
    const { deviceNo } = store.directory.device(deviceId(id))!;
    expect(await comesIn(gateway, id)).toBe(false);
    await store.write.openProductKeyWindow({ deviceNo, until: clock.now() + hour / 4 });
    expect(await comesIn(gateway, id)).toBe(true);
    clock.set(clock.now() + hour / 2);
    expect(await comesIn(gateway, id)).toBe(false);
  });

  test('a device whose key only the cloud knows is asked about once, and let in without the cloud from then on', async () => {
    const asked: string[] = [];
    const upstream: UpstreamView = {
      standsAlone: false,
      isUp: () => true,
      whenUp: async () => true,
      tryLogin: async credentials => {
        asked.push(credentials.clientId);
        return asked.length === 1 ? 'accepted' : 'unreachable';
      },
    };
    await using gateway = await aGateway({ upstream });
    expect(await comesIn(gateway, id, 'known-to-the-cloud')).toBe(true);
    expect(await comesIn(gateway, id, 'known-to-the-cloud')).toBe(true);
    expect(asked).toEqual([id]);
    expect(await comesIn(gateway, id, 'another')).toBe(false);
    expect(await reasons(gateway)).toEqual(['cloud_unreachable']);
  });

  test('a key that the cloud refuses is refused here', async () => {
    await using gateway = await aGateway({
      upstream: { ...standsAlone, standsAlone: false, tryLogin: async () => 'refused' },
    });
    expect(await comesIn(gateway, id, 'nobody-knows-it')).toBe(false);
    expect(await reasons(gateway)).toEqual(['cloud_refused']);
    expect(gateway.store.directory.device(deviceId(id))).toBeUndefined();
  });
});

test('a product of one gateway is refused at the other: CONNACK 5, 406', async () => {
  await using gateway = await aGateway({
    products: [
      aProduct({ product_id: 'ONLY-MQTT', access: 'mqtt' }),
      aProduct({ product_id: 'ONLY-HTTP', access: 'http' }),
    ],
  });
  expect((await connectHttp(gateway, 'ONLY-MQTT_1')).status).toBe(406);
  expect(await connectMqtt(gateway, 'ONLY-HTTP_1')).toBe(5);
  expect(await reasons(gateway, 'ONLY-HTTP_1')).toEqual(['wrong_door']);
});

test('MQTT 3.1 and 5 get CONNACK 1', async () => {
  await using gateway = await aGateway();
  expect(await connectMqtt(gateway, id, undefined, { protocolId: 'MQIsdp', protocolVersion: 3 })).toBe(1);
});

test.each(['\n', '\r\n', '\0', ' '])(
  'a password with %j behind it is refused, and explained as that',
  async padding => {
    await using gateway = await aGateway();
    expect(await connectMqtt(gateway, id, undefined, { password: `${passwordOf(id)}${padding}` })).toBe(4);
    expect(await reasons(gateway, id)).toEqual(['password_padded']);
  },
);

test('a wrong key is CONNACK 4, a broken id CONNACK 2', async () => {
  await using gateway = await aGateway();
  expect(await connectMqtt(gateway, id, 'guess')).toBe(4);
  expect(await connectMqtt(gateway, 'NO-UNDERSCORE')).toBe(2);
});

test('a second connection of any spelling takes the place of the first, and the device stays online', async () => {
  await using gateway = await aGateway();
  const first = await connectMqtt(gateway, id);
  if (typeof first === 'number') throw new Error('refused');
  const gone = new Promise<void>(resolve => first.once('close', () => resolve()));
  const second = await connectMqtt(gateway, id.toLowerCase());
  if (typeof second === 'number') throw new Error('refused');
  await gone;
  const { deviceNo } = gateway.store.directory.device(deviceId(id))!;
  expect(gateway.devices.isOnline(deviceNo)).toBe(true);
  await second.endAsync();
  await until('offline', () => !gateway.devices.isOnline(deviceNo));
});
