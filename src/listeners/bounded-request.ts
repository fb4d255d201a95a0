import { IncomingMessage, type ServerResponse } from 'node:http';
import { addressBlock } from '../runtime/address-block.ts';
import { type BodyBound, bodyBytesDefault } from '../runtime/body-bound.ts';
import { GrowingBuffer } from '../runtime/growing-buffer.ts';
import { Aborted, isCallerKnown, NoRoom, TooLarge } from '../runtime/read-body.ts';
import { HeldBytes, type Holder } from './held-bytes.ts';
import type { RequestQueue } from './request-queue.ts';
import type { Served } from './served.ts';

/** Bytes of a body that are passed on at once; a larger piece is passed on as it came. */
const pieceBytes = 64 << 10;
const uncopiedBytes = 16 << 10;

/** A body of more chunks than this, of fewer bytes than this on average, is read in turns. */
const tinyChunks = 100;
const tinyBytes = 64;

const nothing = Buffer.alloc(0);
/** The state that `readableEnded` reads. */
type Ended = { readonly _readableState: { endEmitted: boolean } };
/** A name or an address, as every client writes it. */
const usualHost = /^(?:[a-z\d.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** A larger body fits into no memory: its route writes it to the disk as it comes. */
const inMemoryBytesMax = 64 << 20;

/**
 * The bodies that are being read, of all listeners of this process: the memory is one. A body of
 * strangers has 64 KiB at most, and most come in one piece, which counts nothing.
 */
export const heldBodies = new HeldBytes({ strangers: 16 << 20, known: 96 << 20 });

/** The listener's knowledge of a caller, and its order of reading connections with tiny chunks. */
type Queue = Pick<RequestQueue, 'isStranger' | 'readQueued'>;

/**
 * A Node request whose body is held in a few large pieces, however it was cut. Fails with TooLarge
 * as soon as more has arrived than its route accepts, and with NoRoom when the bodies that are
 * being read take too much memory together.
 */
export class BoundedRequest extends IncomingMessage implements Holder {
  /** Null while the Content-Length is within every route's bound. */
  bound: BodyBound | null = null;
  /** The Content-Length is over the bound. */
  isAnnounced = false;
  /** Why no more of the body is read. */
  refusal: TooLarge | NoRoom | null = null;
  /** Called once, when there is a refusal. */
  whenRefused: () => void = () => {};
  #queue: Queue | null = null;
  #response: ServerResponse | null = null;
  /** The connection is not read until its turn has come. */
  #isQueued = false;
  /** Only a piece of the body is held at a time. */
  #isStreamed = false;
  /** The caller's address block; null: nothing is held. */
  #block: string | null = null;
  /** Bytes received. */
  #bytes = 0;
  #chunks = 0;
  /** Called with the body if it comes in one piece, before its first piece if it does not. */
  #reader: { readonly whole: (body: Buffer) => void; readonly pieces: () => void } | null = null;
  /** The body was given away whole. */
  #isTaken = false;
  /** Bytes that are not passed on yet; null if the body came in one piece so far. */
  #gathered: GrowingBuffer | null = null;

  get block(): string {
    this.#block ??= addressBlock(this.socket.remoteAddress ?? '');
    return this.#block;
  }

  get hasBody(): boolean {
    const { 'content-length': length, 'transfer-encoding': encoding } = this.headers;
    return encoding !== undefined || (length !== undefined && length !== '0');
  }

  /**
   * Checks the Content-Length. Asks `served` for the route's bound only when the body is large or
   * has no length. What is held counts until the answer has ended.
   */
  watch(served: Served, response: ServerResponse, queue: Queue): void {
    if (!this.hasBody) return;
    this.#queue = queue;
    this.#response = response;
    const length = this.headers['content-length'];
    const bytes = length === undefined ? Number.NaN : Number(length);
    if (bytes <= bodyBytesDefault) return;
    const bound = served.bound(this.method ?? '', this.url ?? '');
    this.isAnnounced = bytes > bound.bytesMax;
    if (this.isAnnounced || length === undefined) this.bound = bound;
    this.#isStreamed = bound.bytesMax > inMemoryBytesMax;
  }

  /** Whether nothing is odd about its head, and its body is within the bound of every route. */
  get isUsual(): boolean {
    const { 'transfer-encoding': transfer, 'content-encoding': content, expect, host = '' } = this.headers;
    const isPlain = (transfer ?? content ?? expect) === undefined && usualHost.test(host);
    return isPlain && this.bound === null && !this.isAnnounced;
  }

  /**
   * Calls `whole` with a body that comes in one piece, as most do, and ends the stream; else
   * `pieces`, before any of it can be read.
   */
  whenWhole(whole: (body: Buffer) => void, pieces: () => void): void {
    if (this.#bytes > 0 || this.complete) pieces();
    else if (this.hasBody) this.#reader = { whole, pieces };
    else this.#give(nothing, whole);
  }

  /** Node passes here what it has read from the connection. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.refusal || this.#isTaken) return true;
    const reader = this.#reader;
    this.#reader = null;
    if (reader && chunk !== null && String(chunk.length) === this.headers['content-length']) {
      this.#bytes = chunk.length;
      this.#give(chunk, reader.whole);
      return true;
    }
    reader?.pieces();
    if (chunk === null) {
      this.#passOn();
      return super.push(null);
    }
    this.#bytes += chunk.length;
    this.#chunks++;
    if (this.bound && this.#bytes > this.bound.bytesMax) return this.#refuse(new TooLarge());
    // The whole body in one piece: nothing of it has to wait here.
    if (String(chunk.length) === this.headers['content-length']) return super.push(chunk, encoding);
    return this.#take(chunk, encoding) && this.#mayReadOn();
  }

  #give(body: Buffer, whole: (body: Buffer) => void): void {
    this.#isTaken = true;
    // For Node it is read to its end: there is nothing to discard behind the answer.
    super._read(0);
    (this as unknown as Ended)._readableState.endEmitted = true;
    whole(body);
  }

  #take(chunk: Buffer, encoding?: BufferEncoding): boolean {
    let goesOn = true;
    this.#gathered ??= new GrowingBuffer();
    const gathered = this.#gathered;
    if (gathered.length + chunk.length > pieceBytes) goesOn = this.#passOn();
    if (gathered.length === 0 && chunk.length >= uncopiedBytes) {
      if (!this.#hold(chunk.length)) return this.#refuse(new NoRoom());
      return super.push(chunk, encoding) && goesOn;
    }
    const { capacity } = gathered;
    gathered.add(chunk);
    if (gathered.capacity > capacity && !this.#hold(0)) return this.#refuse(new NoRoom());
    return goesOn;
  }

  #mayReadOn(): boolean {
    if (this.#isQueued) return false;
    if (this.#chunks < tinyChunks || this.#bytes > this.#chunks * tinyBytes) return true;
    this.#isQueued = true;
    this.#queue?.readQueued(this.socket, () => {
      this.#isQueued = false;
      if (!this.destroyed && !this.complete && this.readableLength < this.readableHighWaterMark) this._read(0);
    });
    return false;
  }

  override _read(size: number): void {
    if (!this.#isQueued) super._read(size);
  }

  giveWay(): void {
    this.#refuse(new NoRoom());
  }

  #passOn(): boolean {
    return !this.#gathered || this.#gathered.length === 0 || super.push(this.#gathered.take());
  }

  /**
   * Counts what is held here and by the route, and `more`, until the answer has ended: what comes
   * after it is discarded.
   */
  #hold(more: number): boolean {
    if (this.#response?.closed) return true;
    if (this.#block === null) this.#response?.once('close', () => this.#release());
    const waiting = (this.#gathered?.capacity ?? 0) + more;
    const passedOn = this.#bytes - (this.#gathered?.length ?? 0) - more;
    const bytes = waiting + (this.#isStreamed ? this.readableLength : passedOn);
    return heldBodies.hold(this, isCallerKnown(this) || !this.#queue?.isStranger(this.socket), bytes);
  }

  #release(): void {
    this.#gathered?.take();
    if (this.#block !== null) heldBodies.release(this);
  }

  #refuse(why: TooLarge | NoRoom): true {
    if (this.refusal) return true;
    this.refusal = why;
    this.#release();
    this.whenRefused();
    this.destroy(why);
    return true;
  }

  /** Without a reader nobody is told, which saves the 0.1 ms that an error takes. */
  override destroy(error?: Error): this {
    if (error === undefined || error === this.refusal) return super.destroy(error);
    return super.destroy(this.listenerCount('error') > 0 ? new Aborted() : undefined);
  }

  /** Keeps the connection open for the answer to a refusal. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (error !== null && error === this.refusal) {
      done(this.listenerCount('error') > 0 ? error : null);
      return;
    }
    // A body that was read to its end is with its route until that has answered.
    if (error || !this.complete) this.#release();
    super._destroy(error, done);
  }
}
