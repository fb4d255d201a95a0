/** A buffer stays in memory as long as one of the payloads in it waits: so it is small. */
const bufferBytes = 32 * 1024;
/** A larger payload has a buffer of its own. */
const sharingBytesMax = 4 * 1024;

/**
 * Puts payloads side by side into shared buffers. A buffer of its own for each would be an object
 * more that the garbage collector copies and marks, for each of some 100,000 records a second.
 */
export class PayloadRoom {
  #shared = Buffer.alloc(0);
  #used = 0;
  #last = this.#shared;

  /** Where the last payload stands. */
  get bytes(): Buffer {
    return this.#last;
  }

  /** Copies a payload into `bytes`, and returns where it begins there. */
  put(payload: Uint8Array): number {
    if (payload.length > sharingBytesMax) {
      this.#last = Buffer.from(payload);
      return 0;
    }
    if (this.#used + payload.length > this.#shared.length) {
      this.#shared = Buffer.allocUnsafeSlow(bufferBytes);
      this.#used = 0;
    }
    this.#last = this.#shared;
    const start = this.#used;
    this.#shared.set(payload, start);
    this.#used += payload.length;
    return start;
  }
}
