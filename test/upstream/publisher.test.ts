import { once } from 'node:events';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import mqttPacket from 'mqtt-packet';
import { expect, test } from 'vitest';
import type { DeviceNo, Seq } from '../../src/store/index.ts';
import { PubackFilter } from '../../src/upstream/puback-filter.ts';
import { frameBytes, writeFrame } from '../../src/upstream/publish-frames.ts';
import { Publisher } from '../../src/upstream/publisher.ts';
import type { Outgoing, Result, Sending } from '../../src/upstream/transport.ts';

const record = (topic: string, payload: Uint8Array, seq = 1): Outgoing => ({
  seq: seq as Seq,
  deviceNo: 1 as DeviceNo,
  channel: 'device',
  topic,
  // Among others.
  bytes: Buffer.concat([Buffer.from('before'), payload, Buffer.from('behind')]),
  start: 6,
  end: 6 + payload.length,
  receivedAt: 1,
  passOver: false,
  stays: false,
  action: null,
  parkedAt: null,
});
const sending = (one: Outgoing, onAnswer: (result: Result) => void = () => {}): Sending => ({ ...one, onAnswer });
const frame = (one: Outgoing, id: number): Buffer => {
  const bytes = Buffer.alloc(frameBytes(one));
  expect(writeFrame(bytes, 0, one, id)).toBe(bytes.length);
  return bytes;
};
const never = () => expect.unreachable('nobody is to wait here');
const turn = () => new Promise(resolve => setImmediate(resolve));

/** A connection whose other end the test plays: what was written, and bytes that come in. */
class Wire extends Duplex {
  readonly written: Buffer[] = [];
  readonly came: Buffer[] = [];
  /** Writes that are not finished, while `slow`. */
  readonly unfinished: (() => void)[] = [];
  slow = false;
  /** How often it was asked to read on. */
  asked = 0;
  constructor() {
    super({ highWaterMark: 16 * 1024 });
    this.on('data', chunk => this.came.push(chunk));
  }
  override _read() {
    this.asked++;
  }
  override _write(chunk: Buffer, _: string, done: () => void) {
    this.written.push(chunk);
    if (this.slow) this.unfinished.push(done);
    else done();
  }
  ids(): number[] {
    const ids: number[] = [];
    const parser = mqttPacket.parser().on('packet', packet => ids.push(packet.messageId!));
    for (const chunk of this.written.splice(0)) parser.parse(chunk);
    return ids;
  }
}
const puback = (...ids: number[]) => Buffer.concat(ids.map(id => Buffer.from([0x40, 2, id >> 8, id & 255])));

test('a packet is the bytes that MQTT 3.1.1 section 3.3 draws', () => {
  expect(frame(record('a/b', Buffer.from('xyz')), 10).toString('hex')).toBe('320a0003612f62000a78797a');
  expect(frame(record('device', Buffer.alloc(0)), 0xabcd).toString('hex')).toBe('320a0006646576696365abcd');
  // The length takes a second byte from 128 on, a third from 16384 on.
  expect(frame(record('d', Buffer.alloc(122)), 1).toString('hex', 0, 5)).toBe('327f000164');
  expect(frame(record('d', Buffer.alloc(123)), 1).toString('hex', 0, 6)).toBe('328001000164');
  expect(frame(record('d', Buffer.alloc(16_379)), 1).toString('hex', 0, 7)).toBe('32808001000164');
  expect(() => frameBytes(record('d'.repeat(65_536), Buffer.alloc(0)))).toThrow(RangeError);
});

test('the bytes are those of mqtt-packet, whatever the topic, the payload and the id', () => {
  const topic = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' });
  const payload = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ minLength: 16_000, maxLength: 17_000 }));
  fc.assert(
    fc.property(topic, payload, fc.integer({ min: 1, max: 65_535 }), (topic, payload, id) => {
      const messageId = id;
      const expected = { cmd: 'publish', topic, payload: Buffer.from(payload), qos: 1, messageId } as const;
      expect(frame(record(topic, payload), id)).toEqual(
        mqttPacket.generate({ ...expected, dup: false, retain: false }),
      );
    }),
    { numRuns: 200 },
  );
});

test('PUBACKs are taken out of the stream, every other byte passes in order, however it is cut', () => {
  const passing = fc.oneof(
    fc.constantFrom(Buffer.from([0xd0, 0]), Buffer.from([0x20, 2, 0, 0]), Buffer.from([0x90, 3, 0, 1, 0])),
    fc.uint8Array({ maxLength: 400 }).map(payload => frame(record('$client/x', payload), 0x4002)),
    fc.constant(frame(record('$client/x', Buffer.alloc(20_000, 0x40)), 0x4002)),
  );
  const packets = fc.array(fc.oneof(passing, fc.integer({ min: 0, max: 65_535 })), { maxLength: 30 });
  fc.assert(
    fc.property(packets, fc.array(fc.integer({ min: 1, max: 9 })), (packets, cuts) => {
      const bytes = Buffer.concat(packets.map(one => (typeof one === 'number' ? puback(one) : one)));
      const ids: number[] = [];
      const filter = new PubackFilter(id => ids.push(id));
      const passed: Buffer[] = [];
      let at = 0;
      for (const cut of cuts) {
        passed.push(Buffer.from(filter.pass(bytes.subarray(at, at + cut))));
        at += Math.min(cut, bytes.length - at);
      }
      passed.push(Buffer.from(filter.pass(bytes.subarray(at))));
      expect(ids).toEqual(packets.filter(one => typeof one === 'number'));
      expect(Buffer.concat(passed)).toEqual(Buffer.concat(packets.filter(one => typeof one !== 'number')));
    }),
    { numRuns: 300 },
  );
});

