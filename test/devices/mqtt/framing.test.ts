import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { generate, parser } from 'mqtt-packet';
import { expect, test } from 'vitest';
import { Framing } from '../../../src/devices/mqtt/framing.ts';

type Packet = Parameters<typeof generate>[0];

const publish = (topic: string, payload: string, qos: 0 | 1 | 2 = 1, messageId = 7): Packet => ({
  cmd: 'publish',
  topic,
  payload,
  qos,
  dup: false,
  retain: false,
  ...(qos > 0 ? { messageId } : {}),
});

/** A tap over a stream that is fed by hand; reads like the broker does. */
function aTap() {
  const written: Buffer[] = [];
  const stream = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  const state = { open: true, heard: 0, failed: [] as string[] };
  const taken: { topic: string; payload: string; settle: (error: Error | null) => void }[] = [];
  const passed: { cmd: string; topic?: string }[] = [];
  const broker = parser();
  broker.on('packet', packet => passed.push(packet as never));
  new Framing(stream, {
    isOpen: () => state.open,
    mayTake: topic => topic === 'device' || topic === 'log/FT1/A1',
    take: (topic, payload, settle) => taken.push({ topic, payload: payload.toString(), settle }),
    heard: () => state.heard++,
    failed: error => state.failed.push(error.message),
  });
  const read = () => {
    const chunk = stream.read();
    if (chunk) broker.parse(chunk);
  };
  stream.on('readable', read);
  const feed = (bytes: Buffer) => {
    stream.push(bytes);
    read();
  };
  return { state, taken, passed, feed, written, stream };
}
const bytesOf = (packets: readonly Packet[]) => Buffer.concat(packets.map(packet => generate(packet)));
const turn = () => new Promise(resolve => setImmediate(resolve));

test('takes messages of known topics and passes every other packet on, unchanged and in order', async () => {
  const { taken, passed, feed } = aTap();
  feed(
    bytesOf([
      publish('device', 'one'),
      { cmd: 'pingreq' },
      publish('log/FT1/A1', 'two', 0),
      publish('log/FT1/A2', 'foreign'),
      publish('device', 'three', 2),
      { cmd: 'disconnect' },
    ]),
  );
  expect(taken.map(({ topic, payload }) => [topic, payload])).toEqual([
    ['device', 'one'],
    ['log/FT1/A1', 'two'],
  ]);
  expect(passed.map(({ cmd, topic }) => topic ?? cmd)).toEqual(['pingreq', 'log/FT1/A2', 'device', 'disconnect']);
});

test('acknowledges what is settled, each with its own id, and nothing that is not', async () => {
  const { taken, feed, written, state } = aTap();
  feed(bytesOf([publish('device', 'a', 1, 1), publish('device', 'b', 1, 515), publish('device', 'c', 1, 3)]));
  await turn();
  expect(written).toEqual([]);
  taken[0]!.settle(null);
  taken[1]!.settle(null);
  taken[2]!.settle(new Error('the disk is full'));
  await turn();
  expect(Buffer.concat(written)).toEqual(
    bytesOf([
      { cmd: 'puback', messageId: 1 },
      { cmd: 'puback', messageId: 515 },
    ]),
  );
  expect(state.failed).toEqual(['the disk is full']);
});

test('passes everything on until the login is through', () => {
  const { state, taken, passed, feed } = aTap();
  state.open = false;
  feed(bytesOf([publish('device', 'early')]));
  state.open = true;
  feed(bytesOf([publish('device', 'late')]));
  expect([passed.length, taken.map(({ payload }) => payload)]).toEqual([1, ['late']]);
});

test('however the bytes are cut, the same packets are taken and passed on', () => {
  const packet = fc.oneof(
    fc.tuple(fc.constantFrom('device', 'log/FT1/A1', 'other'), fc.string({ maxLength: 300 }), fc.constantFrom(0, 1)),
    fc.constant('pingreq' as const),
  );
  fc.assert(
    fc.property(fc.array(packet, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 200 })), (packets, cuts) => {
      const { taken, passed, feed } = aTap();
      const bytes = bytesOf(
        packets.map(one =>
          one === 'pingreq' ? { cmd: 'pingreq' } : publish(one[0], one[1], one[2] as 0 | 1, one[2] ? 9 : 0),
        ),
      );
      let at = 0;
      for (const length of [...cuts, bytes.length]) {
        if (at < bytes.length) feed(bytes.subarray(at, at + length));
        at += length;
      }
      const wanted = packets.filter(one => one !== 'pingreq' && one[0] !== 'other');
      expect(taken.map(({ topic, payload }) => [topic, payload])).toEqual(wanted.map(one => [one[0], one[1]]));
      expect(passed.map(({ cmd, topic }) => topic ?? cmd)).toEqual(
        packets.filter(one => one === 'pingreq' || one[0] === 'other').map(one => (one === 'pingreq' ? one : 'other')),
      );
    }),
  );
});

test('garbage never throws, and what cannot be a packet is the broker to refuse', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), garbage => {
      const { feed } = aTap();
      try {
        feed(Buffer.from(garbage));
      } catch (error) {
        // The parser of the test may refuse what was passed on; the tap itself may not.
        expect(String(error)).not.toMatch(/framing/);
      }
    }),
  );
});

test('a publish right behind the login is not lost when Node itself looks at the socket', async () => {
  const { state, passed, stream } = aTap();
  state.open = false;
  stream.push(bytesOf([publish('device', 'early')]));
  expect(stream.read(0)).toBeNull();
  await turn();
  expect(passed).toHaveLength(1);
});
