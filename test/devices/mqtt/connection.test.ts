import { once } from 'node:events';
import { connect } from 'node:net';
import { generate } from 'mqtt-packet';
import { expect, test } from 'vitest';
import { aGateway, connectMqtt, eventsOf, type Gateway, passwordOf } from '../../support/gateway.ts';
import { deviceId } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const id = 'FACE-T1_A0001';

const report = (mid: string) => JSON.stringify({ mid, from: id, to: 'system', time: 0, action: 777, data: {} });

/** A device at the level of bytes, logged in. */
async function aBareDevice(gateway: Gateway, keepalive: number) {
  const socket = connect(Number(new URL(gateway.mqttUrl).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      keepalive,
      clientId: id,
      username: 'FACE-T1',
      password: Buffer.from(passwordOf(id)),
    }),
  );
  await once(socket, 'data');
  return { socket };
}

test('a Keep Alive out of 30 to 60 s is served and shown', async () => {
  await using gateway = await aGateway();
  const { socket } = await aBareDevice(gateway, 5);
  await until('it is shown', async () =>
    (await eventsOf(gateway, id)).some(one => one.kind === 'keep_alive_out_of_range' && one.detail.startsWith('5 s')),
  );
  socket.destroy();
});

test('after UNSUBSCRIBE messages wait in the inbox again', async () => {
  await using gateway = await aGateway();
  const client = await connectMqtt(gateway, id);
  if (typeof client === 'number') throw new Error(`CONNACK ${client}`);
  await client.subscribeAsync(`$client/${id}`);
  await client.unsubscribeAsync(`$client/${id}`);
  const { deviceNo } = gateway.store.directory.device(deviceId(id))!;
  await gateway.devices.fromCloud(deviceNo, Buffer.from('{"mid":"later"}'));
  await gateway.devices.fromCloud(deviceNo, Buffer.from('{"mid":"later still"}'));
  expect(await gateway.store.read.inbox(deviceNo, { limit: 10, bytesMax: 1000 })).toHaveLength(2);
  await client.endAsync();
});

test('one foreign filter in a list of subscriptions is enough to be disconnected, wildcards too', async () => {
  for (const foreign of ['$client/FACE-T1_B', '#', '$client/+', '$SYS/#', 'device']) {
    await using gateway = await aGateway();
    const client = await connectMqtt(gateway, id);
    if (typeof client === 'number') throw new Error(`CONNACK ${client}`);
    const closed = new Promise<void>(resolve => client.once('close', () => resolve()));
    client.subscribe([`$client/${id}`, foreign], () => {});
    await closed;
    await until('the reason', async () =>
      (await eventsOf(gateway, id)).some(one => one.kind === 'foreign_subscribe' && one.detail === foreign),
    );
    client.end(true);
  }
});

test('the reason of a disconnect is shown, also when the connection was reset', async () => {
  await using gateway = await aGateway();
  const { socket } = await aBareDevice(gateway, 60);
  socket.resetAndDestroy();
  await until('it left', async () =>
    (await eventsOf(gateway, id)).some(
      ({ kind, detail }) =>
        kind === 'disconnected' && detail === 'the connection broke off (reset by the device or on the way)',
    ),
  );
});

test('a will is discarded', async () => {
  await using gateway = await aGateway();
  const client = await connectMqtt(gateway, id, undefined, {
    will: { topic: 'device', payload: Buffer.from(report('will')), qos: 1, retain: false },
  });
  if (typeof client === 'number') throw new Error(`CONNACK ${client}`);
  client.stream.destroy();
  await until('gone', () => gateway.devices.status().online === 0);
  expect(gateway.store.journal.lastSeq).toBe(0);
  client.end(true);
});
