/** Bytes of a head, at most: the type, and four of the remaining length (MQTT 3.1.1, 2.2.3). */
const headBytesMax = 5;

/**
 * The length of the MQTT packet at the front, its head included; null: the head is not whole.
 *
 *     type, flags   u8
 *     remaining     1 to 4 bytes of 7 bits each, the lowest first
 */
export function lengthOf(bytes: Uint8Array): number | null {
  let remaining = 0;
  for (let at = 1; at < Math.min(bytes.length, headBytesMax); at++) {
    remaining += (bytes[at]! & 0x7f) * 128 ** (at - 1);
    if (bytes[at]! < 0x80) return 1 + at + remaining;
  }
  return null;
}

/** Finds a packet that is too long from its head, before the parser keeps its bytes. */
export class PacketBound {
  readonly #bytesMax: number;
  #head: Uint8Array = new Uint8Array(0);
  /** Bytes of the packet that are still to come. */
  #left = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Returns false if a packet in these bytes is too long, or has no length of MQTT. */
  takes(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length; ) {
      if (this.#left > 0) {
        const part = Math.min(this.#left, bytes.length - at);
        this.#left -= part;
        at += part;
        continue;
      }
      const before = this.#head.length;
      const head = Buffer.concat([this.#head, bytes.subarray(at, at + headBytesMax - before)]);
      const length = lengthOf(head);
      if (length === null) {
        if (head.length >= headBytesMax) return false;
        this.#head = head;
        return true;
      }
      if (length > this.#bytesMax) return false;
      this.#head = new Uint8Array(0);
      this.#left = length - before;
    }
    return true;
  }
}
