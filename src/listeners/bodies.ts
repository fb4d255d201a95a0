import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import { attendanceCodes } from '../platform/attendance.ts';
import { addressBlock } from '../runtime/address-block.ts';
import { type BodyBound, bodyBytesDefault } from '../runtime/body-bound.ts';
import { GrowingBuffer } from '../runtime/growing-buffer.ts';
import { problemOf, problemType } from '../runtime/problem.ts';
import { isCallerKnown, NoRoom, TooLarge } from '../runtime/read-body.ts';
import { HeldBytes, type Holder } from './held-bytes.ts';
import type { Fetch, Served } from './served.ts';

/**
 * How long the rest of a body is read and discarded after a refusal. A client whose connection closes
 * at once often never reads the answer.
 */
const discardMs = 2000;

/** Bytes of a body that are passed on at once; a larger piece is passed on as it came. */
const pieceBytes = 64 << 10;
const uncopiedBytes = 16 << 10;

/** A larger body fits into no memory: its route writes it to the disk as it comes. */
const inMemoryBytesMax = 64 << 20;

/**
 * The bodies that are being read, of all listeners of this process: the memory is one. A body of
 * strangers has 64 KiB at most, and most come in one piece, which counts nothing.
 */
export const heldBodies = new HeldBytes({ strangers: 16 << 20, known: 96 << 20 });
const retryAfterSeconds = 5;

/** What a listener knows of the caller behind a connection. */
type IsStranger = (socket: Socket) => boolean;

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
  #isStranger: IsStranger = () => true;
  /** Only a piece of the body is held at a time. */
  #isStreamed = false;
  /** The caller's address block; null: nothing is held. */
  #block: string | null = null;
  /** Bytes that have come. */
  #bytes = 0;
  /** What is not passed on yet. */
  readonly #gathered = new GrowingBuffer();

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
  watch(served: Served, response: ServerResponse, isStranger: IsStranger): void {
    if (!this.hasBody) return;
    this.#isStranger = isStranger;
    response.once('close', () => this.#release());
    const length = this.headers['content-length'];
    const bytes = length === undefined ? Number.NaN : Number(length);
    if (bytes <= bodyBytesDefault) return;
    const bound = served.bound(this.method ?? '', this.url ?? '');
    this.isAnnounced = bytes > bound.bytesMax;
    if (this.isAnnounced || length === undefined) this.bound = bound;
    this.#isStreamed = bound.bytesMax > inMemoryBytesMax;
  }

  /** Node passes here what it has read from the connection. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.refusal) return true;
    if (chunk === null) {
      this.#passOn();
      return super.push(null);
    }
    this.#bytes += chunk.length;
    if (this.bound && this.#bytes > this.bound.bytesMax) return this.#refuse(new TooLarge());
    // The whole body in one piece: nothing of it has to wait here.
    if (String(chunk.length) === this.headers['content-length']) return super.push(chunk, encoding);
    let goesOn = true;
    if (this.#gathered.length + chunk.length > pieceBytes) goesOn = this.#passOn();
    if (this.#gathered.length === 0 && chunk.length >= uncopiedBytes) {
      if (!this.#hold(chunk.length)) return this.#refuse(new NoRoom());
      return super.push(chunk, encoding) && goesOn;
    }
    const { capacity } = this.#gathered;
    this.#gathered.add(chunk);
    if (this.#gathered.capacity > capacity && !this.#hold(0)) return this.#refuse(new NoRoom());
    return goesOn;
  }

  giveWay(): void {
    this.#refuse(new NoRoom());
  }

  #passOn(): boolean {
    return this.#gathered.length === 0 || super.push(this.#gathered.take());
  }

  /** Counts what is held here and by the route, and `more`. */
  #hold(more: number): boolean {
    const waiting = this.#gathered.capacity + more;
    const passedOn = this.#bytes - this.#gathered.length - more;
    const bytes = waiting + (this.#isStreamed ? this.readableLength : passedOn);
    return heldBodies.hold(this, isCallerKnown(this) || !this.#isStranger(this.socket), bytes);
  }

  #release(): void {
    this.#gathered.take();
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

/**
 * Wraps what a listener serves: answers 413, in the format of the API concerned, to a body that is
 * larger than its route accepts, and 503 to one for which there is no memory.
 */
export function bounded(served: Served): Fetch {
  return (request, environment) => {
    const { incoming, outgoing } = environment as HttpBindings;
    if (!(incoming instanceof BoundedRequest) || !incoming.hasBody) return served.fetch(request, environment);
    const refuse = (): Response => {
      outgoing.once('finish', () => endSoon(incoming));
      return incoming.refusal instanceof NoRoom
        ? noRoom(incoming.url ?? '')
        : tooLarge(incoming.url ?? '', incoming.bound!);
    };
    if (incoming.isAnnounced || incoming.refusal) return refuse();
    const refused = new Promise<void>(resolve => {
      // An answer that is under way cannot be taken back.
      incoming.whenRefused = () => (outgoing.headersSent ? outgoing.destroy() : resolve());
    });
    // The handler that reads the body fails; its own answer would be worse than ours.
    const answered = Promise.resolve(served.fetch(request, environment)).catch(error => {
      if (incoming.refusal) return null;
      throw error;
    });
    return Promise.race([answered, refused]).then(answer => (incoming.refusal || !answer ? refuse() : answer));
  };
}

function endSoon(incoming: IncomingMessage): void {
  if (incoming.complete) return;
  AbortSignal.timeout(discardMs).addEventListener('abort', () => {
    if (!incoming.complete) incoming.socket.destroy();
  });
}

const tooLarge = (target: string, { bytesMax, word }: BodyBound): Response =>
  inFormatOf(target, 413, word, `a body has at most ${inWords(bytesMax)} here`, {});

const noRoom = (target: string): Response =>
  inFormatOf(target, 503, 'busy', 'the box is reading too many requests at once: try again in a few seconds', {
    'retry-after': String(retryAfterSeconds),
  });

/** The refusal in the format of each API (CONTRACT 6). */
function inFormatOf(
  target: string,
  status: 413 | 503,
  word: string,
  detail: string,
  more: Record<string, string>,
): Response {
  const answer = (type: string, body: object, shown: number = status): Response =>
    new Response(JSON.stringify(body), {
      status: shown,
      headers: { ...more, 'content-type': type, 'cache-control': 'no-store' },
    });
  const json = 'application/json';
  const { pathname: path } = new URL(target, 'http://box');
  if (path.startsWith('/admin/v1')) return answer(problemType, problemOf(status, word, detail));
  if (path.startsWith('/v2.0/') && status === 413)
    return answer(json, { code: attendanceCodes.bad_body, msg: `request body format wrong: ${detail}` }, 200);
  if (path.startsWith('/oauth/')) {
    const error = status === 413 ? 'invalid_request' : 'temporarily_unavailable';
    return answer(json, { error, error_description: detail });
  }
  if (/^\/(wifi|device)\//.test(path)) return answer(json, { code: String(status), msg: detail });
  return answer(json, { code: status, msg: detail });
}

const inWords = (bytes: number): string =>
  bytes < 1 << 20 ? `${bytes >> 10} KiB` : `${Math.floor(bytes / 2 ** 20)} MiB`;
