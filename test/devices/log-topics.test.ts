import { expect, test } from 'vitest';
import { aGateway, anHttpDevice, ask, connectMqtt, eventsOf, type Gateway, passwordOf } from '../support/gateway.ts';
import { shell } from '../support/shell.ts';
import { aProduct } from '../support/store.ts';
import { suiteNeeding } from '../support/tools.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_A0001';

async function aDevice(gateway: Gateway) {
  const client = await connectMqtt(gateway, id);
  if (typeof client === 'number') throw new Error(`CONNACK ${client}`);
  return client;
}
const oddEventsOf = async (gateway: Gateway) =>
  (await eventsOf(gateway, id)).filter(({ kind }) => kind !== 'connected' && kind !== 'disconnected');
const logsOf = async ({ store }: Gateway, query: object = {}) => {
  await store.catchUp();
  return (await store.read.logs({ limit: 100, ...query })).map(({ model, sn, text }) => `${model}/${sn} ${text}`);
};

test('a log under another model is stored under what was written and shown once for a connection', async () => {
  await using gateway = await aGateway();
  const client = await aDevice(gateway);
  for (const text of ['1', '2']) await client.publishAsync('log/Nobody Typed It/a0001', text, { qos: 1 });
  await client.publishAsync('log/FT1/A0001', '3', { qos: 1 });
  expect(await logsOf(gateway)).toEqual(['Nobody Typed It/a0001 1', 'Nobody Typed It/a0001 2', 'FT1/A0001 3']);
  const noted = await until('it is shown', async () => {
    const events = await oddEventsOf(gateway);
    return events.length > 0 ? events : null;
  });
  expect(noted).toMatchObject([{ kind: 'log_model', detail: "model Nobody Typed It; the product's is FT1" }]);
  await client.endAsync();
});

test('where nobody gave the product a model, no model of a device is against the protocol', async () => {
  const { model: _, ...product } = aProduct();
  await using gateway = await aGateway({ products: [product] });
  const client = await aDevice(gateway);
  await client.publishAsync('log/FT1/A0001', '1', { qos: 1 });
  await client.publishAsync('log/FT1/A0002', 'not mine', { qos: 1 });
  await until('the log of another sn is shown', async () => (await oddEventsOf(gateway)).length > 0);
  expect((await oddEventsOf(gateway)).map(({ kind }) => kind)).toEqual(['foreign_publish']);
  await client.endAsync();
});

test('a log of another sn is acknowledged, dropped and shown, and the connection stays', async () => {
  await using gateway = await aGateway();
  const client = await aDevice(gateway);
  await client.publishAsync('log/FT1/A0002', 'not mine', { qos: 1 });
  await client.publishAsync('log/FT1/A0001', 'mine', { qos: 1 });
  expect(await logsOf(gateway)).toEqual(['FT1/A0001 mine']);
  await until('it is shown', async () => (await oddEventsOf(gateway)).some(one => one.kind === 'foreign_publish'));
  expect(client.connected).toBe(true);
  expect(gateway.devices.counters()).toMatchObject({ foreign_publish: 1 });
  await client.endAsync();
});

test('a model that no topic can hold is dropped', async () => {
  await using gateway = await aGateway();
  const client = await aDevice(gateway);
  await client.publishAsync(`log/${'M'.repeat(129)}/A0001`, 'too long', { qos: 1 });
  await client.publishAsync('log/a\u0007b/A0001', 'a bell', { qos: 1 });
  expect(await logsOf(gateway)).toEqual([]);
  expect(gateway.devices.counters()).toMatchObject({ unknown_topic: 2 });
  await client.endAsync();
});

test("a publish to another device's $client topic ends the connection with an event", async () => {
  await using gateway = await aGateway();
  const client = await aDevice(gateway);
  const closed = new Promise<void>(resolve => client.once('close', () => resolve()));
  client.publish('$client/FACE-T1_A0002', '{"action":1}', { qos: 1 }, () => {});
  await closed;
  const events = await until('the reason', async () => {
    const found = await oddEventsOf(gateway);
    return found.length > 0 ? found : null;
  });
  expect(events).toMatchObject([{ kind: 'foreign_publish', detail: '$client/FACE-T1_A0002' }]);
  client.end(true);
});

test('a publish to the own $client topic is dropped, acknowledged and shown', async () => {
  await using gateway = await aGateway();
  const client = await aDevice(gateway);
  await client.publishAsync(`$client/${id.toLowerCase()}`, '{}', { qos: 1 });
  expect(gateway.devices.counters()).toMatchObject({ unknown_topic: 1 });
  expect(client.connected).toBe(true);
  await client.endAsync();
});

test('over HTTP a log under another model is taken and shown; of another sn it is 400, and the session stays', async () => {
  await using gateway = await aGateway();
  const { authorization } = await anHttpDevice(gateway, id);
  const log = (path: string) =>
    ask(`${gateway.httpUrl}/api/v2.0/log/${path}`, { headers: { authorization }, body: path });
  for (const path of ['FT9/a0001', 'FT9/A0001']) expect((await log(path)).json).toEqual({ code: 0, msg: 'ok' });
  expect(await log('FT1/A0002')).toMatchObject({
    status: 400,
    json: { code: 400, msg: expect.stringMatching(/^sn: /) },
  });
  expect((await log('a%2Fb/A0001')).status).toBe(400);
  expect((await log('a%2B/A0001')).status).toBe(400);
  expect((await log('FT1/A0001')).status).toBe(200);
  expect(await logsOf(gateway)).toEqual(['FT9/a0001 FT9/a0001', 'FT9/A0001 FT9/A0001', 'FT1/A0001 FT1/A0001']);
  await until('it is shown', async () => (await oddEventsOf(gateway)).length === 2);
  expect((await oddEventsOf(gateway)).map(({ kind }) => kind).toSorted()).toEqual(['foreign_publish', 'log_model']);
});

test('logs are found by model and sn without regard to case, and letters of a pattern mean themselves', async () => {
  await using gateway = await aGateway();
  const client = await aDevice(gateway);
  for (const model of ['Ft_9', 'FTX9', 'FT1']) await client.publishAsync(`log/${model}/a0001`, '', { qos: 1 });
  expect(await logsOf(gateway, { model: 'fT_9' })).toEqual(['Ft_9/a0001 ']);
  expect(await logsOf(gateway, { model: 'ft%' })).toEqual([]);
  expect(await logsOf(gateway, { sn: 'A0001' })).toHaveLength(3);
  expect(await logsOf(gateway, { model: 'ft1', sn: 'A0001' })).toHaveLength(1);
  await client.endAsync();
});

suiteNeeding('mosquitto_pub', 'mosquitto-clients', 'mosquitto_pub', () => {
  test('whose model nobody typed loses no log', async () => {
    await using gateway = await aGateway();
    const { hostname, port } = new URL(gateway.mqttUrl);
    const { status, said } = await shell(
      `for model in FT1 NEW-9 new-9; do
         mosquitto_pub -h ${hostname} -p ${port} -V mqttv311 -i ${id} -u FACE-T1 -P ${passwordOf(id)} -q 1 -t log/$model/A0001 -m "$model"
       done`,
      '.',
    );
    expect({ status, said }).toEqual({ status: 0, said: '' });
    expect(await logsOf(gateway)).toEqual(['FT1/A0001 FT1', 'NEW-9/A0001 NEW-9', 'new-9/A0001 new-9']);
  });
});
