import fc from 'fast-check';
import { generate, type Packet, parser } from 'mqtt-packet';
import { expect, test } from 'vitest';
import { defaultActions } from '../../../src/platform/actions.ts';
import { StoreError } from '../../../src/store/index.ts';
import { anMqttGateway, connect, gatewayDevice, gatewayMessageBytesMax, publish } from '../../support/mqtt-gateway.ts';

type Engine = Pick<Parameters<typeof anMqttGateway>[0], 'mqttEngine' | 'mqttFraming'>;

const numRuns = Number(process.env.RUNS ?? 100);
const envelope = (action: number) =>
  Buffer.from(JSON.stringify({ mid: 'm', from: gatewayDevice, to: 'system', time: 0, action, data: {} }));

const publishes = (...topics: string[]) =>
  fc
    .record({
      qos: fc.constantFrom(0, 1, 1, 1),
      dup: fc.boolean(),
      retain: fc.boolean(),
      topic: fc.constantFrom(...topics),
      id: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 0xffff })),
      payload: fc.oneof(
        fc.constantFrom(envelope(777), envelope(defaultActions.time_sync), Buffer.alloc(0)),
        fc.uint8Array({ maxLength: 200 }),
      ),
    })
    // DUP at QoS 0 ends the connection.
    .map(one => publish({ ...one, dup: one.dup && one.qos > 0 }));

const packet = (one: Packet) => generate(one);
const id = fc.integer({ min: 1, max: 3 });
const other = fc.oneof(
  fc.constant(packet({ cmd: 'pingreq' })),
  id.map(messageId =>
    packet({ cmd: 'subscribe', messageId, subscriptions: [{ topic: `$client/${gatewayDevice}`, qos: 1 }] }),
  ),
  id.map(messageId => packet({ cmd: 'unsubscribe', messageId, unsubscriptions: [`$client/${gatewayDevice}`] })),
  fc
    .tuple(fc.constantFrom('pubrel', 'pubrec', 'puback', 'pubcomp'), id)
    .map(([cmd, messageId]) => packet({ cmd, messageId } as Packet)),
);

/** What a broker answers by ending the connection, each in its own way. */
const wrong = fc.oneof(
  fc.constant(packet({ cmd: 'disconnect' })),
  fc.constant(connect),
  fc.constant(publish({ id: 0 })),
  fc.constant(packet({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: '#', qos: 0 }] })),
  fc.constantFrom('', '#', 'device/+', 'device\0', 'log/FT1/A2').map(topic => publish({ topic, payload: 'x' })),
  fc.constantFrom('device', 'weather').map(topic => publish({ topic, payload: 'x', qos: 2 })),
  fc
    .constantFrom(
      '3600', // QoS 3
      '3601',
      '3000', // no topic
      '300101',
      '3003ffff61', // a topic longer than its packet
      '3208000664657669636500', // half a packet id
      '32080006646576696365', // no packet id
      '320400026465', // the same of a topic that is not its own
      '3803000161', // DUP at QoS 0
      '30030001ff', // no UTF-8
      '40020000', // acknowledgements with the packet id 0
      '62020000',
      'd100', // flags that must be 0
      '0000', // types that are none
      'f000',
    )
    .map(hex => Buffer.from(hex, 'hex')),
);

/**
 * What the engines end at different moments: aedes looks at a whole chunk for packets of a wrong
 * length before it reads the first of them, and reads some malformed packets on into the next.
 */
const wrongAtOnce = fc.oneof(
  fc
    .constantFrom(
      '34080006646576696365', // QoS 2 without its packet id
      '8000',
      '2000',
      'b000',
      '6200', // no packet id
      '4000',
      '4001ff',
      '4003000100',
      'c00100',
      '820100',
      '82020001', // no filter
      'a200',
      'ffffffffff', // a length without end
      '32ffffffffff',
    )
    .map(hex => Buffer.from(hex, 'hex')),
  fc.constant(
    Buffer.from([0x32, ((gatewayMessageBytesMax + 600) & 127) | 128, (gatewayMessageBytesMax + 600) >> 7, 0, 6]),
  ),
  fc.uint8Array({ minLength: 1, maxLength: 40 }).map(bytes => Buffer.from(bytes)),
);

const joined = (packets: readonly Uint8Array[]) => Buffer.concat(packets);
const harmless = fc
  .array(fc.oneof({ weight: 3, arbitrary: publishes('device') }, { weight: 1, arbitrary: other }), {
    maxLength: 40,
    size: 'max',
  })
  .map(packets => joined([connect, ...packets]));
const streams = (wrong: fc.Arbitrary<Buffer>) =>
  fc
    .tuple(
      fc.oneof({ weight: 15, arbitrary: fc.constant(connect) }, { weight: 1, arbitrary: fc.constant(Buffer.alloc(0)) }),
      fc.array(
        fc.oneof(
          {
            weight: 10,
            arbitrary: publishes('device', 'device', 'log/FT1/A1', 'log/face-t1/a1', 'weather', 'a/b/c/d/e'),
          },
          { weight: 4, arbitrary: other },
          { weight: 1, arbitrary: wrong },
        ),
        { maxLength: 30, size: 'max' },
      ),
    )
    .map(([first, rest]) => joined([first, ...rest]));

