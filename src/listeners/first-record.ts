import type { Socket } from 'node:net';

/** A record of TLS has at most 16 KiB and its header. */
const recordBytesMax = (16 << 10) + 5;
/** A client's first record has 200 to 2,000 bytes. */
const usualBytes = 4 << 10;
/** When the connections of a listener hold so much, each may hold no more than the usual. */
const heldBytesMax = 16 << 20;
const handshakeRecord = 0x16;

/** Bytes that the connections of a listener hold until their handshakes begin. */
export class HeldRecords {
  #bytes = 0;

  mayHold(bytes: number, more: number): boolean {
    return bytes + more <= usualBytes || (bytes + more <= recordBytesMax && this.#bytes + more <= heldBytesMax);
  }

  change(bytes: number): void {
    this.#bytes += bytes;
  }
}

/**
 * Collects what a client sends before its handshake begins. A client that sends more than its first
 * record, to which it has no answer yet, may not: what is held is bounded.
 */
export class FirstRecord {
  readonly #held: HeldRecords;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(held: HeldRecords) {
    this.#held = held;
  }

  /** Reads what has arrived. Returns false if it is too much. */
  readFrom(socket: Socket): boolean {
    for (let piece: Buffer | null = socket.read(); piece !== null; piece = socket.read()) {
      if (!this.#held.mayHold(this.#bytes, piece.length)) return false;
      this.#held.change(piece.length);
      this.#pieces.push(piece);
      this.#bytes += piece.length;
    }
    return true;
  }

  /** Whether it is complete, or is not TLS at all, which the handshake will report. */
  get isWhole(): boolean {
    if (this.#bytes === 0) return false;
    const start = this.#joined();
    if (start[0] !== handshakeRecord) return true;
    return this.#bytes >= 5 && this.#bytes >= Math.min(5 + start.readUInt16BE(3), recordBytesMax);
  }

  /** Gives back what was read, and holds nothing any more. */
  release(): Buffer {
    const all = this.#joined();
    this.#held.change(-this.#bytes);
    this.#pieces = [];
    this.#bytes = 0;
    return all;
  }

  #joined(): Buffer {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces, this.#bytes)];
    return this.#pieces[0] ?? Buffer.alloc(0);
  }
}