test('a PUBACK of another length, and a length that never ends, are for the parser behind', () => {
  const filter = new PubackFilter(id => expect.unreachable(`${id}`));
  for (const hex of ['4003000100', '30ffffffff', 'd000'])
    expect(filter.pass(Buffer.from(hex, 'hex')).toString('hex')).toBe(hex);
});

test('what is sent in one turn goes out in one write, and each record settles by its own PUBACK', async () => {
  const wire = new Wire();
  let heard = 0;
  const publisher = new Publisher(wire, { window: 16, onHeard: () => heard++, later: never });
  const answered: number[] = [];
  for (let seq = 1; seq <= 5; seq++)
    publisher.send(
      sending(record('device', Buffer.from(`${seq}`), seq), ({ kind }) => {
        expect(kind).toBe('confirmed');
        answered.push(seq);
      }),
    );
  await turn();
  expect(wire.written.length).toBe(1);
  const ids = wire.ids();
  expect(new Set(ids).size).toBe(5);
  // The third and the first in two pieces, a ping's answer between them, and one that nobody has
  // sent.
  wire.push(puback(ids[2]!).subarray(0, 3));
  wire.push(Buffer.concat([puback(ids[2]!).subarray(3), Buffer.from([0xd0, 0]), puback(9999, ids[0]!)]));
  await turn();
  expect(answered).toEqual([3, 1]);
  expect(heard).toBe(1);
  expect(Buffer.concat(wire.came).toString('hex')).toBe('d000');
  // The same again: it is not theirs that were sent since.
  publisher.send(sending(record('device', Buffer.from('6'), 6), () => answered.push(6)));
  wire.push(puback(ids[0]!, ids[2]!));
  expect(answered).toEqual([3, 1]);
});

test('packet ids come round for ever, and never two in flight have the same', async () => {
  const wire = new Wire();
  const publisher = new Publisher(wire, { window: 3, onHeard: () => {}, later: never });
  let answered = 0;
  for (let round = 0; round < 50; round++) {
    for (let index = 0; index < 3; index++)
      publisher.send(sending(record('device', Buffer.from('{}')), () => answered++));
    expect(() => publisher.send(sending(record('device', Buffer.from('{}'))))).toThrow('window');
    await turn();
    const ids = wire.ids();
    expect(new Set(ids).size).toBe(3);
    wire.push(puback(...(round % 2 ? ids : ids.toReversed())));
  }
  expect(answered).toBe(150);
});

test('a socket that takes nothing is given a bounded amount; the rest follows in order when it has gone', async () => {
  const wire = new Wire();
  wire.slow = true;
  const publisher = new Publisher(wire, { window: 64, onHeard: () => {}, later: never });
  for (let index = 0; index < 64; index++) publisher.send(sending(record('device', Buffer.alloc(100_000))));
  await turn();
  expect(wire.writableLength).toBeLessThan(1_600_000);
  const ids: number[] = [];
  while (wire.unfinished.length > 0) {
    wire.unfinished.shift()!();
    await turn();
  }
  ids.push(...wire.ids());
  expect(ids).toEqual(Array.from({ length: 64 }, (_, index) => ids[0]! + index));
  wire.destroy();
  await once(wire, 'close');
  expect(() => publisher.send(sending(record('device', Buffer.from('{}'))))).toThrow('window');
  await turn();
  expect(wire.written).toEqual([]);
});

test('while most are in flight the answers of a millisecond are read together, and none is lost', async () => {
  const wire = new Wire();
  const waits: { readonly ms: number; readonly act: () => void }[] = [];
  const publisher = new Publisher(wire, { window: 32, onHeard: () => {}, later: (ms, act) => waits.push({ ms, act }) });
  const answered: number[] = [];
  for (let seq = 1; seq <= 32; seq++)
    publisher.send(sending(record('device', Buffer.from('{}'), seq), () => answered.push(seq)));
  await turn();
  const ids = wire.ids();
  // One answer of 32: whoever reads is told to stop, and is asked again a millisecond later.
  expect(wire.push(puback(ids[0]!))).toBe(false);
  expect(waits.map(({ ms }) => ms)).toEqual([1]);
  wire.asked = 0;
  waits[0]!.act();
  expect(wire.asked).toBe(1);
  // Many at once, or another packet beside them: there is nothing to wait for; nor when little is
  // in flight.
  wire.push(puback(...ids.slice(1, 9)));
  wire.push(Buffer.concat([puback(ids[9]!), Buffer.from([0xd0, 0])]));
  wire.push(puback(...ids.slice(10, 20)));
  wire.push(puback(ids[20]!));
  expect(waits.length).toBe(1);
  expect(answered).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
  await turn();
  expect(Buffer.concat(wire.came).toString('hex')).toBe('d000');
});
