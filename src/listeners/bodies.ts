import { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { attendanceCodes } from '../platform/attendance.ts';
import { type BodyBound, bodyBytesDefault } from '../runtime/body-bound.ts';
import { problemOf, problemType } from '../runtime/problem.ts';
import { TooLarge } from '../runtime/read-body.ts';
import type { Fetch, Served } from './served.ts';

/**
 * How long the rest of a body is read and discarded after a 413. A client whose connection closes
 * at once often never reads the answer.
 */
const discardMs = 2000;

/**
 * A Node request whose body fails with TooLarge as soon as more has arrived than its route accepts.
 */
export class BoundedRequest extends IncomingMessage {
  /** Null while the Content-Length is within every route's bound. */
  bound: BodyBound | null = null;
  /** The Content-Length is over the bound. */
  isAnnounced = false;
  /** More bytes arrived than the route accepts. */
  isOver = false;
  /** Called once, when `isOver` turns true. */
  whenOver: () => void = () => {};
  #bytes = 0;

  /**
   * Checks the Content-Length. Asks `served` for the route's bound only when the body is large or
   * has no length.
   */
  watch(served: Served): void {
    const length = this.headers['content-length'];
    const bytes = length === undefined ? Number.NaN : Number(length);
    if (bytes <= bodyBytesDefault || (length === undefined && this.headers['transfer-encoding'] === undefined)) return;
    const bound = served.bound(this.method ?? '', this.url ?? '');
    this.isAnnounced = bytes > bound.bytesMax;
    if (this.isAnnounced || length === undefined) this.bound = bound;
  }

  /** Node passes here what it has read from the connection. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.bound === null) return super.push(chunk, encoding);
    if (!this.isOver && chunk !== null) {
      this.#bytes += chunk.length;
      if (this.#bytes > this.bound.bytesMax) {
        this.isOver = true;
        this.whenOver();
        this.destroy(new TooLarge());
      }
    }
    return this.isOver ? true : super.push(chunk, encoding);
  }

  /** Keeps the connection open for the answer. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (error instanceof TooLarge) done(this.listenerCount('error') > 0 ? error : null);
    else super._destroy(error, done);
  }
}

/**
 * Wraps what a listener serves: answers 413, in the format of the API concerned, to a body that is
 * larger than its route accepts.
 */
export function bounded(served: Served): Fetch {
  return (request, environment) => {
    const { incoming, outgoing } = environment as HttpBindings;
    if (!(incoming instanceof BoundedRequest) || incoming.bound === null) return served.fetch(request, environment);
    const { bound } = incoming;
    const refuse = (): Response => {
      outgoing.once('finish', () => endSoon(incoming));
      return tooLarge(incoming.url ?? '', bound);
    };
    if (incoming.isAnnounced || incoming.isOver) return refuse();
    const over = new Promise<void>(resolve => {
      incoming.whenOver = resolve;
    });
    // The handler that reads the body fails with TooLarge; its own answer would be worse than ours.
    const answered = Promise.resolve(served.fetch(request, environment)).catch(error => {
      if (incoming.isOver) return null;
      throw error;
    });
    return Promise.race([answered, over]).then(answer => (incoming.isOver || !answer ? refuse() : answer));
  };
}

function endSoon(incoming: IncomingMessage): void {
  if (incoming.complete) return;
  AbortSignal.timeout(discardMs).addEventListener('abort', () => {
    if (!incoming.complete) incoming.socket.destroy();
  });
}

/** The 413 in the format of each API (CONTRACT 6). */
function tooLarge(target: string, { bytesMax, word }: BodyBound): Response {
  const detail = `a body has at most ${inWords(bytesMax)} here`;
  const { pathname: path } = new URL(target, 'http://box');
  if (path.startsWith('/admin/v1')) return answer(413, problemType, problemOf(413, word, detail));
  if (path.startsWith('/v2.0/'))
    return answer(200, 'application/json', {
      code: attendanceCodes.bad_body,
      msg: `request body format wrong: ${detail}`,
    });
  if (path.startsWith('/oauth/'))
    return answer(413, 'application/json', { error: 'invalid_request', error_description: detail });
  if (/^\/(wifi|device)\//.test(path)) return answer(413, 'application/json', { code: '413', msg: detail });
  return answer(413, 'application/json', { code: 413, msg: detail });
}

const inWords = (bytes: number): string =>
  bytes < 1 << 20 ? `${bytes >> 10} KiB` : `${Math.floor(bytes / 2 ** 20)} MiB`;

const answer = (status: number, type: string, body: object): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': type, 'cache-control': 'no-store' } });
