/**
 * The fixed header of an MQTT packet (MQTT 3.1.1, section 2.2).
 *
 *     head      u8      type << 4 | flags
 *     length    1 to 4  of all that follows: seven bits each, the lowest first, the top bit set
 *                       while more follow
 */

/** Types of packets (section 2.2.1): the upper four bits of `head`. */
export const packetType = {
  connect: 1,
  connack: 2,
  publish: 3,
  puback: 4,
  pubrec: 5,
  pubrel: 6,
  pubcomp: 7,
  subscribe: 8,
  suback: 9,
  unsubscribe: 10,
  unsuback: 11,
  pingreq: 12,
  pingresp: 13,
  disconnect: 14,
} as const;

export const typeOf = (head: number): number => head >> 4;

/** Types of which the flags must be 2 (section 2.2.2): PUBREL, SUBSCRIBE, UNSUBSCRIBE. */
const typesWithFlags2 = 0b0101_0100_0000;

const qosFlags = 0x06;
const dupFlag = 0x08;

/**
 * Whether a packet may begin with this byte: a PUBLISH has no QoS 3, and no DUP at QoS 0 (section
 * 3.3.1). Type 0 is none, whatever its flags.
 */
export function flagsAreRight(head: number): boolean {
  const type = head >> 4;
  const qos = head & qosFlags;
  if (type === packetType.publish) return qos !== qosFlags && (qos !== 0 || (head & dupFlag) === 0);
  return type === 0 || (head & 0x0f) === ((typesWithFlags2 >> type) & 1) * 2;
}

/** Types of which the body has exactly two bytes: CONNACK, PUBACK to PUBCOMP, UNSUBACK. */
const typesOfTwoBytes = 0b1000_1111_0100;
/** Types without a body: PINGREQ, PINGRESP, DISCONNECT. */
const typesOfNoBytes = 0b0111_0000_0000_0000;
/** Types of which the body begins with the packet id, and goes on: SUBSCRIBE to UNSUBSCRIBE. */
const typesOfMoreBytes = 0b0111_0000_0000;

/** Whether a packet that begins with this byte may have a body of so many bytes. */
export function lengthIsRight(head: number, bodyBytes: number): boolean {
  const type = 1 << typeOf(head);
  if (type & typesOfTwoBytes) return bodyBytes === 2;
  if (type & typesOfNoBytes) return bodyBytes === 0;
  return bodyBytes > 2 || !(type & typesOfMoreBytes);
}

const lengthBytesMax = 4;
/** The longest body of a packet, in bytes. */
const bodyBytesMax = 0x0f_ff_ff_ff;

/** `bodyStart` of a length whose last byte has not come. */
export const unfinished = -1;
/** `bodyStart` of a length with more than four bytes: no packet of MQTT. */
export const endless = -2;

/** Bytes of a header before a body of so many bytes. Throws a RangeError over 268435455. */
export function headerBytes(bodyBytes: number): number {
  if (bodyBytes > bodyBytesMax) throw new RangeError(`a packet of ${bodyBytes} bytes: MQTT allows ${bodyBytesMax}`);
  return bodyBytes < 0x80 ? 2 : bodyBytes < 0x4000 ? 3 : bodyBytes < 0x20_0000 ? 4 : 5;
}

/** Writes a header to `start`, where `headerBytes` are free. Returns where the body begins. */
export function writeHeader(target: Uint8Array, start: number, head: number, bodyBytes: number): number {
  let at = start;
  target[at++] = head;
  let rest = bodyBytes;
  for (; rest >= 0x80; rest >>>= 7) target[at++] = (rest & 0x7f) | 0x80;
  target[at++] = rest;
  return at;
}

/**
 * Where the body of the packet at `start` begins; `unfinished` or `endless` when nobody can tell.
 */
export function bodyStart(bytes: Uint8Array, start: number): number {
  const first = start + 1;
  for (let at = first; at < bytes.length && at < first + lengthBytesMax; at++) if (bytes[at]! < 0x80) return at + 1;
  return bytes.length >= first + lengthBytesMax ? endless : unfinished;
}

/** Bytes of the body that begins at `body`, of the packet at `start`. */
export function bodyBytesOf(bytes: Uint8Array, start: number, body: number): number {
  let length = 0;
  for (let at = body - 1; at > start; at--) length = length * 128 + (bytes[at]! & 0x7f);
  return length;
}

/** A number of two bytes, big-endian, as all of MQTT but the length of a packet. */
export const readU16 = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;
