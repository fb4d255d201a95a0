import type { MqttClient } from 'mqtt';
import { expect, test } from 'vitest';
import { connectMqtt, type Gateway } from '../support/gateway.ts';
import { postgresOfFile, suiteWithPostgres } from '../support/postgres.ts';
import { aDatabase } from '../support/postgres-store.ts';
import { aRegionGateway } from '../support/region-gateway.ts';
import { deviceId } from '../support/store.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_A0001';
const message = (text: string) => Buffer.from(JSON.stringify({ mid: text, action: 1, data: {} }));

/** The device, connected to this process and subscribed, with the `mid` of each message it got. */
async function connected(gateway: Gateway): Promise<{ client: MqttClient; got: string[]; isEnded: () => boolean }> {
  const client = (await connectMqtt(gateway, id)) as MqttClient;
  const got: string[] = [];
  let isEnded = false;
  client.on('message', (_topic, payload) => got.push(JSON.parse(payload.toString()).mid));
  client.on('close', () => {
    isEnded = true;
  });
  await client.subscribeAsync(`$client/${id}`, { qos: 0 });
  return { client, got, isEnded: () => isEnded };
}

suiteWithPostgres('a device at one of two processes of a region', () => {
  const postgres = postgresOfFile();

  test('gets each message once, whichever process it is given to, also after it went to the other', async () => {
    const url = aDatabase(await postgres());
    await using one = await aRegionGateway(url);
    await using other = await aRegionGateway(url);
    const first = await connected(one);
    const { deviceNo } = one.store.directory.device(deviceId(id))!;
    await other.devices.deliver(deviceNo, message('a'));
    await one.devices.deliver(deviceNo, message('b'));
    await other.devices.deliver(deviceNo, message('c'));
    await until('all three have arrived', () => first.got.length >= 3);
    const second = await connected(other);
    await until('the old connection is over', first.isEnded);
    await one.devices.deliver(deviceNo, message('d'));
    await other.devices.deliver(deviceNo, message('e'));
    await until('both have arrived', () => second.got.length >= 2);
    expect([...first.got].sort()).toEqual(['a', 'b', 'c']);
    expect([...second.got].sort()).toEqual(['d', 'e']);
    await until('the inbox is empty', async () => (await one.store.read.inboxOwners()).size === 0);
    first.client.end(true);
    second.client.end(true);
  });

  test('is disconnected when it is blocked through the other one, and let in nowhere', async () => {
    const url = aDatabase(await postgres());
    await using one = await aRegionGateway(url);
    await using other = await aRegionGateway(url);
    const device = await connected(one);
    const { deviceNo } = await until('the other knows it', () => other.store.directory.device(deviceId(id)));
    await other.store.write.setBlocked({ deviceNo, blocked: true });
    await until('it is disconnected', device.isEnded);
    expect([await connectMqtt(one, id), await connectMqtt(other, id)]).toEqual([5, 5]);
    device.client.end(true);
  });

  test('logs in with a key that the other one has stored a moment ago', async () => {
    const url = aDatabase(await postgres());
    await using one = await aRegionGateway(url);
    await using other = await aRegionGateway(url);
    const first = await connected(one);
    first.client.end(true);
    const { deviceNo } = one.store.directory.device(deviceId(id))!;
    for (let turn = 0; turn < 8; turn++) {
      const accessKey = `key-${turn}`;
      const [giver, asked] = turn % 2 === 0 ? [one, other] : [other, one];
      await giver.store.write.setDeviceKey({ deviceNo, accessKey, at: 0, mid: null });
      const client = await connectMqtt(asked, id, accessKey);
      expect(client, accessKey).not.toBeTypeOf('number');
      (client as MqttClient).end(true);
    }
  });
});
