import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import mqtt, { type MqttClient } from 'mqtt';
import mqttPacket, { type Packet } from 'mqtt-packet';
import { expect, test } from 'vitest';
import {
  interceptReads,
  internalSettings,
  libraryId,
  onMessage,
  postponePing,
  readOn,
  socketOf,
} from '../../src/upstream/mqtt-internals.ts';
import { until } from '../support/until.ts';

/**
 * What the uplink uses of mqtt.js beyond its documents. When a new version of it, or of Node, makes
 * one of these fail, `publisher.ts` must be looked at before the version is taken. That the TLS
 * context is passed through is shown by `fallback.test.ts`, "over TLS".
 */

const puback = Buffer.from([0x40, 2, 0, 16]);

/** A client of mqtt.js at a server that the test plays; its timers run only when they are asked. */
async function aClient(prepare: (client: MqttClient) => void = () => {}) {
  const packets: Packet[] = [];
  const connected = Promise.withResolvers<Socket>();
  const server = createServer(socket => {
    const parser = mqttPacket.parser().on('packet', packet => packets.push(packet));
    socket.on('data', (chunk: Buffer) => parser.parse(chunk));
    socket.on('error', () => {});
    connected.resolve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timersSet: number[] = [];
  const client = mqtt.connect({
    ...{ protocol: 'mqtt', host: '127.0.0.1', port: (server.address() as AddressInfo).port, protocolVersion: 4 },
    ...{ keepalive: 60, reconnectPeriod: 0, clientId: 'FACE-T1_A0001' },
    ...internalSettings(undefined),
    timerVariant: { set: (_act: () => void, ms?: number) => timersSet.push(ms ?? 0), clear: () => {} },
  });
  const errors: Error[] = [];
  client.on('error', error => errors.push(error));
  prepare(client);
  const socket = await connected.promise;
  socket.write(mqttPacket.generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }));
  const heard = (cmd: Packet['cmd']) =>
    until(`a ${cmd} came`, () => packets.find(packet => packet.cmd === cmd) ?? null);
  return {
    ...{ client, socket, packets, errors, timersSet, heard },
    connected: () => until('it is connected', () => client.connected),
    async [Symbol.asyncDispose]() {
      client.end(true);
      socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

test('the only packet id that the library takes is its own', async () => {
  await using one = await aClient();
  await one.connected();
  one.client.subscribe('$client/FACE-T1_A0001', { qos: 0 });
  expect(await one.heard('subscribe')).toMatchObject({ messageId: libraryId });
});

test('the socket is there before anything is read, so that PUBACKs can be kept from the library', async () => {
  const read: Buffer[] = [];
  await using one = await aClient(client =>
    interceptReads(socketOf(client), chunk => {
      read.push(chunk);
      return chunk.equals(puback) ? Buffer.alloc(0) : chunk;
    }),
  );
  const parsed: string[] = [];
  one.client.on('packetreceive', ({ cmd }) => parsed.push(cmd));
  await one.connected();
  one.socket.write(puback);
  await until('it was read', () => Buffer.concat(read).subarray(-puback.length).equals(puback));
  one.socket.write(mqttPacket.generate({ cmd: 'pingresp' }));
  await until('what follows reaches the library', () => parsed.includes('pingresp'));
  expect(parsed).not.toContain('puback');
  expect(one.errors).toEqual([]);
});

test('reading can be paused and resumed', async () => {
  let holdBack = false;
  let held = 0;
  await using one = await aClient(client =>
    interceptReads(socketOf(client), chunk => {
      if (!holdBack) return chunk;
      held++;
      return null;
    }),
  );
  await one.connected();
  holdBack = true;
  one.socket.write(puback);
  await until('it was read', () => held === 1);
  const parsed: string[] = [];
  one.client.on('packetreceive', ({ cmd }) => parsed.push(cmd));
  holdBack = false;
  one.socket.write(mqttPacket.generate({ cmd: 'pingresp' }));
  for (let turns = 0; turns < 20; turns++) await new Promise(resolve => setImmediate(resolve));
  expect(parsed).toEqual([]);
  readOn(socketOf(one.client));
  await until('it reads on', () => parsed.includes('pingresp'));
});

test('bytes that are written beside the library go out between its packets', async () => {
  await using one = await aClient();
  await one.connected();
  const publish = mqttPacket.generate({
    ...{ cmd: 'publish', topic: 'device', payload: '{}', qos: 1, messageId: 16, dup: false, retain: false },
  });
  socketOf(one.client).write(publish);
  one.client.subscribe('$client/FACE-T1_A0001', { qos: 0 });
  await one.heard('subscribe');
  expect(one.packets.map(({ cmd }) => cmd)).toEqual(['connect', 'publish', 'subscribe']);
});

test('a ping can be put off', async () => {
  await using one = await aClient();
  await one.connected();
  const before = one.timersSet.length;
  postponePing(one.client);
  expect(one.timersSet).toHaveLength(before + 1);
});

test('a message of QoS 1 is acknowledged when it was handled, and not when that failed', async () => {
  const taken: string[] = [];
  const first = Promise.withResolvers<void>();
  await using one = await aClient(client =>
    onMessage(client, payload => {
      const text = Buffer.from(payload).toString();
      taken.push(text);
      return text === 'bad' ? Promise.reject(new Error('the disk is full')) : first.promise;
    }),
  );
  await one.connected();
  const message = (payload: string, messageId: number) =>
    one.socket.write(
      mqttPacket.generate({ cmd: 'publish', topic: 'x', payload, qos: 1, messageId, dup: false, retain: false }),
    );
  const acknowledged = () => one.packets.filter(({ cmd }) => cmd === 'puback').map(({ messageId }) => messageId);
  message('good', 7);
  await until('it was handed over', () => taken.length === 1);
  expect(one.packets.map(({ cmd }) => cmd)).toEqual(['connect']);
  first.resolve();
  expect(await one.heard('puback')).toMatchObject({ messageId: 7 });
  message('bad', 8);
  message('next', 9);
  await until('the next is acknowledged', () => acknowledged().includes(9));
  expect(acknowledged()).toEqual([7, 9]);
});
