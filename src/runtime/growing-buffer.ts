const nothing = Buffer.alloc(0);
const firstBytes = 1024;

/**
 * Bytes that arrive in pieces, copied into one buffer. Its size doubles from 1 KiB as bytes come:
 * memory depends on how many bytes came, not on the number of pieces or on what was announced.
 */
export class GrowingBuffer {
  #buffer = nothing;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Bytes of memory that it takes. */
  get capacity(): number {
    return this.#buffer.length;
  }

  add(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#buffer.length) {
      let capacity = Math.max(this.#buffer.length, firstBytes);
      while (capacity < length) capacity *= 2;
      const grown = Buffer.allocUnsafeSlow(capacity);
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(piece, this.#length);
    this.#length = length;
  }

  /** Returns the bytes and forgets them. */
  take(): Buffer {
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#buffer = nothing;
    this.#length = 0;
    return bytes;
  }
}
