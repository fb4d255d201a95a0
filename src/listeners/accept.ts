import type { Server, Socket } from 'node:net';
import { addressBlock } from '../runtime/address-block.ts';
import type { Clock } from '../runtime/clock.ts';
import { FirstRecord, HeldRecords } from './first-record.ts';
import { type HandshakeFailed, handshakeTrouble } from './handshakes.ts';
import type { UnauthenticatedConnections } from './unauthenticated-connections.ts';

/**
 * Handshakes started in one turn of the event loop, however short it is. Each takes about half a
 * millisecond of processor time, so the box serves everything else at least this often.
 */
const handshakesARound = 2;
/**
 * Where turns are long, handshakes get this part of the time, and so much of a turn at most, in ms:
 * with two in each turn thousands of devices would wait for those that are in already.
 */
const share = 1 / 4;
const shareMsMax = 10;

/**
 * Handshakes, or requests of strangers, waiting for their turn. Each turn of the event loop starts
 * a few, taking one address after the other. A flood therefore only gets the time that is left
 * over, or a quarter of it: it slows down neither connected devices nor an address with a single
 * connection. The queue is bounded by `UnauthenticatedConnections`.
 */
export class HandshakeQueue {
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #clock: Clock;
  readonly #leastMs: number;
  readonly #most: number;
  #isTurning = false;
  /** When the last turn ended. */
  #turnedAt = 0;

  /**
   * `leastMs`: how much of each turn may be used, also of a short one. `most`: how many are started
   * in a turn, where the start itself does not take the time.
   */
  constructor(clock: Clock, { leastMs = 0, most = Number.POSITIVE_INFINITY } = {}) {
    this.#clock = clock;
    this.#leastMs = leastMs;
    this.#most = most;
  }

  add(block: string, start: () => void): void {
    const own = this.#waiting.get(block);
    if (own) own.push(start);
    else this.#waiting.set(block, [start]);
    if (this.#isTurning) return;
    this.#isTurning = true;
    this.#turnedAt = this.#clock.monotonic();
    setImmediate(() => void this.#round());
  }

  async #round(): Promise<void> {
    const begun = this.#clock.monotonic();
    const ofRound = Math.min(shareMsMax, (begun - this.#turnedAt) * (share / (1 - share)));
    const until = begun + Math.max(this.#leastMs, ofRound);
    for (let started = 0; started < handshakesARound || this.#clock.monotonic() < until; started++) {
      if (started >= this.#most) break;
      const next = this.#waiting.entries().next().value;
      if (!next) break;
      const [block, own] = next;
      const start = own.shift();
      this.#waiting.delete(block);
      if (own.length > 0) this.#waiting.set(block, own);
      start?.();
      // The promises that it begins are part of its time.
      await new Promise<void>(resolve => process.nextTick(resolve));
    }
    this.#turnedAt = this.#clock.monotonic();
    this.#isTurning = this.#waiting.size > 0;
    if (this.#isTurning) setImmediate(() => void this.#round());
  }
}

/** How long a connection may wait, in ms. */
interface WaitTimes {
  /** For the client's first record. */
  readonly firstRecordMs: number;
  /** For a place. */
  readonly waitingMs: number;
}

/** Makes `server` accept only connections for which `unauthenticated` has a place. */
export function admitOnly(server: Server, unauthenticated: UnauthenticatedConnections): void {
  inFront(server, (socket, accept) => {
    if (unauthenticated.admit(socket) && unauthenticated.takePlace(socket)) accept();
  });
}

/**
 * Does the same for a TLS server, where connections wait until they have a place. A handshake
 * starts when the client's first record has arrived completely, a place is free and its turn has
 * come; until then a connection costs no more than its socket and what it sent. A connection that
 * does not send its first record within `firstRecordMs` is closed and reported to `failed`; one
 * that has no place after `waitingMs` is refused.
 */
export function admitToHandshake(
  server: Server,
  unauthenticated: UnauthenticatedConnections,
  queue: HandshakeQueue,
  { firstRecordMs, waitingMs }: WaitTimes,
  failed: HandshakeFailed,
): void {
  const held = new HeldRecords();
  inFront(server, (socket, accept) => {
    if (!unauthenticated.admit(socket)) return;
    // Read now: a closed socket no longer knows its address.
    const address = socket.remoteAddress ?? '';
    const first = new FirstRecord(held);
    let waits = false;
    const fail = (error: { code?: string; message: string }) => {
      failed(address, new Error(handshakeTrouble(error)));
      socket.destroy();
    };
    const broke = (error: NodeJS.ErrnoException) =>
      fail(waits ? { message: 'it hung up while it waited for its turn' } : error);
    const hungUp = () => broke(Object.assign(new Error('hung up'), { code: 'ECONNRESET' }));
    const late = () => {
      if (waits) unauthenticated.refuse(socket, `no place for its login within ${waitingMs / 1000} s`);
      else fail({ code: 'ERR_TLS_HANDSHAKE_TIMEOUT', message: 'timeout' });
    };
    const more = () => {
      if (!first.readFrom(socket)) return fail({ message: 'packet length too long' });
      if (waits || !first.isWhole) return;
      waits = true;
      socket.setTimeout(waitingMs);
      unauthenticated.whenPlace(socket, () => queue.add(addressBlock(address), start));
    };
    const start = () => {
      if (socket.destroyed) return;
      stop();
      socket.unshift(first.release());
      accept();
    };
    const stop = () => {
      socket.setTimeout(0);
      socket.off('readable', more).off('end', hungUp).off('timeout', late).off('error', broke).off('close', gone);
      // The connection may break before the handshake starts; then there is nothing to do.
      socket.on('error', ignore);
    };
    const gone = () => void first.release();
    socket.setTimeout(firstRecordMs);
    socket.on('readable', more).on('end', hungUp).on('timeout', late).on('error', broke).on('close', gone);
  });
}

/** A shared listener: a closure would stay in memory as long as the connection is open. */
const ignore = (): void => {};

/**
 * Calls `act` before the server's own connection listeners; `accept` passes the connection on to
 * them.
 */
export function inFront(server: Server, act: (socket: Socket, accept: () => void) => void): void {
  const behind = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) =>
    act(socket, () => {
      for (const listener of behind) listener.call(server, socket);
    }),
  );
}
