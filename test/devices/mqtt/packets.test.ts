import { generate, type Packet } from 'mqtt-packet';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { StoreError } from '../../../src/store/index.ts';
import { anMqttGateway, connect, gatewayDevice, gatewayLogsPerSecond, publish } from '../../support/mqtt-gateway.ts';

const pingreq = generate({ cmd: 'pingreq' });
const disconnect = generate({ cmd: 'disconnect' });
const subscribe = (topic: string, qos = 0) =>
  generate({ cmd: 'subscribe', messageId: 9, subscriptions: [{ topic, qos }] } as Packet);
const subscribeOwn = subscribe(`$client/${gatewayDevice}`);
const hex = (text: string) => Buffer.from(text, 'hex');

const connack = '20020000';
const pingresp = 'd000';
const puback = (id: number) => `4002${id.toString(16).padStart(4, '0')}`;

/** A device that is logged in. */
async function aDevice(change: { strict?: boolean; writableHighWaterMark?: number } = {}) {
  const gateway = await anMqttGateway(change);
  await gateway.feed(connect);
  return gateway;
}

test('a message that came half with the login and half behind it is taken', async () => {
  await using gateway = await anMqttGateway();
  const message = publish({ payload: 'whole' });
  await gateway.feed(Buffer.concat([connect, message.subarray(0, 9)]));
  await gateway.feed(message.subarray(9));
  await gateway.feed(publish({ payload: 'next' }));
  expect(gateway.taken).toEqual(['device whole', 'device next']);
});

test('a conversation that comes byte by byte is the same', async () => {
  await using gateway = await anMqttGateway();
  const all = [connect, publish({ id: 1 }), pingreq, subscribeOwn, publish({ qos: 0 }), publish({ id: 2 }), disconnect];
  for (const byte of Buffer.concat(all)) {
    await gateway.feed(Buffer.of(byte));
    await gateway.commit();
  }
  expect(gateway.taken).toHaveLength(3);
  expect([gateway.said(), gateway.ended()]).toEqual([
    [connack, puback(1), pingresp, '9003000900', puback(2)].join(''),
    true,
  ]);
});

test('messages are taken in their order, whatever their QoS', async () => {
  await using gateway = await aDevice();
  const qos = [1, 0, 0, 1, 1];
  await gateway.feed(Buffer.concat(qos.map((one, index) => publish({ qos: one, id: index + 1, payload: `${index}` }))));
  expect(gateway.taken).toEqual(['device 0', 'device 1', 'device 2', 'device 3', 'device 4']);
});

