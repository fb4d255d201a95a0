import type { Outgoing } from './transport.ts';

/**
 * The bytes of PUBLISH packets (MQTT 3.1.1 section 3.3), QoS 1, not retained and never a duplicate:
 * after a break a record is a new packet.
 *
 *     head      u8      0x32
 *     length    1 to 4  of all that follows: seven bits each, the lowest first, the top bit set while more follow
 *     topic     u16     its length in bytes, big-endian; then the topic in UTF-8
 *     id        u16     packet id, big-endian, 1 to 65535
 *     payload           the rest
 */
const head = 0x32;
const idBytes = 2;
const topicBytesMax = 0xffff;
const lengthMax = 0x0f_ff_ff_ff;
/** Devices say the same topic over and over; a box has some thousands of devices. */
const topicsRemembered = 4096;

const topics = new Map<string, Buffer>();

/** The topic with its length before it. Throws a RangeError when it is longer than 65535 bytes. */
function topicOf(topic: string): Buffer {
  const known = topics.get(topic);
  if (known) return known;
  const length = Buffer.byteLength(topic);
  if (length > topicBytesMax) throw new RangeError(`a topic of ${length} bytes: MQTT allows ${topicBytesMax}`);
  const bytes = Buffer.allocUnsafeSlow(2 + length);
  bytes.writeUInt16BE(length);
  bytes.write(topic, 2);
  if (topics.size === topicsRemembered) topics.clear();
  topics.set(topic, bytes);
  return bytes;
}

/** Bytes that a length takes. Throws a RangeError over 268435455. */
function lengthBytes(length: number): number {
  if (length > lengthMax) throw new RangeError(`a packet of ${length} bytes: MQTT allows ${lengthMax}`);
  return length < 0x80 ? 1 : length < 0x4000 ? 2 : length < 0x20_0000 ? 3 : 4;
}

/** How many bytes a record is as a packet. Throws a RangeError where MQTT has no packet for it. */
export function frameBytes({ topic, payload }: Outgoing): number {
  const length = topicOf(topic).length + idBytes + payload.length;
  return 1 + lengthBytes(length) + length;
}

/**
 * Writes a record's packet to `at`, where `frameBytes` are free, and answers where the next one
 * goes.
 */
export function writeFrame(target: Buffer, start: number, { topic, payload }: Outgoing, id: number): number {
  const topicBytes = topicOf(topic);
  let at = start;
  target[at++] = head;
  let length = topicBytes.length + idBytes + payload.length;
  for (; length >= 0x80; length >>>= 7) target[at++] = (length & 0x7f) | 0x80;
  target[at++] = length;
  target.set(topicBytes, at);
  at += topicBytes.length;
  target[at++] = id >>> 8;
  target[at++] = id;
  target.set(payload, at);
  return at + payload.length;
}
