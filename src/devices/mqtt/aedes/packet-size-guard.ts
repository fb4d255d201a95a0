import type { Duplex } from 'node:stream';
import { lengthIsRight, PacketCursor } from '../../../mqtt-wire/index.ts';

const wrongLength = -1;

/** Sizes in bytes, without the fixed header. */
interface PacketBounds {
  /**
   * The bound of the first packet, which must be the CONNECT (MQTT 3.1.1, section 3.1): nobody has
   * logged in yet.
   */
  readonly firstBytesMax: number;
  /** The bound of all other packets. */
  readonly bytesMax: number;
}

/**
 * Watches the bytes that a broker reads from a socket and ends the connection at the first packet
 * over its bound, before its body is buffered (CONTRACT 7: `limits.message_bytes` and CONNECT), or
 * too short for its type: a broker would read on into the next packet. Parses only headers and
 * copies nothing. `tooLarge` gets the packet's length and whether it is the first.
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
    if (bytes === wrongLength) stream.destroy(new Error('a packet too short for its type'));
    else {
      tooLarge(bytes, scanner.isFirst);
      stream.destroy();
    }
    return null;
  };
}

/** Follows packet boundaries across chunks that are cut anywhere. */
class PacketScanner {
  readonly #bounds: PacketBounds;
  /** The current or refused packet is the connection's first. */
  isFirst = true;
  readonly #packet = new PacketCursor();

  constructor(bounds: PacketBounds) {
    this.#bounds = bounds;
  }

  /**
   * Returns 0, the length of the first packet that is too long (or whose length field does not
   * end), or `wrongLength`.
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
      if (!lengthIsRight(packet.head, packet.bodyBytes)) return wrongLength;
      this.isFirst = false;
    }
    return 0;
  }
}
