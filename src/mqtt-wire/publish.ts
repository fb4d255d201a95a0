import { headerBytes, packetType, readU16, writeHeader } from './header.ts';

/**
 * PUBLISH (MQTT 3.1.1, section 3.3). Behind the fixed header, whose flags are DUP << 3 | QoS << 1 |
 * RETAIN:
 *
 *     topic     u16     its length in bytes, big-endian; then the topic in UTF-8
 *     id        u16     packet id, big-endian, 1 to 65535; not there at QoS 0
 *     payload           the rest
 */
const publishHead = packetType.publish << 4;
const idBytes = 2;
const topicBytesMax = 0xffff;

/** Bytes of the packet id, by the first byte of a PUBLISH below QoS 2: 0 or 2. */
export const idBytesOf = (head: number): number => head & 2;

/** Where the topic begins, and with it the part whose length stands before it. */
export const topicStart = (body: number): number => body + 2;

/** Where the topic ends. It may be behind the end of a packet that is malformed. */
export const topicEnd = (bytes: Uint8Array, body: number): number => body + 2 + readU16(bytes, body);

/** A topic with its length before it. Throws a RangeError when it is longer than 65535 bytes. */
export function encodeTopic(topic: string): Buffer {
  const length = Buffer.byteLength(topic);
  if (length > topicBytesMax) throw new RangeError(`a topic of ${length} bytes: MQTT allows ${topicBytesMax}`);
  const bytes = Buffer.allocUnsafeSlow(2 + length);
  bytes.writeUInt16BE(length);
  bytes.write(topic, 2);
  return bytes;
}

/**
 * How many bytes a PUBLISH takes; `topic` as `encodeTopic` made it. Throws a RangeError where MQTT
 * has no packet for it.
 */
export function publishBytes(topic: Uint8Array, payloadBytes: number, qos: 0 | 1): number {
  const body = topic.length + qos * idBytes + payloadBytes;
  return headerBytes(body) + body;
}

/**
 * Writes a PUBLISH to `start`, where `publishBytes` are free: not retained and never a duplicate.
 * Returns where the next packet goes. At QoS 0 `id` is not written.
 */
export function writePublish(
  target: Uint8Array,
  start: number,
  topic: Uint8Array,
  payload: Uint8Array,
  qos: 0 | 1,
  id: number,
): number {
  const at = writePublishHead(target, start, topic, payload.length, qos, id);
  target.set(payload, at);
  return at + payload.length;
}

/** The same without the payload. Returns where that goes. */
export function writePublishHead(
  target: Uint8Array,
  start: number,
  topic: Uint8Array,
  payloadBytes: number,
  qos: 0 | 1,
  id: number,
): number {
  const body = topic.length + qos * idBytes + payloadBytes;
  let at = writeHeader(target, start, publishHead | (qos << 1), body);
  target.set(topic, at);
  at += topic.length;
  if (qos === 1) {
    target[at++] = id >>> 8;
    target[at++] = id;
  }
  return at;
}
