import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../runtime/clock.ts';

/**
 * How long a head may take, a connection may say nothing at first, and how often a body is looked
 * at.
 */
const progressMs = 30_000;
/**
 * Of a body in so long, when there are so many still to come: 137 bytes a second, less than any
 * line of today has.
 */
export const progressBytes = 4096;
/** A connection that nobody has logged in over, between two requests. */
const unauthenticatedIdleMs = 15_000;
const lookEveryMs = 5000;

const timedOut = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

interface Watched {
  request: IncomingMessage | null;
  response: ServerResponse | null;
  /** When what is waited for began, and how many bytes had come by then. */
  since: number;
  bytes: number;
  /** A request was answered on this connection. */
  isUsed: boolean;
  isHead: boolean;
}

/**
 * Ends HTTP connections whose client keeps the box waiting: a head that is not there 30 s after it
 * began, a body of which less than 4 KiB came in 30 s, a connection that says nothing for 30 s, or,
 * where nobody has logged in over it, for 15 s after an answer. While it is the box that does not
 * read on, or answers (an event stream, a long report), nothing is asked of the client. Looks every
 * 5 s.
 */
export function endSlowRequests(
  server: Server,
  clock: Clock,
  isUnauthenticated: (socket: Socket) => boolean,
  ended: (address: string, why: string) => void,
): Disposable {
  const watched = new Map<Socket, Watched>();
  // With TLS the connection that speaks HTTP is the one behind the handshake.
  const come = (socket: Socket) => {
    if (watched.has(socket)) return;
    watched.set(socket, {
      request: null,
      response: null,
      since: clock.monotonic(),
      bytes: 0,
      isUsed: false,
      isHead: false,
    });
    socket.once('close', () => watched.delete(socket));
  };
  server.on(server instanceof HttpsServer ? 'secureConnection' : 'connection', come);
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    come(request.socket);
    const one = watched.get(request.socket);
    if (!one) return;
    Object.assign(one, {
      request,
      response,
      since: clock.monotonic(),
      bytes: request.socket.bytesRead,
      isUsed: true,
      isHead: false,
    });
  });
  const look = () => {
    const now = clock.monotonic();
    for (const [socket, one] of watched) {
      const why = whyEnded(socket, one, now, isUnauthenticated);
      if (why === null) continue;
      ended(socket.remoteAddress ?? '', why);
      if (why !== 'idle' && !one.response?.headersSent && socket.writable && socket.writableLength === 0)
        socket.write(timedOut);
      socket.destroy();
    }
  };
  const ending = new AbortController();
  void (async () => {
    while (!ending.signal.aborted) {
      await clock.sleep(lookEveryMs, ending.signal).catch(() => {});
      if (!ending.signal.aborted) look();
    }
  })();
  return { [Symbol.dispose]: () => ending.abort() };
}

/** Why the connection is ended; null: it goes on. Notes what is waited for. */
function whyEnded(
  socket: Socket,
  one: Watched,
  now: number,
  isUnauthenticated: (socket: Socket) => boolean,
): 'head' | 'body' | 'silent' | 'idle' | null {
  const { request, response } = one;
  const begin = (): null => {
    one.since = now;
    one.bytes = socket.bytesRead;
    return null;
  };
  if (request && !request.complete) {
    const isHeldBack = request.readableLength >= request.readableHighWaterMark;
    if (isHeldBack || now - one.since < progressMs) return isHeldBack ? begin() : null;
    return socket.bytesRead - one.bytes < progressBytes ? 'body' : begin();
  }
  if (response && !response.writableFinished && !response.destroyed) return begin();
  if (request) {
    one.request = null;
    one.response = null;
    return begin();
  }
  if (socket.bytesRead > one.bytes && !one.isHead) {
    one.isHead = true;
    one.since = now;
  }
  const waited = now - one.since;
  if (one.isHead) return waited >= progressMs ? 'head' : null;
  if (!one.isUsed) return waited >= progressMs ? 'silent' : null;
  return isUnauthenticated(socket) && waited >= unauthenticatedIdleMs ? 'idle' : null;
}
