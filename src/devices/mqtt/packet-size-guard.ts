import type { Duplex } from 'node:stream';
import { PacketCursor, typeOf } from '../../mqtt-wire/index.ts';

const tooShort = -1;
/**
 * Types with two bytes of body at least: CONNACK (2), and PUBACK to UNSUBACK (4 to 11), which begin
 * with their packet id.
 */
const typesWithTwoBytes = 0b1111_1111_0100;
const hasTwoBytes = (head: number): boolean => ((typesWithTwoBytes >> typeOf(head)) & 1) === 1;

/** Bytes of packets without their header. */
interface PacketBounds {
  /**
   * Of the first packet of a connection, which must be its CONNECT (MQTT 3.1.1, section 3.1):
   * nobody has logged in yet.
   */
  readonly firstBytesMax: number;
  /** Of every other. */
  readonly bytesMax: number;
}

/**
 * Watches the bytes that a broker reads off a socket and ends the connection at the first packet
 * longer than its bound, before its body is buffered (SPEC leaves the bound open; CONTRACT 7,
 * `limits.message_bytes` and CONNECT), and at one too short for what its type begins with: a broker
 * would take the next packet's first bytes for it. Looks at headers alone and copies nothing.
 * `tooLarge` is told how long the packet says that it is, and whether it is the first.
 */
export function guardPacketSize(
  stream: Duplex,
  bounds: PacketBounds,
  tooLarge: (bytes: number, isFirst: boolean) => void,
): void {
  const scanner = new PacketScanner(bounds);
  const read = stream.read.bind(stream);
  stream.read = (size?: number) => {
    const chunk: Buffer | null = read(size);
    if (chunk === null) return null;
    const bytes = scanner.scan(chunk);
    if (bytes === 0) return chunk;
    if (bytes === tooShort) stream.destroy(new Error('a packet too short for its type'));
    else {
      tooLarge(bytes, scanner.isFirst);
      stream.destroy();
    }
    return null;
  };
}

/** Follows packet boundaries over chunks that are cut anywhere. */
class PacketScanner {
  readonly #bounds: PacketBounds;
  /** The packet that is read, or was refused, is the first of the connection. */
  isFirst = true;
  readonly #packet = new PacketCursor();

  constructor(bounds: PacketBounds) {
    this.#bounds = bounds;
  }

  /**
   * 0, or the length of the first packet that is too long (or whose length field has no end), or
   * `tooShort`.
   */
  scan(chunk: Uint8Array): number {
    const packet = this.#packet;
    for (let at = 0; at < chunk.length; ) {
      if (packet.bodyLeft > 0) {
        at = packet.skipBody(chunk, at);
        continue;
      }
      at = packet.readHeader(chunk, at);
      if (packet.isInHeader) break;
      if (packet.bodyBytes > (this.isFirst ? this.#bounds.firstBytesMax : this.#bounds.bytesMax))
        return packet.bodyBytes;
      if (packet.bodyBytes < 2 && hasTwoBytes(packet.head)) return tooShort;
      this.isFirst = false;
    }
    return 0;
  }
}
