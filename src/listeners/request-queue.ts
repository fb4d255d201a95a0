import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressBlock } from '../runtime/address-block.ts';
import type { Clock } from '../runtime/clock.ts';
import { HandshakeQueue } from './accept.ts';

/** Requests that a client sends ahead of the answers: no browser and no library sends any. */
const aheadMax = 16;
/** The same of all connections together that have not logged in: a request takes 4 to 20 KiB. */
const aheadOfStrangersMax = 2000;

interface Connection {
  /** Starts what was sent ahead, in order. */
  readonly ahead: (() => void)[];
  /** How many of these count in the bound of strangers. */
  counted: number;
  isBusy: boolean;
}

interface RequestQueueOptions {
  /** Whether nobody has logged in over the connection. */
  readonly isStranger: (socket: Socket) => boolean;
  /** Requests of strangers that wait for their turn. */
  readonly queue: HandshakeQueue;
  /** Connections that send tiny chunks. */
  readonly reads: HandshakeQueue;
  /** Called when a connection was ended because it sent too many requests ahead. */
  readonly ended: (address: string, why: string) => void;
}

/**
 * Serves one request of a connection at a time. Requests of connections over which nobody has
 * logged in take turns by address block, in the share of the event loop that `HandshakeQueue`
 * leaves them; devices and people who have logged in are served at once.
 *
 * Node parses all requests that a read of 64 KiB contains and begins each at once: a client that
 * sends thousands ahead would hold up everybody else. Here its connection is not read further until
 * those that it sent are answered, and is ended when it sent more than 16 ahead.
 */
export class RequestQueue {
  readonly #options: RequestQueueOptions;
  readonly #connections = new WeakMap<Socket, Connection>();
  /** A shared listener: connections that send nothing ahead have none. */
  readonly #closed: (this: Socket) => void;
  #aheadOfStrangers = 0;

  /** Whether nobody has logged in over the connection. */
  get isStranger(): (socket: Socket) => boolean {
    return this.#options.isStranger;
  }

  constructor(options: RequestQueueOptions) {
    this.#options = options;
    const forget = (socket: Socket) => {
      const connection = this.#connections.get(socket);
      this.#aheadOfStrangers -= connection?.counted ?? 0;
      this.#connections.delete(socket);
    };
    this.#closed = function () {
      forget(this);
    };
  }

  /** Calls `serve` when it is the request's turn, unless the connection has ended by then. */
  take(request: IncomingMessage, response: ServerResponse, serve: RequestListener): void {
    const { socket } = request;
    if (socket.destroyed) return;
    let connection = this.#connections.get(socket);
    if (!connection) {
      connection = { ahead: [], counted: 0, isBusy: false };
      this.#connections.set(socket, connection);
    }
    const { ahead } = connection;
    const begin = () => this.#begin(connection, request, response, serve);
    if (!connection.isBusy) {
      begin();
      return;
    }
    const isStranger = this.#options.isStranger(socket);
    if (ahead.length >= aheadMax || (isStranger && this.#aheadOfStrangers >= aheadOfStrangersMax)) {
      ahead.length = 0;
      this.#options.ended(socket.remoteAddress ?? '', 'ahead');
      socket.destroy();
      return;
    }
    if (isStranger) {
      if (connection.counted === 0) socket.off('close', this.#closed).on('close', this.#closed);
      connection.counted++;
      this.#aheadOfStrangers++;
    }
    ahead.push(begin);
    socket.pause();
  }

  #begin(connection: Connection, request: IncomingMessage, response: ServerResponse, serve: RequestListener): void {
    const { socket } = request;
    connection.isBusy = true;
    // Comes after an answer, and when the connection ends before it.
    response.once('close', () => this.#next(connection, socket));
    const start = () => {
      if (!socket.destroyed) serve(request, response);
    };
    if (this.#options.isStranger(socket)) this.#options.queue.add(addressBlock(socket.remoteAddress ?? ''), start);
    else start();
  }

  /**
   * Calls `act` when a connection that sends tiny chunks may be read again, of whoever it is: one
   * read of it brings ten thousand, which take 15 ms.
   */
  readQueued(socket: Socket, act: () => void): void {
    this.#options.reads.add(addressBlock(socket.remoteAddress ?? ''), act);
  }

  #next(connection: Connection, socket: Socket): void {
    connection.isBusy = false;
    if (socket.destroyed) return;
    const next = connection.ahead.shift();
    if (!next) return;
    if (connection.counted > 0) {
      connection.counted--;
      this.#aheadOfStrangers--;
    }
    // Busy until then: what is read meanwhile comes after it.
    connection.isBusy = true;
    // In a turn of its own: a client that sends ahead leaves the loop to others in between.
    setImmediate(() => {
      if (connection.ahead.length === 0) socket.resume();
      next();
    });
  }
}

/** The part of each turn that requests of strangers may use in any case, in ms. */
const strangersShareMs = 1;

/** The turns of a listener. `slow` is called when a connection was ended. */
export const requestQueue = (
  { clock, slow }: { readonly clock: Clock; readonly slow: (address: string, why: string) => void },
  isStranger: (socket: Socket) => boolean,
): RequestQueue =>
  new RequestQueue({
    isStranger,
    queue: new HandshakeQueue(clock, { leastMs: strangersShareMs }),
    reads: new HandshakeQueue(clock, { most: 1 }),
    ended: slow,
  });
