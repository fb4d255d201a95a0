import type { Socket } from 'node:net';
import { addressBlock } from '../runtime/address-block.ts';
import { ConnectionsByAddress } from './connections-by-address.ts';

interface ConnectionBounds {
  /** Connections from one address that have not logged in. */
  readonly ofOneAddress: number;
  /** Those of all addresses together that may log in at the same time. */
  readonly loggingIn: number;
  /** The same, with those that wait until they may. */
  readonly inAll: number;
  /**
   * Connections that have logged in as devices. Further devices stay counted as unauthenticated.
   */
  readonly devices: number;
  /** Those that wait have files of their own, and do not use those of devices. Absent: they do. */
  readonly waitApart?: boolean;
}

/** A TLS socket, and the TCP socket below it. */
type Layered = object & { readonly _parent?: object | null };

/** The TCP socket, also when `stream` is the TLS socket on top of it. */
const underneath = (stream: object): object => (stream as Layered)._parent ?? stream;

/**
 * Counts and limits the connections that have not logged in, by address block (`addressBlock`) and
 * in total:
 *
 *     admit ─▶ silent ── whenPlace ──▶ waits ── a place is free ──▶ logs in ── loggedIn ──▶ device
 *
 * A connection is counted from its first TCP packet on, because it holds an open file. Until it has
 * a place it costs a few KiB, so thousands may wait: all devices of a site, when power returns. A
 * handshake or an unfinished login costs about 70 KiB, so there are fewer places for these.
 *
 * When an address has too many, its new connections are refused until one of them logs in or ends.
 * When there are too many in total, or no place is free, the address with the most loses its newest
 * connection to an address with fewer; in total, also the oldest that has sent nothing gives way.
 * So neither many connections from a few places nor silent ones from many keep out a client from
 * elsewhere.
 */
export class UnauthenticatedConnections {
  readonly #bounds: ConnectionBounds;
  readonly #refused: (address: string, why: string) => void;
  readonly #all = new ConnectionsByAddress();
  readonly #loggingIn = new ConnectionsByAddress();
  /** They have no place and do not wait for one. The oldest stands first. */
  readonly #silent = new Set<Socket>();
  readonly #waiting = new ConnectionsByAddress();
  /** Start function of each waiting connection. */
  readonly #starts = new Map<Socket, () => void>();
  /** Connections that have logged in as devices. */
  readonly #devices = new Set<Socket>();
  /**
   * A shared listener: a closure for each connection would stay in memory as long as the device is
   * connected.
   */
  readonly #closed: (this: Socket) => void;

  constructor(bounds: ConnectionBounds, refused: (address: string, why: string) => void) {
    this.#bounds = bounds;
    this.#refused = refused;
    const forget = (socket: Socket) => this.#forget(socket);
    const devices = this.#devices;
    this.#closed = function () {
      devices.delete(this);
      forget(this);
    };
  }

  get count(): number {
    return this.#all.size;
  }

  /**
   * Counts a new connection until it logs in or ends. Returns false if there are too many; the
   * connection is then closed.
   */
  admit(socket: Socket): boolean {
    const block = addressBlock(socket.remoteAddress ?? '');
    const own = this.#all.from(block);
    if (own >= this.#bounds.ofOneAddress) return this.refuse(socket, `${own} from this address`);
    if (this.#isFull() && !this.#makeRoom(own)) return this.refuse(socket, `${this.count} from all addresses`);
    this.#all.add(block, socket);
    this.#silent.add(socket);
    socket.on('close', this.#closed);
    return true;
  }

  /** Gives an admitted connection a place at once. Closes it and returns false if none is free. */
  takePlace(socket: Socket): boolean {
    const block = addressBlock(socket.remoteAddress ?? '');
    if (!this.#hasPlace(block)) return this.refuse(socket, `${this.#loggingIn.size} from all addresses`);
    this.#place(block, socket);
    return true;
  }

  /** Calls `start` when an admitted connection has a place, unless it has ended by then. */
  whenPlace(socket: Socket, start: () => void): void {
    // Closed ones are not counted any more.
    if (!this.#silent.delete(socket)) return;
    const block = addressBlock(socket.remoteAddress ?? '');
    if (this.#hasPlace(block)) {
      this.#place(block, socket);
      start();
      return;
    }
    this.#waiting.add(block, socket);
    this.#starts.set(socket, start);
  }

  /**
   * Stops counting the connection as unauthenticated. A device's connection is counted against the
   * bound of devices instead.
   */
  loggedIn(stream: object, as: 'device' | 'person'): void {
    const socket = underneath(stream) as Socket;
    if (!this.#all.has(socket)) return;
    if (as === 'device') {
      if (this.#devices.size >= this.#bounds.devices) return;
      this.#devices.add(socket);
    }
    this.#forget(socket);
  }

  isUnauthenticated(stream: object): boolean {
    return this.#all.has(underneath(stream));
  }

  /** Closes a connection; `why` is for staff. */
  refuse(socket: Socket, why: string): false {
    this.#close(socket, why);
    return false;
  }

  /** Those that wait use the room of devices that are not connected, or have their own. */
  #isFull(): boolean {
    const { inAll, devices, loggingIn, waitApart } = this.#bounds;
    if (waitApart) return this.count >= inAll;
    return this.count >= Math.min(inAll, loggingIn + devices - this.#devices.size);
  }

  /** For an address that has `own`. */
  #makeRoom(own: number): boolean {
    const newest = this.#all.newestOfMoreThan(own + 1);
    const [oldestSilent] = this.#silent;
    if (newest) this.#close(newest, `${this.count} from all addresses, most of them from this one`);
    else if (oldestSilent) this.#close(oldestSilent, `${this.count} from all addresses, and it has sent nothing`);
    return newest !== null || oldestSilent !== undefined;
  }

  /** Takes one from another address where that is due. */
  #hasPlace(block: string): boolean {
    const { size } = this.#loggingIn;
    if (size < this.#bounds.loggingIn) return true;
    const newest = this.#loggingIn.newestOfMoreThan(this.#loggingIn.from(block) + 1);
    if (newest) this.#close(newest, `${size} from all addresses, most of them from this one`);
    return newest !== null;
  }

  #place(block: string, socket: Socket): void {
    this.#silent.delete(socket);
    this.#loggingIn.add(block, socket);
  }

  /** Its place stays free for whom it was closed for. */
  #close(socket: Socket, why: string): void {
    this.#refused(socket.remoteAddress ?? '', why);
    this.#remove(socket);
    socket.destroy();
  }

  #remove(socket: Socket): void {
    this.#all.delete(socket);
    this.#silent.delete(socket);
    this.#waiting.delete(socket);
    this.#starts.delete(socket);
    this.#loggingIn.delete(socket);
  }

  /** Gives its place to the next that waits. */
  #forget(socket: Socket): void {
    this.#remove(socket);
    while (this.#loggingIn.size < this.#bounds.loggingIn) {
      const next = this.#waiting.takeNext();
      if (!next) return;
      const start = this.#starts.get(next[1])!;
      this.#starts.delete(next[1]);
      this.#place(...next);
      start();
    }
  }
}
