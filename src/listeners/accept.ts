import type { Server, Socket } from 'node:net';
import { addressBlock } from '../runtime/address-block.ts';
import { type HandshakeFailed, handshakeTrouble } from './handshakes.ts';
import type { UnauthenticatedConnections } from './unauthenticated-connections.ts';

/**
 * Handshakes started in one turn of the event loop. Each takes about a millisecond of processor
 * time, so the box serves everything else at least this often.
 */
const handshakesATurn = 2;
/** A record of TLS has at most 16 KiB and its header. */
const recordBytesMax = (16 << 10) + 5;
const handshakeRecord = 0x16;

/**
 * Handshakes waiting for their turn. Each turn of the event loop starts a few, taking one address
 * after the other. A flood therefore only gets the time that is left over: it slows down neither
 * connected devices nor an address with a single connection. The queue is bounded by
 * `UnauthenticatedConnections`.
 */
export class HandshakeQueue {
  readonly #waiting = new Map<string, (() => void)[]>();
  #isTurning = false;

  add(block: string, start: () => void): void {
    const own = this.#waiting.get(block);
    if (own) own.push(start);
    else this.#waiting.set(block, [start]);
    if (this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    for (let left = handshakesATurn; left > 0; left--) {
      const next = this.#waiting.entries().next().value;
      if (!next) break;
      const [block, own] = next;
      const start = own.shift();
      this.#waiting.delete(block);
      if (own.length > 0) this.#waiting.set(block, own);
      start?.();
    }
    this.#isTurning = this.#waiting.size > 0;
    if (this.#isTurning) setImmediate(() => this.#turn());
  }
}

/** Makes `server` accept only the connections that `unauthenticated` admits. */
export function admitOnly(server: Server, unauthenticated: UnauthenticatedConnections): void {
  inFront(server, (socket, accept) => {
    if (unauthenticated.admit(socket)) accept();
  });
}

/**
 * Does the same for a TLS server. A handshake starts when the client's first record has arrived
 * completely and its turn has come; until then a connection costs no more than its socket. A
 * connection that does not get that far within `timeoutMs` is closed and reported to `failed`.
 */
export function admitToHandshake(
  server: Server,
  unauthenticated: UnauthenticatedConnections,
  queue: HandshakeQueue,
  timeoutMs: number,
  failed: HandshakeFailed,
): void {
  inFront(server, (socket, accept) => {
    if (!unauthenticated.admit(socket)) return;
    // Read now: a closed socket no longer knows its address.
    const address = socket.remoteAddress ?? '';
    const pieces: Buffer[] = [];
    let bytes = 0;
    const onError = (error: NodeJS.ErrnoException) => {
      failed(address, new Error(handshakeTrouble(error)));
      socket.destroy();
    };
    const hungUp = () => onError(Object.assign(new Error('hung up'), { code: 'ECONNRESET' }));
    const late = () => onError(Object.assign(new Error('timeout'), { code: 'ERR_TLS_HANDSHAKE_TIMEOUT' }));
    const more = () => {
      for (let piece: Buffer | null = socket.read(); piece !== null; piece = socket.read()) {
        pieces.push(piece);
        bytes += piece.length;
      }
      if (!isWhole(pieces, bytes)) return;
      stop();
      queue.add(addressBlock(address), () => {
        if (socket.destroyed) return;
        socket.unshift(joined(pieces, bytes));
        accept();
      });
    };
    const stop = () => {
      socket.setTimeout(0);
      socket.off('readable', more).off('end', hungUp).off('timeout', late).off('error', onError);
      // The connection may break before the handshake starts; then there is nothing to do.
      socket.on('error', ignore);
    };
    socket.setTimeout(timeoutMs);
    socket.on('readable', more).on('end', hungUp).on('timeout', late).on('error', onError);
  });
}

/** A shared listener: a closure would stay in memory as long as the connection is open. */
const ignore = (): void => {};

const joined = (pieces: readonly Buffer[], bytes: number): Buffer =>
  pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, bytes);

/**
 * Whether the first TLS record is complete, or is not TLS at all, which the handshake will report.
 */
function isWhole(pieces: readonly Buffer[], bytes: number): boolean {
  if (bytes === 0) return false;
  const start = joined(pieces, bytes);
  if (start[0] !== handshakeRecord) return true;
  if (bytes < 5) return false;
  return bytes >= Math.min(5 + start.readUInt16BE(3), recordBytesMax);
}

/**
 * Calls `act` before the server's own connection listeners; `accept` passes the connection on to
 * them.
 */
function inFront(server: Server, act: (socket: Socket, accept: () => void) => void): void {
  const behind = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) =>
    act(socket, () => {
      for (const listener of behind) listener.call(server, socket);
    }),
  );
}
