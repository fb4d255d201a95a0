import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { addressBlock } from '../runtime/address-block.ts';
import type { Clock } from '../runtime/clock.ts';
import { isShared } from '../runtime/shared-bytes.ts';
import { HeldBytes, type Holder } from './held-bytes.ts';
import { looking } from './slow-requests.ts';

/** TLS encrypts, and keeps, all that it is given at once. */
const sliceBytes = 16 << 10;
/** So much goes to the connection at once: in slices a page of 500 rows takes half as long more. */
const wholeBytes = 256 << 10;
/**
 * The answers that wait for their readers, of all listeners of this process. One that goes on
 * reading holds 256 KiB at most.
 */
export const heldAnswers = new HeldBytes({ strangers: 32 << 20, known: 96 << 20 });

/** An answer whose reader takes nothing for this long is ended. */
const unreadMs = 30_000;

type Written = (error?: Error | null) => void;

/**
 * A Node response that hands an answer of any length to its connection in slices of 16 KiB, each
 * when the connection has room, and counts what waits. When there is too much of it in all, the
 * connection is closed.
 */
export class PacedResponse<Request extends IncomingMessage = IncomingMessage>
  extends ServerResponse<Request>
  implements Holder
{
  /** Whether nobody has logged in over the connection. */
  isStranger: (socket: Socket) => boolean = () => true;
  #waiting: Buffer[] = [];
  /** Called behind the last slice. */
  #written: Written | undefined;
  #isEnding = false;
  #block: string | null = null;

  get block(): string {
    this.#block ??= addressBlock(this.req.socket.remoteAddress ?? '');
    return this.#block;
  }

  override write(chunk: string | Uint8Array, encoding?: BufferEncoding | Written, written?: Written): boolean {
    if (this.#waiting.length === 0 && isShort(chunk)) {
      const goesOn = super.write(chunk, encoding as BufferEncoding, written);
      this.#count();
      return goesOn;
    }
    this.#wait(chunk, encoding, written);
    return this.#passOn();
  }

  override end(chunk?: unknown, encoding?: BufferEncoding | Written, written?: Written): this {
    const hasChunk = typeof chunk === 'string' || chunk instanceof Uint8Array;
    if (this.#isEnding || (this.#waiting.length === 0 && (!hasChunk || isShort(chunk)))) {
      super.end(chunk, encoding as BufferEncoding, written);
      this.#count();
      return this;
    }
    if (hasChunk) {
      const bytes = this.#wait(chunk, encoding, written);
      const isAll = !this.headersSent && this.#waiting.length === 1;
      if (isAll && !this.hasHeader('content-length') && !this.hasHeader('transfer-encoding'))
        this.setHeader('Content-Length', bytes);
    } else this.#written = chunk as Written | undefined;
    this.#isEnding = true;
    this.#passOn();
    return this;
  }

  /** Node says here that the connection has room, and that all has ended. */
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'drain' && this.#waiting.length > 0 && !(this.#passOn() && !this.#isEnding)) return true;
    if (event === 'drain') this.#count();
    if (event === 'close') this.#release();
    return super.emit(event, ...values);
  }

  giveWay(): void {
    this.destroy();
  }

  /** Returns its length in bytes. */
  #wait(chunk: string | Uint8Array, encoding?: BufferEncoding | Written, written?: Written): number {
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8')
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#waiting.push(bytes);
    const called = typeof encoding === 'function' ? encoding : written;
    if (called) this.#written = called;
    return bytes.length;
  }

  /** Returns whether all went to the connection, and there is room for more. */
  #passOn(): boolean {
    let goesOn = true;
    while (this.#waiting.length > 0 && goesOn && !this.destroyed) {
      const first = this.#waiting[0]!;
      if (first.length > sliceBytes) this.#waiting[0] = first.subarray(sliceBytes);
      else this.#waiting.shift();
      const isLast = this.#waiting.length === 0 && !this.#isEnding;
      goesOn = super.write(first.subarray(0, sliceBytes), isLast ? this.#takeWritten() : undefined);
    }
    const isAll = this.#waiting.length === 0;
    if (isAll && this.#isEnding && !this.destroyed) super.end(this.#takeWritten());
    this.#count();
    return isAll && goesOn;
  }

  #takeWritten(): Written | undefined {
    const written = this.#written;
    this.#written = undefined;
    return written;
  }

  /** A short answer is what every connection may have: nothing is counted for it. */
  #count(): void {
    const inSocket = this.socket?.writableLength ?? 0;
    if (this.#block === null && this.#waiting.length === 0 && inSocket <= sliceBytes) return;
    if (this.destroyed) return;
    const own = this.#waiting.reduce((sum, bytes) => sum + (isShared(bytes) ? 0 : bytes.length), 0);
    if (!heldAnswers.hold(this, !this.isStranger(this.req.socket), own + inSocket)) this.destroy();
  }

  #release(): void {
    this.#waiting = [];
    if (this.#block !== null) heldAnswers.release(this);
  }
}

/** Whether it goes to the connection at once. Characters have three bytes at most. */
const isShort = (chunk: string | Uint8Array): boolean =>
  chunk.length <= (typeof chunk === 'string' ? wholeBytes / 3 : wholeBytes);

/** A socket, the one below its TLS, and what the system has not taken of what was written. */
type Layered = Socket & { readonly _parent?: Socket; readonly _handle?: { readonly writeQueueSize?: number } };

/** Bytes that the system has taken of a connection's answers. */
function taken(socket: Layered): number {
  const below = (socket._parent ?? socket) as Layered;
  return socket.bytesWritten - socket.writableLength - (below._handle?.writeQueueSize ?? 0);
}

/** Closes connections whose client takes nothing of an answer for 30 s. Checks every 5 s. */
export function endUnread(server: Server, clock: Clock, ended: (address: string, why: string) => void): Disposable {
  /** The bytes that each had taken when it last took some, and the time of that. */
  const progress = new Map<Layered, { since: number; taken: number }>();
  const open = new Set<Layered>();
  server.on(server instanceof HttpsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      progress.delete(socket);
    });
  });
  const look = () => {
    const now = clock.monotonic();
    for (const socket of open) {
      const before = progress.get(socket);
      // An answer of which something waits has filled its connection.
      if (socket.writableLength === 0) progress.delete(socket);
      else if (before?.taken !== taken(socket)) progress.set(socket, { since: now, taken: taken(socket) });
      else if (now - before.since >= unreadMs) {
        ended(socket.remoteAddress ?? '', 'unread');
        socket.destroy();
      }
    }
  };
  return looking(clock, look);
}
