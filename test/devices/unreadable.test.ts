import { describe, expect, test } from 'vitest';
import { parseEnvelope } from '../../src/platform/envelope.ts';
import type { Seq } from '../../src/store/index.ts';
import { seededRandom } from '../support/clock.ts';
import { inCodePage } from '../support/code-page.ts';
import { aGateway, anHttpDevice, ask, connectMqtt, type Gateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_A0001';
const punch = (mid: string, name = 'Li Mei') =>
  JSON.stringify({
    ...{ mid, from: id, to: 'system', time: 1_763_600_000, action: 2001 },
    data: {
      records: [{ ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000, check_data: { member_name: name } }],
    },
  });
const bom = Buffer.from([0xef, 0xbb, 0xbf]);
async function recordsOf({ store }: Gateway) {
  return (await store.journal.read(0 as Seq, { bytesMax: 1 << 24 })).records;
}

const padded: readonly (readonly [string, Buffer])[] = [
  ['a NUL behind it', Buffer.from(`${punch('1')}\0`)],
  ['NULs and line ends behind it', Buffer.from(`${punch('1')}\r\n\0\0\0\n\0`)],
  ['a byte order mark in front', Buffer.concat([bom, Buffer.from(punch('1'))])],
  ['both', Buffer.concat([bom, Buffer.from(`${punch('1')}\0`)])],
];

/** Sends each in its turn. Returns how many were acknowledged. */
async function overMqtt(gateway: Gateway, all: readonly Uint8Array[]): Promise<number> {
  const client = await connectMqtt(gateway, id);
  if (typeof client === 'number') return 0;
  const acks = await Promise.all(all.map(bytes => client.publishAsync('device', Buffer.from(bytes), { qos: 1 })));
  await client.endAsync();
  return acks.length;
}

/** An answer is an acknowledgement, whatever its code: the device will not send it again. */
async function overHttp(gateway: Gateway, all: readonly Uint8Array[]): Promise<number> {
  const { authorization } = await anHttpDevice(gateway, id);
  let count = 0;
  for (const body of all) {
    const { status } = await ask(`${gateway.httpUrl}/api/push/${id}`, { headers: { authorization }, body });
    if (status === 200 || status === 400) count++;
  }
  return count;
}

describe('a message with padding', () => {
  test.each(padded)('a punch with %s is read, and kept byte for byte', async (_name, bytes) => {
    await using gateway = await aGateway();
    const client = await connectMqtt(gateway, id);
    if (typeof client === 'number') return expect.unreachable('it is let in');
    await client.publishAsync('device', bytes, { qos: 1 });
    await gateway.store.catchUp();
    expect(await gateway.store.read.checkins({ limit: 10 })).toHaveLength(1);
    expect((await recordsOf(gateway)).map(({ payload, marks }) => [Buffer.from(payload), marks])).toEqual([
      [bytes, expect.not.objectContaining({ malformed: true })],
    ]);
    await client.endAsync();
  });
});

/** 李梅 in GBK, in place of the name. */
const inGbk = (text: string): Buffer => Buffer.from(text.replace('Li Mei', '\xc0\xee\xc3\xb7'), 'latin1');

test.each([
  ['in GBK', inGbk(punch('m1')), 'GBK in place of UTF-8'],
  ['cut off', Buffer.from(punch('m1').slice(0, -20)), 'not JSON: cut off'],
  ['with a number of C', Buffer.from(punch('m1').replace('1763600000', '0x10')), 'not JSON: a number'],
] as const)('a request %s gets an error with its mid, not silence', async (_name, bytes, why) => {
  await using gateway = await aGateway();
  const client = await connectMqtt(gateway, id);
  if (typeof client === 'number') return expect.unreachable('it is let in');
  const heard: unknown[] = [];
  client.on('message', (_topic, payload) => heard.push(JSON.parse(payload.toString())));
  await client.subscribeAsync(`$client/${id}`);
  await client.publishAsync('device', bytes, { qos: 1 });
  await until('it is answered', () => heard.length > 0);
  expect(heard).toMatchObject([{ mid: 'm1', action: 2001, data: { code: 400, msg: expect.stringContaining(why) } }]);
  await client.endAsync();
});

test.each([
  ['it could be an activation', punch('m1').replace('2001', '1001').slice(0, -1), {}],
  ['a face in it is to stay', punch('m1').slice(0, -1), { featuresStay: true }],
  ['it names another device', punch('m1').replace(id, 'FACE-T1_A0002').slice(0, -1), {}],
  ['it names nobody, and the box speaks for all', '{"mid":"m1","data":{', { unnamedStay: true }],
] as const)('what nobody can read stays at the site where %s', async (_why, text, rules) => {
  await using gateway = await aGateway(rules);
  const client = await connectMqtt(gateway, id);
  if (typeof client === 'number') return expect.unreachable('it is let in');
  await client.publishAsync('device', text, { qos: 1 });
  expect((await recordsOf(gateway)).map(({ marks }) => marks)).toMatchObject([{ malformed: true, local: true }]);
  await gateway.store.catchUp();
  expect(await gateway.store.read.malformed()).toMatchObject([{ count: 1, why: 'cut_off' }]);
  await client.endAsync();
});

const utf16 = (text: string, order: 'le' | 'be'): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

const numbers = [
  ...['1e3', '01', '+1', 'NaN', '0x10', '1_000', '007', '-0', '1.', '.5', '-', '1E400', 'Infinity', '-Infinity'],
  ...['18446744073709551616', '9'.repeat(400), '0b1', '1.0', '1n', '１２', '1,5', 'null', 'true', '"1"'],
];

/** Payloads around a valid punch, each of a kind that firmware has sent somewhere. */
function payloadOf(random: () => number, mid: string): Buffer {
  const text = punch(mid);
  const bytes = Buffer.from(text);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const at = Math.floor(random() * (bytes.length + 1));
  const kinds: readonly (() => Buffer)[] = [
    () => bytes,
    () => Buffer.concat([bytes, Buffer.alloc(1 + Math.floor(random() * 40))]),
    () => Buffer.concat([bom, bytes]),
    () => Buffer.concat([bom, bytes, Buffer.from('\r\n\0')]),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from([0]), bytes.subarray(at)]),
    () => utf16(text, pick(['le', 'be'])),
    () => Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(text, 'le')]),
    () => inGbk(text),
    () => Buffer.concat([inGbk(text), Buffer.from([0])]),
    () => bytes.subarray(0, at),
    () => Buffer.from(text.replace(/1763600000/, pick(numbers))),
    () => Buffer.from(text.replace(/"check_time":1763600000/, `"check_time":${pick(numbers)}`)),
    () => Buffer.from(text.replace('2001', pick(numbers))),
    () => Buffer.from(text.replace('"action"', '"action":7,"action"')),
    () => Buffer.from(text.replace(/}$/, ',}')),
    () => Buffer.from(text.replaceAll('"', "'")),
    () => Buffer.from(`${text}${text}`),
    () => Buffer.from(`[${text}]`),
    () => Buffer.from([...bytes].map(byte => (random() < 0.01 ? Math.floor(random() * 256) : byte))),
    () => Buffer.from(text.replace('"data":{', '"data":[{').replace(/}}$/, '}}]}')),
  ];
  return pick(kinds)();
}

