import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { Aedes, type Client, type PublishPacket } from 'aedes';
import { generate } from 'mqtt-packet';
import { expect, test } from 'vitest';
import {
  checkPackets,
  forgetConnect,
  grantAtMostOne,
  parse,
  refreshKeepAlive,
} from '../../../../src/devices/mqtt/aedes/internals.ts';
import { connect } from '../../../support/mqtt-gateway.ts';

/**
 * What the gateway uses of aedes' private parts. When a new version of aedes makes one of these
 * fail, the framing layer must be looked at before the version is taken.
 */

/** A device of a plain broker, logged in; `heard` is what the broker made of its messages. */
async function aClient() {
  const heard: PublishPacket[] = [];
  const broker = await Aedes.createBroker({
    authorizePublish: (_client, packet, callback) => {
      heard.push(packet);
      callback(null);
    },
  });
  const written: Buffer[] = [];
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  const client = broker.handle(stream as never) as Client;
  const ready = once(broker, 'clientReady');
  stream.push(connect);
  await ready;
  return {
    client,
    heard,
    async feed(bytes: Buffer) {
      parse(client, bytes);
      for (let turns = 0; turns < 6; turns++) await new Promise(resolve => setImmediate(resolve));
    },
    said: () => Buffer.concat(written).toString('hex'),
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => broker.close(() => resolve())),
  };
}

test('bytes that are handed to the parser are read as if they had come over the socket', async () => {
  await using device = await aClient();
  await device.feed(generate({ cmd: 'pingreq' }));
  expect(device.said()).toBe('20020000d000');
});

test('behind bytes that the parser cannot read it gets no more', async () => {
  await using device = await aClient();
  device.client.on('error', () => {});
  await device.feed(Buffer.from('f000', 'hex'));
  await device.feed(generate({ cmd: 'pingreq' }));
  expect(device.said()).toBe('20020000');
});

test("the keep-alive's timer starts again when it is told to", async () => {
  await using device = await aClient();
  const timer = refreshKeepAlive(device.client) as NodeJS.Timeout | undefined;
  expect(timer?.hasRef).toBeTypeOf('function');
});

test('the parser reads on without the CONNECT that it kept', async () => {
  await using device = await aClient();
  forgetConnect(device.client);
  const { _parser: parser } = device.client as unknown as { _parser: { settings: object } };
  expect(Object.keys(parser.settings)).toEqual(['protocolVersion']);
  await device.feed(generate({ cmd: 'subscribe', messageId: 9, subscriptions: [{ topic: 'a', qos: 0 }] }));
  expect(device.said()).toBe('200200009003000900');
});

test('a subscription that asks for QoS 2 is granted 1', async () => {
  await using device = await aClient();
  grantAtMostOne(device.client);
  await device.feed(generate({ cmd: 'subscribe', messageId: 9, subscriptions: [{ topic: 'a', qos: 2 }] }));
  expect(device.said()).toBe('200200009003000901');
});

test('every packet is looked at before it is read, wherever it is cut, and one that is refused is not', async () => {
  await using device = await aClient();
  const seen: string[] = [];
  device.client.on('error', () => {});
  checkPackets(device.client, (head, body) => {
    seen.push(`${head.toString(16)} ${body.toString('hex')}`);
    return body.includes('no') ? 'refused' : null;
  });
  for (const byte of Buffer.from('3b050001610001c000', 'hex')) await device.feed(Buffer.of(byte));
  await device.feed(Buffer.from('300500016e6e6f', 'hex'));
  expect(seen).toEqual(['3b 0001610001', 'c0 ', '30 00016e6e6f']);
  expect([device.heard.length, device.said()]).toEqual([1, '2002000040020001d000']);
});
