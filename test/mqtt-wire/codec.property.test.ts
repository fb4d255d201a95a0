import fc from 'fast-check';
import mqttPacket, { type IPublishPacket } from 'mqtt-packet';
import { expect, test } from 'vitest';
import {
  beginsPuback,
  bodyBytesOf,
  bodyStart,
  encodeTopic,
  idBytesOf,
  pubackBytes,
  pubackId,
  publishBytes,
  readU16,
  topicEnd,
  topicStart,
  unfinished,
  writePuback,
  writePublish,
} from '../../src/mqtt-wire/index.ts';

/** Beside mqtt-packet, another implementation of the same specification. */

const topic = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' });
const payload = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.uint8Array({ minLength: 16_300, maxLength: 16_500 }),
  fc.constant(new Uint8Array(2 ** 21 + 5)),
);
const qos = fc.constantFrom(0 as const, 1 as const);
const id = fc.integer({ min: 1, max: 65_535 });

function written(text: string, bytes: Uint8Array, qos: 0 | 1, id: number): Buffer {
  const encoded = encodeTopic(text);
  const target = Buffer.alloc(publishBytes(encoded, bytes.length, qos));
  expect(writePublish(target, 0, encoded, bytes, qos, id)).toBe(target.length);
  return target;
}

/** What the offsets of the codec find in the packet at `start`. */
function read(bytes: Uint8Array, start: number) {
  const head = bytes[start]!;
  const body = bodyStart(bytes, start);
  const end = body + bodyBytesOf(bytes, start, body);
  const behindTopic = topicEnd(bytes, body);
  const idBytes = idBytesOf(head);
  return {
    topic: Buffer.from(bytes.subarray(topicStart(body), behindTopic)).toString('utf8'),
    id: idBytes === 0 ? undefined : readU16(bytes, behindTopic),
    payload: Buffer.from(bytes.subarray(behindTopic + idBytes, end)),
    end,
  };
}

test('a PUBLISH that is written is the one of mqtt-packet, byte for byte', () => {
  fc.assert(
    fc.property(topic, payload, qos, id, (topic, payload, qos, messageId) => {
      const packet = { cmd: 'publish', topic, payload: Buffer.from(payload), qos, dup: false, retain: false } as const;
      const expected = mqttPacket.generate(qos === 0 ? packet : { ...packet, messageId });
      expect(written(topic, payload, qos, messageId).equals(expected)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('a PUBLISH that mqtt-packet wrote is read as it was meant, wherever it stands', () => {
  fc.assert(
    fc.property(
      fc.record({ topic, payload, qos, messageId: id, dup: fc.boolean(), retain: fc.boolean() }),
      fc.nat(9),
      ({ payload, ...fields }, before) => {
        const packet = {
          ...fields,
          dup: fields.dup && fields.qos > 0,
          cmd: 'publish',
          payload: Buffer.from(payload),
        } as IPublishPacket;
        const bytes = Buffer.concat([Buffer.alloc(before), mqttPacket.generate(packet), Buffer.alloc(3)]);
        const { payload: found, ...rest } = read(bytes, before);
        expect(rest).toEqual({
          topic: fields.topic,
          id: fields.qos === 0 ? undefined : fields.messageId,
          end: bytes.length - 3,
        });
        expect(found.equals(payload)).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

test('a PUBACK is the four bytes of mqtt-packet, and carries its id back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 65_535 }), messageId => {
      const bytes = Buffer.alloc(pubackBytes + 2);
      expect(writePuback(bytes, 1, messageId)).toBe(1 + pubackBytes);
      expect(bytes.subarray(1, -1)).toEqual(mqttPacket.generate({ cmd: 'puback', messageId }));
      expect([beginsPuback(bytes, 1), pubackId(bytes, 1)]).toEqual([true, messageId]);
    }),
  );
});

test('a header cut at each of its bytes is whole at the last one and not before', () => {
  for (const bytes of [0, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152]) {
    const packet = written('t', new Uint8Array(bytes), 1, 7);
    const body = bodyStart(packet, 0);
    for (let at = 0; at < body; at++) expect(bodyStart(packet.subarray(0, at), 0)).toBe(unfinished);
    expect(bodyBytesOf(packet, 0, body)).toBe(packet.length - body);
  }
});