/** Names that a device of the place sends, in the encoding of its firmware. */
const coded = [
  ...[
    ['gb18030', '李梅'],
    ['big5', '陳大文'],
    ['shift_jis', '山田'],
    ['euc-jp', '山田'],
    ['euc-kr', '김철수'],
  ],
  ...[
    ['windows-1251', 'Иванов'],
    ['koi8-r', 'Иванов'],
    ['windows-1252', 'Jürgen'],
    ['windows-1253', 'Μαρία'],
  ],
] as const;

/** Each place of a punch cut, filled and replaced; each form of each number; each encoding of a name. */
function everyPayload(): Buffer[] {
  let count = 0;
  // Of times of their own: two alike without a mid are one.
  const next = () => {
    const text = punch(`e-${count}`);
    return text.replace('"check_time":1763600000', `"check_time":${1_763_600_000 + count++}`);
  };
  const places = [...Buffer.from(punch('e-0')).keys()];
  const at = (change: (bytes: Buffer, place: number) => Uint8Array[]) =>
    places.map(place => Buffer.concat(change(Buffer.from(next()), place)));
  const fields = [/"e-\d+"/, /1763600000/, /2001/, /(?<="check_time":)\d+/];
  return [
    ...at((bytes, place) => [bytes.subarray(0, place)]),
    ...at((bytes, place) => [bytes.subarray(0, place), Buffer.from([0])]),
    ...at((bytes, place) => [bytes.subarray(0, place), Buffer.from([0]), bytes.subarray(place)]),
    ...at((bytes, place) => [bytes.subarray(0, place), bom, bytes.subarray(place)]),
    ...at((bytes, place) => [bytes.subarray(0, place), Buffer.from([0xc0]), bytes.subarray(place + 1)]),
    ...fields.flatMap(field => numbers.map(number => Buffer.from(next().replace(field, number)))),
    ...coded.map(([page, name]) => {
      const [front, behind] = next().split('Li Mei') as [string, string];
      return Buffer.concat([Buffer.from(front), inCodePage(name!, page!), Buffer.from(behind)]);
    }),
    ...(['le', 'be'] as const).flatMap(order => [utf16(next(), order), utf16(`\ufeff${next()}`, order)]),
    Buffer.from([...next()].flatMap(one => [one.charCodeAt(0), 0, 0, 0])),
  ];
}

