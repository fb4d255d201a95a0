import { packetType, readU16 } from './header.ts';

/**
 * PUBACK (MQTT 3.1.1, section 3.4), always of four bytes:
 *
 *     head      u8      0x40
 *     length    u8      2
 *     id        u16     packet id of the PUBLISH, big-endian
 */
const head = 0x40;
const length = 2;
export const pubackBytes = 4;

/** Whether a PUBACK begins at `at`, as far as its first two bytes are there. */
export const beginsPuback = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === head && (at + 1 === bytes.length || bytes[at + 1] === length);

/** Packet id of the PUBACK at `at`. */
export const pubackId = (bytes: Uint8Array, at: number): number => readU16(bytes, at + 2);

/**
 * Heads of the packets that have the form of a PUBACK: PUBREL, PUBCOMP (sections 3.6, 3.7) and
 * UNSUBACK (3.11).
 */
export const acknowledgementHead = { pubrel: 0x62, pubcomp: 0x70, unsuback: 0xb0 } as const;

/** Whether packets of this type are a head, a length and the id of what they acknowledge. */
export const isAcknowledgement = (type: number): boolean => type >= packetType.puback && type <= packetType.pubcomp;

export const acknowledgement = (head: number, id: number): Buffer => Buffer.from([head, length, id >>> 8, id & 0xff]);

/** Writes a PUBACK to `at`, where `pubackBytes` are free. Returns where the next packet goes. */
export function writePuback(target: Uint8Array, at: number, id: number): number {
  target[at] = head;
  target[at + 1] = length;
  target[at + 2] = id >>> 8;
  target[at + 3] = id;
  return at + pubackBytes;
}
