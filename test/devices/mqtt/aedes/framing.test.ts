import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { generate, type Packet, parser } from 'mqtt-packet';
import { describe, expect, test } from 'vitest';
import { Framing } from '../../../../src/devices/mqtt/aedes/framing.ts';
import type { Receipt } from '../../../../src/devices/pipeline.ts';
import { StoreError } from '../../../../src/store/index.ts';
import { publish } from '../../../support/mqtt-gateway.ts';

/**
 * The layer over a stream that is fed by hand, with a broker behind it that reads whatever comes.
 */
function aLayer() {
  const written: Buffer[] = [];
  const stream = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  const state = { open: true, taken: 0, failed: [] as string[] };
  const taken: { topic: string; payload: string; receipt: Receipt }[] = [];
  const passed: Buffer[] = [];
  new Framing(stream, {
    isOpen: () => state.open,
    mayTake: topic => topic === 'device' || topic === 'log/FT1/A1',
    take: (topic, payload, receipt) => taken.push({ topic, payload: payload.toString(), receipt }),
    pass: bytes => void passed.push(bytes),
    onTaken: () => state.taken++,
    onFailed: error => state.failed.push(error.message),
  });
  return {
    state,
    taken,
    feed(bytes: Uint8Array) {
      stream.push(bytes);
      stream.read();
    },
    messages: () => taken.map(({ topic, payload }) => [topic, payload]),
    passed: () => Buffer.concat(passed).toString('hex'),
    /** What was passed on, as a broker reads it. */
    packets() {
      const packets: (Packet & { topic?: string })[] = [];
      const broker = parser();
      broker.on('packet', packet => packets.push(packet));
      for (const bytes of passed) broker.parse(bytes);
      return packets.map(({ cmd, topic }) => topic ?? cmd);
    },
    written: () => Buffer.concat(written).toString('hex'),
  };
}
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const turn = () => new Promise(resolve => setImmediate(resolve));
const x200 = 'x'.repeat(200);

describe('the bytes', () => {
  test.each([
    ['QoS 0', '30 0b 0006 646576696365 686921', 'device', 'hi!', ''],
    ['QoS 1', '32 0d 0006 646576696365 000a 686921', 'device', 'hi!', '4002000a'],
    ['QoS 1, sent again, to be retained', '3b 0d 0006 646576696365 0203 686921', 'device', 'hi!', '40020203'],
    ['the highest packet id', '32 0d 0006 646576696365 ffff 686921', 'device', 'hi!', '4002ffff'],
    ['no payload', '32 0a 0006 646576696365 0001', 'device', '', '40020001'],
    ['a log', '30 0e 000a 6c6f672f4654312f4131 6f6b', 'log/FT1/A1', 'ok', ''],
    ['a length of two bytes', `32 d201 0006 646576696365 0001 ${'78'.repeat(200)}`, 'device', x200, '40020001'],
    ['a length that is longer than it need be', '32 8d8000 0006 646576696365 0001 686921', 'device', 'hi!', '40020001'],
  ])('%s', async (_what, bytes, topic, payload, puback) => {
    const layer = aLayer();
    layer.feed(hex(bytes));
    expect([layer.messages(), layer.passed()]).toEqual([[[topic, payload]], '']);
    layer.taken[0]!.receipt.onCommitted(null);
    await turn();
    expect(layer.written()).toBe(puback);
  });

  test.each([
    ['QoS 2', '34 0d 0006 646576696365 000a 686921'],
    ['QoS 3', '36 0d 0006 646576696365 000a 686921'],
    ['another topic', '32 0d 0006 64657669636f 000a 686921'],
    ['no topic', '30 00'],
    ['half a length of the topic', '30 01 00'],
    ['a topic longer than its packet', '30 08 0007 646576696365'],
    ['no packet id', '32 08 0006 646576696365'],
    ['half a packet id', '32 09 0006 646576696365 00'],
    ['PINGREQ', 'c000'],
    ['CONNECT, and all of another protocol', '100c 0004 4d515454 04 02 003c 0000'],
  ])('are passed on as they came: %s', async (_what, bytes) => {
    const layer = aLayer();
    layer.feed(hex(bytes));
    await turn();
    expect([layer.passed(), layer.messages(), layer.written()]).toEqual([bytes.replaceAll(' ', ''), [], '']);
  });
});