const waysIn = ['MQTT', 'HTTP'] as const;

const generated = (seed: number): Buffer[] => {
  const random = seededRandom(seed);
  return Array.from({ length: 1000 }, (_, index) => payloadOf(random, `${seed}-${index}`));
};

describe.each([
  ['at random, seed 1', () => generated(1)],
  ['at random, seed 2', () => generated(2)],
  ['at each place and of each form', everyPayload],
] as const)('payloads around valid punches, %s', (_name, make) => {
  test.each(waysIn)('each that is acknowledged is in a table or in a list, over %s', async way => {
    await using gateway = await aGateway();
    const sent = make();
    const count = sent.length;
    const acknowledged = await (way === 'MQTT' ? overMqtt(gateway, sent) : overHttp(gateway, sent));
    await gateway.store.catchUp();
    const records = await recordsOf(gateway);
    // What was refused before it was kept is known by its event: it speaks for another device.
    const foreign = gateway.devices.counters().foreign_sender ?? 0;
    expect(acknowledged).toBe(sent.length);
    expect(records.length + foreign).toBe(acknowledged);
    const unread = records.filter(({ marks }) => marks.malformed);
    const [counted] = await gateway.store.read.malformed();
    expect(counted?.count).toBe(unread.length);
    const ledger = await gateway.store.read.ledger(records[0]!.deviceNo, { limit: count });
    const listed = ledger.flatMap(({ seq, unreadable }) => (unreadable ? [seq] : []));
    expect(listed.reverse()).toEqual(unread.map(({ seq }) => seq));
    // All goes up but what names another sender; a readable punch that fits is a check-in too.
    const local = records.filter(({ marks }) => marks.local);
    expect(local.every(({ marks }) => marks.malformed)).toBe(true);
    expect(local.length).toBeLessThan(count / 50);
    const fits = records.filter(({ marks, payload }) => {
      const read = parseEnvelope(payload);
      expect(read.ok || marks.malformed || marks.invalid).toBe(true);
      return read.ok && read.value.action === 2001 && !marks.invalid;
    });
    expect(await gateway.store.read.checkins({ limit: count })).toHaveLength(fits.length);
    expect(unread.length).toBeGreaterThan(count / 4);
    expect(fits.length).toBeGreaterThan(count / 40);
  });
});