describe('behind what ends the connection nothing is taken:', () => {
  test.each([
    ['DISCONNECT', disconnect],
    ['a second CONNECT', connect],
    ['a subscription to what is not its own', subscribe('#')],
    ["another device's own topic", publish({ topic: '$client/FACE-T1_A2' })],
    ['an empty topic', publish({ topic: '' })],
    ['a wildcard', publish({ topic: 'device/+' })],
    ['QoS 2', publish({ qos: 2 })],
    ['QoS 2 to what is not its own', publish({ qos: 2, topic: 'weather' })],
    ['QoS 3', hex('3600')],
    ['a topic longer than its packet', hex('3003ffff61')],
    ['a PUBLISH with the packet id 0', publish({ id: 0 })],
    ['the packet id 0 to what is not its own', publish({ id: 0, topic: 'weather' })],
    ['a PUBLISH without its packet id', hex('3208000664657669636540')],
    ['a PUBREL without its packet id', hex('6200')],
    ['a SUBSCRIBE of one byte', hex('820100')],
    ['a CONNACK without its code', hex('2000')],
    ['flags that are none', hex('d100')],
    ['a type that is none', hex('f000')],
    ['QoS 0 with DUP', publish({ qos: 0, dup: true })],
    ['QoS 0 with DUP to what is not its own', publish({ qos: 0, dup: true, topic: 'weather' })],
    ['a topic with a NUL', publish({ topic: 'device\0' })],
    ['a log topic with a NUL', publish({ topic: 'log/FT1/A1\0' })],
    ['a topic that is no UTF-8', publish({ topic: hex('ff646576') })],
    ['a topic with half a surrogate pair', publish({ topic: hex('eda080') })],
    ['a topic with an overlong NUL', publish({ topic: hex('c080') })],
    ['a topic of many levels that is no UTF-8', publish({ topic: hex('612f622f632f642fff') })],
    ['a filter with a NUL', subscribe(`$client/${gatewayDevice}\0`)],
    ['a filter that is no UTF-8', hex('820600090001ff00')],
    ['an empty filter', hex('82050009000000')],
    ['a SUBSCRIBE without a filter', hex('82020009')],
    ['a SUBSCRIBE with the packet id 0', hex('8206000000016100')],
    ['a SUBSCRIBE with reserved bits in its QoS', hex('8206000900016104')],
    ['an UNSUBSCRIBE without a filter', hex('a2020009')],
    ['an UNSUBSCRIBE with the packet id 0', hex('a2050000000161')],
    ['an UNSUBSCRIBE from an empty filter', hex('a20400090000')],
    ['an UNSUBSCRIBE from a filter with a NUL', hex('a2050009000100')],
    ['an UNSUBSCRIBE from a filter that is no UTF-8', hex('a20500090001ff')],
    ['an UNSUBSCRIBE from a wildcard in the middle of a level', hex('a20600090002612b')],
    ['an UNSUBSCRIBE from a wildcard that is not last', hex('a20700090003232f61')],
    ['a PUBACK with the packet id 0', hex('40020000')],
    ['a PUBREC with the packet id 0', hex('50020000')],
    ['a PUBREL with the packet id 0', hex('62020000')],
    ['a PUBCOMP with the packet id 0', hex('70020000')],
    ['a PUBACK that is too long', hex('4003000100')],
    ['a PUBREL that is too long', hex('6203000100')],
    ['a PINGREQ with a body', hex('c00100')],
    ['a DISCONNECT with a body', hex('e00100')],
    ['a packet of the other direction', hex('d000')],
    ['a packet that is too large', hex('3288a401')],
    ['a length without end', hex('32ffffffffff')],
  ])('%s', async (_what, end) => {
    await using gateway = await aDevice();
    await gateway.feed(subscribeOwn);
    await gateway.feed(Buffer.concat([end, publish({ payload: 'too late' }), pingreq]));
    await gateway.commit();
    expect([gateway.taken, gateway.said(), gateway.ended()]).toEqual([[], `${connack}9003000900`, true]);
  });
});

test('a message of QoS 2 ends the connection and is an event; what came before it is taken', async () => {
  await using gateway = await aDevice();
  await gateway.feed(Buffer.concat([publish({ topic: 'log/FT1/A1', payload: 'before' }), publish({ qos: 2, id: 2 })]));
  await gateway.commit();
  expect([gateway.taken, gateway.notes, gateway.ended()]).toEqual([
    ['FT1/A1 before'],
    ['connected', 'qos2', 'disconnected'],
    true,
  ]);
});

test.each([0, 1, 2])('a SUBSCRIBE for QoS %i is granted 1 at most', async qos => {
  await using gateway = await aDevice();
  await gateway.feed(subscribe(`$client/${gatewayDevice}`, qos));
  expect(gateway.said()).toBe(`${connack}90030009${`0${Math.min(qos, 1)}`}`);
});

test('releases and receipts of messages that were never sent are answered, and nothing is kept of them', async () => {
  await using gateway = await aDevice();
  const ids = Array.from({ length: 200 }, (_, index) => index + 1);
  const packets = (cmd: string) => ids.map(messageId => generate({ cmd, messageId } as Packet));
  await gateway.feed(...['pubrel', 'pubrec', 'pubcomp', 'puback'].flatMap(packets));
  expect(gateway.ended()).toBe(false);
});