/** What comes together, in how many pieces, and which commits follow. */
const steps = fc.array(
  fc.record({
    pieces: fc.array(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 400 })), {
      minLength: 1,
      maxLength: 3,
    }),
    commits: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
    fails: fc.integer({ min: 0, max: 19 }).map(one => one === 0),
  }),
  { minLength: 1, maxLength: 30, size: 'max' },
);
type Steps = typeof steps extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * What can be seen of the gateway from outside when it was sent this; `waits`: each time until all
 * of it is on disk.
 */
async function seen(engine: Engine, strict: boolean, bytes: Buffer, cuts: Steps, waits: boolean) {
  await using gateway = await anMqttGateway({ ...engine, strict });
  let at = 0;
  for (const { pieces, commits, fails } of [...cuts, { pieces: [bytes.length], commits: [], fails: false }]) {
    await gateway.feed(
      ...pieces.map(length => {
        at += length;
        return bytes.subarray(at - length, at);
      }),
    );
    for (const count of commits) await gateway.commit(count);
    if (waits) await gateway.commit(undefined, fails ? new StoreError('closed', 'the disk is full') : null);
  }
  for (let open = true; open; open = await gateway.commit());
  return {
    taken: gateway.taken,
    said: gateway.said(),
    ended: gateway.ended(),
    notes: gateway.notes,
    counted: gateway.counters.all(),
  };
}

const own: Engine = { mqttEngine: 'gateway', mqttFraming: false };
const layered: Engine = { mqttEngine: 'aedes', mqttFraming: true };
const broker: Engine = { mqttEngine: 'aedes', mqttFraming: false };

test('whatever comes, cut wherever: aedes with the framing layer takes, says and ends the same as alone', async () => {
  await fc.assert(
    fc.asyncProperty(streams(fc.oneof(wrong, wrongAtOnce)), steps, fc.boolean(), async (bytes, cuts, strict) => {
      expect(await seen(layered, strict, bytes, cuts, true)).toEqual(await seen(broker, strict, bytes, cuts, true));
    }),
    { numRuns },
  );
});

/**
 * The differences that are wanted are listed in docs/decisions/devices.md. Those that show here:
 * the gateway answers in the order of the packets. It takes what stands before a packet that is
 * malformed, where aedes may drop it with the chunk; and behind the end it takes and says nothing,
 * where aedes may go on for a turn.
 */
test('whatever comes, cut wherever: the gateway takes, says and ends the same as aedes', async () => {
  await fc.assert(
    fc.asyncProperty(streams(wrong), steps, fc.boolean(), async (bytes, cuts, strict) => {
      const gateway = await seen(own, strict, bytes, cuts, true);
      const aedes = await seen(layered, strict, bytes, cuts, true);
      expect(gateway.ended).toBe(aedes.ended);
      const [one, other] = [answersIn(gateway.said), answersIn(aedes.said)];
      if (gateway.ended) {
        expectSameStart(gateway.taken, aedes.taken);
        expectSameStart(one.pubacks, other.pubacks);
      } else expect({ ...gateway, said: one }).toEqual({ ...aedes, said: other });
    }),
    { numRuns },
  );
});

/**
 * aedes leaves a device unread while its messages wait for the disk; the framing layer and the
 * gateway read on, and so the other packets are answered sooner. In which order aedes answers those
 * hangs on what it reads together.
 */
test.each([
  ['aedes with the framing layer', layered],
  ['the gateway', own],
])(
  'with a slow disk too %s takes, acknowledges and answers the same, the messages in their order',
  async (_name, engine) => {
    await fc.assert(
      fc.asyncProperty(harmless, steps, async (bytes, cuts) => {
        const one = await seen(engine, false, bytes, cuts, false);
        const other = await seen(broker, false, bytes, cuts, false);
        expect([one.taken, one.counted]).toEqual([other.taken, other.counted]);
        expect(answersIn(one.said)).toEqual(answersIn(other.said));
      }),
      { numRuns },
    );
  },
);

/** Neither lacks or changes anything in the middle: one may only stop sooner. */
function expectSameStart(one: readonly unknown[], other: readonly unknown[]): void {
  const length = Math.min(one.length, other.length);
  expect(one.slice(0, length)).toEqual(other.slice(0, length));
}

function answersIn(said: string) {
  const pubacks: (number | undefined)[] = [];
  const others: string[] = [];
  const device = parser();
  device.on('packet', ({ cmd, messageId }) => {
    if (cmd === 'puback') pubacks.push(messageId);
    // What is told to a device that has just subscribed hangs on when it was heard.
    else if (cmd !== 'publish') others.push(`${cmd} ${messageId}`);
  });
  device.parse(Buffer.from(said, 'hex'));
  return { pubacks, others: others.toSorted() };
}
