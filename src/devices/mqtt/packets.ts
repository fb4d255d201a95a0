import type { Duplex } from 'node:stream';
import { bodyBytesOf, bodyStart, endless, flagsAreRight, lengthIsRight, unfinished } from '../../mqtt-wire/index.ts';

/** Handlers of a session for the packets that the reader finds. */
export interface PacketEnds {
  /**
   * A packet: its first byte is at `start`, its body between the two. False: nothing behind it is
   * read now.
   */
  onPacket(bytes: Buffer, start: number, body: number, end: number): boolean;
  /** A packet over its bound, known by its length field. Nothing of it is kept. */
  onTooLarge(bytes: number, isFirst: boolean): void;
  onMalformed(why: string): void;
}

/** Sizes in bytes, without the fixed header. */
interface PacketBounds {
  /** Of the first packet, which must be the CONNECT: nobody has logged in yet. */
  readonly firstBytesMax: number;
  readonly bytesMax: number;
}

const nothing = Buffer.alloc(0);

/**
 * Finds the packets in a stream that is cut anywhere:
 *
 *     … | head length length body body body | head length body …
 *       ^ start                ^ body       ^ end
 *
 * It keeps the start of one packet that is not complete, and what came behind a packet after which
 * the session did not go on: at most one packet and one chunk of the socket.
 */
export class PacketReader {
  readonly #bounds: PacketBounds;
  readonly #ends: PacketEnds;
  #held = nothing;
  /** How much of `#held` is filled. */
  #heldBytes = 0;
  /** The length of the packet that is held; 0: not known yet. */
  #wanted = 0;
  #isFirst = true;

  constructor(bounds: PacketBounds, ends: PacketEnds) {
    this.#bounds = bounds;
    this.#ends = ends;
  }

  get heldBytes(): number {
    return this.#held.length;
  }

  read(chunk: Buffer): void {
    if (this.#heldBytes === 0) return void this.#walk(chunk);
    this.#hold(chunk);
    if (this.#heldBytes >= this.#wanted) this.readHeld();
  }

  /** Keeps a chunk for `readHeld`. */
  keep(chunk: Buffer): void {
    this.#hold(chunk);
  }

  /** Goes on where the session stopped. */
  readHeld(): void {
    const bytes = this.#held.subarray(0, this.#heldBytes);
    this.forget();
    this.#walk(bytes);
  }

  forget(): void {
    this.#held = nothing;
    this.#heldBytes = 0;
    this.#wanted = 0;
  }

  #walk(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (!flagsAreRight(bytes[at]!)) return void this.#ends.onMalformed('a packet with flags that it may not have');
      const body = bodyStart(bytes, at);
      if (body === unfinished) break;
      const length = body === endless ? Number.MAX_SAFE_INTEGER : bodyBytesOf(bytes, at, body);
      const max = this.#isFirst ? this.#bounds.firstBytesMax : this.#bounds.bytesMax;
      if (length > max) return void this.#ends.onTooLarge(length, this.#isFirst);
      if (!lengthIsRight(bytes[at]!, length))
        return void this.#ends.onMalformed('a packet of a length that it may not have');
      const end = body + length;
      if (end > bytes.length) {
        this.#wanted = end - at;
        break;
      }
      this.#isFirst = false;
      const start = at;
      at = end;
      if (!this.#ends.onPacket(bytes, start, body, end)) break;
    }
    if (at < bytes.length) this.#hold(bytes.subarray(at));
  }

  /** Copies, so that many small pieces take no more memory than twice their bytes. */
  #hold(part: Buffer): void {
    const bytes = this.#heldBytes + part.length;
    if (bytes > this.#held.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(bytes, Math.min(this.#wanted, 2 * this.#held.length)));
      this.#held.copy(larger, 0, 0, this.#heldBytes);
      this.#held = larger;
    }
    part.copy(this.#held, this.#heldBytes);
    this.#heldBytes = bytes;
  }
}

const startBytes = 64;
/** Of one turn: beyond it messages go to the inbox of the device. */
const heldBytesMax = 1 << 20;

/**
 * Collects what is written to one socket in a turn of the event loop, and writes it at its end in
 * one piece; nothing of it if the connection ends in the same turn.
 */
export class PacketWriter {
  readonly #stream: Duplex;
  /** Called when the stream is full: the device does not read. */
  readonly #onFull: () => void;
  #out = nothing;
  #bytes = 0;
  /** Called with whether the stream took what is written in this turn. */
  #waiting: ((taken: boolean) => void)[] = [];
  #unsure: ((taken: boolean) => void)[] = [];

  constructor(stream: Duplex, onFull: () => void) {
    this.#stream = stream;
    this.#onFull = onFull;
  }

  /** The device does not read, or so much waits for the end of the turn that no more should. */
  get isFull(): boolean {
    return this.#stream.writableNeedDrain || this.#bytes > heldBytesMax;
  }

  /**
   * Room for a packet of so many bytes: it is to be written into `buffer` from where this returns.
   */
  room(bytes: number): number {
    const start = this.#bytes;
    if (start === 0) process.nextTick(PacketWriter.#flush, this);
    if (start + bytes > this.#out.length) {
      const larger = Buffer.allocUnsafe(Math.max(startBytes, start + bytes, start === 0 ? 0 : 2 * this.#out.length));
      this.#out.copy(larger, 0, 0, start);
      this.#out = larger;
    }
    this.#bytes = start + bytes;
    return start;
  }

  get buffer(): Buffer {
    return this.#out;
  }

  write(packet: Uint8Array): void {
    const start = this.room(packet.length);
    this.#out.set(packet, start);
  }

  /** Resolves with whether the stream took all that was written before. */
  taken(): Promise<boolean> {
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  /** The device reads again. */
  onDrain(): void {
    for (const resolve of this.#unsure.splice(0)) resolve(true);
  }

  /** The connection is over: what was not written will not be. */
  close(): void {
    this.#out = nothing;
    this.#bytes = 0;
    for (const resolve of [...this.#unsure.splice(0), ...this.#waiting.splice(0)]) resolve(false);
  }

  static #flush(writer: PacketWriter): void {
    if (writer.#bytes > 0) writer.#writeOut();
  }

  #writeOut(): void {
    const packets = this.#out.subarray(0, this.#bytes);
    this.#out = nothing;
    this.#bytes = 0;
    const isFull = !this.#stream.write(packets);
    if (isFull) this.#onFull();
    if (this.#waiting.length === 0) return;
    if (isFull) this.#unsure.push(...this.#waiting.splice(0));
    else for (const resolve of this.#waiting.splice(0)) resolve(true);
  }
}