test('what is not taken is passed on unchanged and in order', () => {
  const layer = aLayer();
  layer.feed(
    Buffer.concat([
      publish({ payload: 'one' }),
      generate({ cmd: 'pingreq' }),
      publish({ topic: 'log/FT1/A1', payload: 'two', qos: 0 }),
      publish({ topic: 'log/FT1/A2', payload: 'foreign' }),
      publish({ payload: 'three', qos: 2 }),
      generate({ cmd: 'disconnect' }),
    ]),
  );
  expect(layer.messages()).toEqual([
    ['device', 'one'],
    ['log/FT1/A1', 'two'],
  ]);
  expect(layer.packets()).toEqual(['pingreq', 'log/FT1/A2', 'device', 'disconnect']);
});

test('the acknowledgements of one commit go out together, each with its own id, and none for what failed', async () => {
  const layer = aLayer();
  layer.feed(Buffer.concat([publish({ id: 1 }), publish({ id: 515 }), publish({ id: 3 })]));
  await turn();
  expect(layer.written()).toBe('');
  layer.taken[0]!.receipt.onCommitted(null);
  layer.taken[1]!.receipt.onCommitted(null);
  layer.taken[2]!.receipt.onCommitted(new StoreError('disk_full', 'the disk is full'));
  await turn();
  expect([layer.written(), layer.state.failed]).toEqual(['4002000140020203', ['the disk is full']]);
});

test('everything is passed on until the login is through', () => {
  const layer = aLayer();
  layer.state.open = false;
  layer.feed(publish({ payload: 'early' }));
  layer.state.open = true;
  layer.feed(publish({ payload: 'late' }));
  expect([layer.packets(), layer.messages()]).toEqual([['device'], [['device', 'late']]]);
});

test('a packet that has begun is the broker to see at once, one that may be taken when it is whole', () => {
  const layer = aLayer();
  const subscribe = ['82', '30', '0001002b', '61'.repeat(43), '00'];
  for (const [index, bytes] of subscribe.entries()) {
    layer.feed(hex(bytes));
    expect(layer.passed()).toBe(subscribe.slice(0, index + 1).join(''));
  }
  layer.feed(hex('c000 30'));
  expect(layer.passed()).toBe(`${subscribe.join('')}c000`);
});

test('only a whole packet is a sign of life', () => {
  const layer = aLayer();
  const message = publish({ payload: x200 });
  layer.feed(message.subarray(0, 100));
  layer.feed(message.subarray(100, 150));
  expect(layer.state.taken).toBe(0);
  layer.feed(message.subarray(150));
  expect(layer.state.taken).toBe(1);
});

test('however the bytes are cut, the same packets are taken and passed on', () => {
  const packet = fc.oneof(
    fc.record({
      topic: fc.constantFrom('device', 'log/FT1/A1', 'other'),
      payload: fc.string({ maxLength: 300 }),
      qos: fc.constantFrom(0, 1),
    }),
    fc.constant(null),
  );
  fc.assert(
    fc.property(fc.array(packet, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 200 })), (packets, cuts) => {
      const layer = aLayer();
      const bytes = Buffer.concat(packets.map(one => (one ? publish(one) : generate({ cmd: 'pingreq' }))));
      let at = 0;
      for (const length of [...cuts, bytes.length]) {
        if (at < bytes.length) layer.feed(bytes.subarray(at, at + length));
        at += length;
      }
      const isPassed = (one: (typeof packets)[number]) => one === null || one.topic === 'other';
      expect(layer.messages()).toEqual(
        packets.filter(one => !isPassed(one)).map(one => [one!.topic, Buffer.from(one!.payload).toString()]),
      );
      expect(layer.packets()).toEqual(packets.filter(isPassed).map(one => one?.topic ?? 'pingreq'));
    }),
  );
});

test('garbage never throws, and nothing of it is lost but what is held back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), garbage => {
      const layer = aLayer();
      layer.state.open = false;
      layer.feed(garbage);
      expect(Buffer.from(garbage).toString('hex').startsWith(layer.passed())).toBe(true);
    }),
  );
});
