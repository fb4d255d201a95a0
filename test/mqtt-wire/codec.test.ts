import { expect, test } from 'vitest';
import {
  beginsPuback,
  bodyBytesOf,
  bodyStart,
  encodeTopic,
  endless,
  headerBytes,
  publishBytes,
  unfinished,
  writeHeader,
  writePublish,
} from '../../src/mqtt-wire/index.ts';

const fromHex = (hex: string) => Buffer.from(hex, 'hex');

/** MQTT 3.1.1, table 2.4: the values at which a length takes another byte. */
test.each([
  [0, '00'],
  [127, '7f'],
  [128, '8001'],
  [16_383, 'ff7f'],
  [16_384, '808001'],
  [2_097_151, 'ffff7f'],
  [2_097_152, '80808001'],
  [268_435_455, 'ffffff7f'],
])('a body of %i bytes has the length %s', (bodyBytes, hex) => {
  const bytes = Buffer.alloc(headerBytes(bodyBytes));
  expect(writeHeader(bytes, 0, 0x30, bodyBytes)).toBe(bytes.length);
  expect(bytes.toString('hex')).toBe(`30${hex}`);
  expect([bodyStart(bytes, 0), bodyBytesOf(bytes, 0, bytes.length)]).toEqual([bytes.length, bodyBytes]);
});

test('what MQTT has no packet for is refused: a body over 268435455 bytes, a topic over 65535', () => {
  expect(() => headerBytes(268_435_456)).toThrow('268435455');
  expect(() => encodeTopic('d'.repeat(65_536))).toThrow('65535');
});

test.each([
  ['a/b', 'xyz', 1, 10, '320a0003612f62000a78797a'],
  ['device', '', 1, 0xabcd, '320a0006646576696365abcd'],
  ['a', 'x', 0, 0, '300400016178'],
] as const)('a PUBLISH to %s of %j at QoS %i', (topic, payload, qos, id, hex) => {
  const encoded = encodeTopic(topic);
  const bytes = Buffer.alloc(publishBytes(encoded, Buffer.byteLength(payload), qos));
  writePublish(bytes, 0, encoded, Buffer.from(payload), qos, id);
  expect(bytes.toString('hex')).toBe(hex);
});

test('a length that is not all there is unfinished, one of five bytes endless', () => {
  for (const hex of ['30', '3080', '308080', '30808080']) expect(bodyStart(fromHex(hex), 0)).toBe(unfinished);
  for (const hex of ['3080808080', '30ffffffff7f']) expect(bodyStart(fromHex(hex), 0)).toBe(endless);
});

test('a PUBACK begins with 40 02, or with what is there of it', () => {
  expect(['40', '4002', '40020001', '4003', '20020000'].map(hex => beginsPuback(fromHex(hex), 0))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