describe('before its login', () => {
  const connectOf = (length: number) =>
    Buffer.from([0x10, (length & 127) | 128, ((length >> 7) & 127) | 128, length >> 14, 0, 4]);

  test('a CONNECT that says it is longer than 2 KiB ends the connection at its length, counted, with the reason', async () => {
    await using gateway = await anMqttGateway();
    await gateway.feed(connectOf(2049));
    expect([gateway.ended(), gateway.refusals, gateway.counters.get('connect_too_large')]).toEqual([
      true,
      ['connect_too_large'],
      1,
    ]);
  });

  /** The body of a CONNECT behind its fixed header. */
  const connectWith = (
    flags: number,
    parts: readonly (string | Uint8Array)[],
    { name = 'MQTT', level = 4, behind = '' } = {},
  ) => {
    const text = (part: string | Uint8Array) => {
      const bytes = Buffer.from(part);
      return Buffer.concat([Buffer.from([0, bytes.length]), bytes]);
    };
    const body = [text(name), Buffer.from([level, flags, 0, 30]), ...parts.map(text), Buffer.from(behind)];
    const length = Buffer.concat(body).length;
    return Buffer.concat([Buffer.from([0x10, length]), ...body]);
  };
  const login = ['FACE-T1', 'secret'];

  test.each([
    ['a byte behind it', connectWith(0xc2, [gatewayDevice, ...login], { behind: '!' })],
    ['a will behind it, without its flag', connectWith(0xc2, [gatewayDevice, ...login, 'will', 'text'])],
    ['a client id with a NUL', connectWith(0xc2, [`${gatewayDevice}\0`, ...login])],
    ['a client id that is no UTF-8', connectWith(0xc2, [hex('ff'), ...login])],
    ['a user name with a NUL', connectWith(0xc2, [gatewayDevice, 'FACE-T1\0', 'secret'])],
    ['a user name that is no UTF-8', connectWith(0xc2, [gatewayDevice, hex('c3'), 'secret'])],
    ['a will with an empty topic', connectWith(0xc6, [gatewayDevice, '', 'text', ...login])],
    ['a will to a wildcard', connectWith(0xc6, [gatewayDevice, 'a/#', 'text', ...login])],
    ['a will to a topic with a NUL', connectWith(0xc6, [gatewayDevice, 'a\0', 'text', ...login])],
    ['a will to a topic that is no UTF-8', connectWith(0xc6, [gatewayDevice, hex('ff'), 'text', ...login])],
    ['a will of QoS 3', connectWith(0xde, [gatewayDevice, 'a', 'text', ...login])],
    ['the QoS of a will, without a will', connectWith(0xca, [gatewayDevice, ...login])],
    ['a reserved flag', connectWith(0xc3, [gatewayDevice, ...login])],
    ['a password without a user name', connectWith(0x42, [gatewayDevice, 'secret'])],
    ['the name of MQTT 3.1', connectWith(0xc2, [gatewayDevice, ...login], { name: 'MQIsdp' })],
  ])('a CONNECT with %s ends the connection without an answer', async (_what, malformed) => {
    await using gateway = await anMqttGateway();
    await gateway.feed(malformed);
    expect([gateway.said(), gateway.ended()]).toEqual(['', true]);
  });

  test.each([
    ['a will', connectWith(0xee, [gatewayDevice, 'a/b/c/d/e/f', hex('00ff'), ...login])],
    ['the bit of a bridge', connectWith(0xc2, [gatewayDevice, ...login], { level: 0x84 })],
  ])('a CONNECT with %s is accepted', async (_what, right) => {
    await using gateway = await anMqttGateway();
    await gateway.feed(right);
    expect([gateway.said(), gateway.ended()]).toEqual([connack, false]);
  });

  test('a CONNECT of 2 KiB is waited for', async () => {
    await using gateway = await anMqttGateway();
    await gateway.feed(connectOf(2048));
    expect([gateway.ended(), gateway.refusals]).toEqual([false, []]);
  });

  test('a message in the place of the CONNECT ends the connection at its length', async () => {
    await using gateway = await anMqttGateway();
    await gateway.feed(hex('30b41f'));
    expect([gateway.ended(), gateway.refusals]).toEqual([true, ['connect_too_large']]);
  });

  test('nothing is read behind the CONNECT until the login is decided, and all of it afterwards', async () => {
    let admit = () => {};
    const waits = new Promise<void>(resolve => {
      admit = resolve;
    });
    await using gateway = await anMqttGateway({ login: waits });
    await gateway.feed(connect);
    const large = publish({ payload: 'x'.repeat(3000) });
    await gateway.feed(large, large, large);
    expect(gateway.unread()).toBe(3 * large.length);
    admit();
    await gateway.feed();
    await gateway.commit();
    expect(gateway.taken).toHaveLength(3);
  });
});

test('a message that is acknowledged at once is acknowledged in its place', async () => {
  await using gateway = await aDevice();
  const log = (id: number) => publish({ topic: 'log/FT1/A1', id });
  for (let id = 1; id <= gatewayLogsPerSecond; id++) await gateway.feed(log(id));
  await gateway.commit();
  const before = gateway.said();
  await gateway.feed(Buffer.concat([log(11), pingreq, log(12), log(13), pingreq]));
  expect(gateway.said().slice(before.length)).toBe([puback(11), pingresp, puback(12), puback(13), pingresp].join(''));
  expect(gateway.counters.get('log_over_per_second')).toBe(3);
});

