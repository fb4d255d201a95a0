import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../runtime/clock.ts';

/**
 * Time limit for a request's head, for the first byte on a connection, and between two checks of a
 * body's progress.
 */
const progressMs = 30_000;
/**
 * Bytes of a body that must arrive in each interval: 137 bytes a second, slower than any line in
 * use.
 */
export const progressBytes = 4096;
/** Idle time between two requests on a connection that nobody has logged in over. */
const unauthenticatedIdleMs = 15_000;
const lookEveryMs = 5000;

const timedOut = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

interface Watched {
  request: IncomingMessage | null;
  response: ServerResponse | null;
  /** When the current wait began, and how many bytes had arrived by then. */
  since: number;
  bytes: number;
  /** A request was answered on this connection. */
  isUsed: boolean;
  isHead: boolean;
}

/**
 * Closes HTTP connections whose client keeps the box waiting: a head that takes more than 30 s,
 * less than 4 KiB of a body in 30 s, a connection that sends nothing for 30 s or, without a login,
 * for 15 s after an answer. The client is not timed while the box is the one that does not read, or
 * answers slowly (an event stream, a long report). Checks every 5 s.
 */
export function endSlowRequests(
  server: Server,
  clock: Clock,
  isUnauthenticated: (socket: Socket) => boolean,
  ended: (address: string, why: string) => void,
): Disposable {
  const watched = new Map<Socket, Watched>();
  // With TLS, the HTTP connection is the one on top of the handshake.
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
    one.request = request;
    one.response = response;
    one.since = clock.monotonic();
    one.bytes = request.socket.bytesRead;
    one.isUsed = true;
    one.isHead = false;
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
  return looking(clock, look);
}

/** Calls `look` every 5 s until it is disposed of. */
export function looking(clock: Clock, look: () => void): Disposable {
  const ending = new AbortController();
  void (async () => {
    while (!ending.signal.aborted) {
      await clock.sleep(lookEveryMs, ending.signal).catch(() => {});
      if (!ending.signal.aborted) look();
    }
  })();
  return { [Symbol.dispose]: () => ending.abort() };
}

/** Why the connection must end; null: it may stay. Updates what is waited for. */
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
