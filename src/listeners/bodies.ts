import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { attendanceCodes } from '../platform/attendance.ts';
import { isPercentUtf8 } from '../platform/text-body.ts';
import type { BodyBound } from '../runtime/body-bound.ts';
import { problemOf, problemType } from '../runtime/problem.ts';
import { NoRoom } from '../runtime/read-body.ts';
import { BoundedRequest } from './bounded-request.ts';
import type { Fetch, Served } from './served.ts';

/**
 * How long the rest of a body is read and discarded after a refusal. A client whose connection
 * closes at once often never reads the answer.
 */
const discardMs = 2000;

/** Behind which a caller for whom there was no memory tries again. */
const retryAfterSeconds = 5;

/**
 * Wraps what a listener serves: answers 413, in the format of the API concerned, to a body that is
 * larger than its route accepts, 415 to one that is packed, and 503 to one for which there is no
 * memory; 400 to an address that is not UTF-8.
 */
export function bounded(served: Served): Fetch {
  return (request, environment) => {
    const { incoming, outgoing } = environment as HttpBindings;
    const target = incoming.url ?? '';
    if (!isPercentUtf8(target)) return unreadable(target);
    if (!(incoming instanceof BoundedRequest) || !incoming.hasBody) return served.fetch(request, environment);
    const refuse = (): Response => {
      outgoing.once('finish', () => endSoon(incoming));
      return incoming.refusal instanceof NoRoom ? noRoom(target) : tooLarge(target, incoming.bound!);
    };
    if (incoming.isAnnounced || incoming.refusal) return refuse();
    const encoding = incoming.headers['content-encoding']?.trim().toLowerCase() || 'identity';
    if (encoding !== 'identity' && !served.bound(incoming.method ?? '', target).unpacks) {
      outgoing.once('finish', () => endSoon(incoming));
      return encoded(target, encoding);
    }
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

/** SPEC 4 has no compressed body: what is stored of one would be its bytes. */
const encoded = (target: string, encoding: string): Response =>
  inFormatOf(
    target,
    415,
    'encoded',
    `Content-Encoding ${encoding.slice(0, 40)} is not taken here: send the body as it is, without a Content-Encoding`,
    { 'accept-encoding': 'identity' },
  );

const unreadable = (target: string): Response =>
  inFormatOf(target, 400, 'not_utf8', 'the address is not UTF-8 behind its percent signs: encode it as UTF-8', {});

const noRoom = (target: string): Response =>
  inFormatOf(target, 503, 'busy', 'the box is reading too many requests at once: try again in a few seconds', {
    'retry-after': String(retryAfterSeconds),
  });

/** The refusal in the format of each API (CONTRACT 6). */
function inFormatOf(
  target: string,
  status: 400 | 413 | 415 | 503,
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
  if (path.startsWith('/v2.0/') && (status === 413 || status === 415)) {
    const shown = status === 413 ? 200 : status;
    return answer(json, { code: attendanceCodes.bad_body, msg: `request body format wrong: ${detail}` }, shown);
  }
  if (path.startsWith('/oauth/')) {
    const error = status === 503 ? 'temporarily_unavailable' : 'invalid_request';
    return answer(json, { error, error_description: detail });
  }
  if (/^\/(wifi|device)\//.test(path)) return answer(json, { code: String(status), msg: detail });
  return answer(json, { code: status, msg: detail });
}

const inWords = (bytes: number): string =>
  bytes < 1 << 20 ? `${bytes >> 10} KiB` : `${Math.floor(bytes / 2 ** 20)} MiB`;