test('what is acknowledged at once and ends in the same breath is not acknowledged', async () => {
  await using gateway = await aDevice();
  for (let id = 1; id <= gatewayLogsPerSecond; id++) await gateway.feed(publish({ topic: 'log/FT1/A1', id }));
  await gateway.feed(Buffer.concat([publish({ topic: 'log/FT1/A1', id: 11 }), disconnect]));
  expect(gateway.said()).toBe(connack);
});

test('DUP and RETAIN change nothing', async () => {
  await using gateway = await aDevice();
  await gateway.feed(publish({ payload: 'a', dup: true, id: 5 }), publish({ payload: 'b', retain: true, id: 6 }));
  await gateway.commit();
  expect(gateway.taken).toEqual(['device a', 'device b']);
  expect(gateway.said()).toBe([connack, puback(5), puback(6)].join(''));
});

test.each([
  ['unknown', 'weather'],
  ['in capitals', 'DEVICE'],
  ['of five levels', '$SYS/broker/connection/bridge/state'],
  ['of a hundred levels', '/'.repeat(99)],
  ['with U+FFFD', '\ufffd'],
  ['with a byte order mark', '\ufeffdevice'],
])('a topic %s is acknowledged and dropped, and ends a strict connection', async (_what, topic) => {
  await using lenient = await aDevice();
  await using strict = await aDevice({ strict: true });
  for (const gateway of [lenient, strict]) {
    await gateway.feed(publish({ topic, payload: 'a payload', id: 3 }), publish({ payload: 'own' }));
  }
  expect([lenient.taken, lenient.said()]).toEqual([['device own'], connack + puback(3)]);
  expect([strict.taken, strict.said(), strict.ended()]).toEqual([[], connack, true]);
});

test('a log topic is judged again when the product has another model: it is taken, and noted', async () => {
  await using gateway = await aDevice();
  const log = publish({ topic: 'log/FT1/A1', payload: 'text' });
  await gateway.feed(log);
  gateway.state.product = { model: 'FT2' };
  for (let again = 0; again < 2; again++) await gateway.feed(log);
  expect(gateway.taken).toEqual(['FT1/A1 text', 'FT1/A1 text', 'FT1/A1 text']);
  expect(gateway.notes).toEqual(['connected', 'log_model']);
});

test('a commit that fails ends the connection without a PUBACK, and is one error', async () => {
  await using gateway = await aDevice();
  await gateway.feed(publish({ id: 1 }), publish({ id: 2 }), publish({ qos: 0 }));
  await gateway.commit(3, new StoreError('closed', 'the disk is full'));
  expect([gateway.said(), gateway.ended(), gateway.counters.get('connection_error')]).toEqual([connack, true, 1]);
});

test('a device that went before the commit is no error', async () => {
  await using gateway = await aDevice();
  await gateway.feed(publish({}), disconnect);
  await gateway.commit();
  expect([gateway.said(), gateway.counters.get('connection_error')]).toEqual([connack, 0]);
});

test('a device that does not read its PUBACKs is not read, and goes on where it was when it does', async () => {
  await using gateway = await aDevice({ writableHighWaterMark: 8 });
  gateway.stopReading();
  const messages = ['1', '2', '3', '4', '5', '6'];
  for (const payload of messages) {
    await gateway.feed(publish({ payload }));
    await gateway.commit();
  }
  expect(gateway.taken.length).toBeLessThan(4);
  await gateway.readOn();
  await gateway.commit();
  expect(gateway.taken).toEqual(messages.map(one => `device ${one}`));
});

test('a Keep Alive over 300 s is served as it is', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await using gateway = await anMqttGateway();
  const patient = Buffer.from(connect);
  patient.writeUInt16BE(600, connect.indexOf('MQTT') + 6);
  await gateway.feed(patient);
  await gateway.pass(899_000);
  expect(gateway.ended()).toBe(false);
  await gateway.pass(3_000);
  expect(gateway.ended()).toBe(true);
});

test('a device that goes on not reading its PUBACKs is disconnected by its keep-alive', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await using gateway = await aDevice({ writableHighWaterMark: 8 });
  gateway.stopReading();
  await gateway.feed(publish({ id: 1 }), publish({ id: 2 }), publish({ id: 3 }));
  await gateway.commit();
  await gateway.feed(pingreq);
  await gateway.pass(45_000);
  expect(gateway.ended()).toBe(false);
  await gateway.feed(pingreq);
  await gateway.pass(1_000);
  expect(gateway.ended()).toBe(true);
});
