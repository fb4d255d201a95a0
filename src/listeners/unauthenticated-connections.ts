import type { Socket } from 'node:net';
import { addressBlock } from '../runtime/address-block.ts';

interface ConnectionBounds {
  /** Connections from one address that have not logged in. */
  readonly ofOneAddress: number;
  /** The same, of all addresses together. */
  readonly inAll: number;
  /**
   * Connections that have logged in as devices. Further devices stay counted as unauthenticated.
   */
  readonly devices: number;
}

/** A TLS socket, and the TCP socket below it. */
type Layered = object & { readonly _parent?: object | null };

/** The TCP socket, also when `stream` is the TLS socket on top of it. */
const underneath = (stream: object): object => (stream as Layered)._parent ?? stream;

/**
 * Counts and limits the connections that have not logged in, by address block (`addressBlock`) and
 * in total. They are counted from the first TCP packet on, because each holds memory and an open
 * file.
 *
 * When an address has too many, its new connections are refused until one of them logs in or ends.
 * When there are too many in total, the address with the most loses its newest connection to an
 * address with fewer. So many connections from a few places cannot keep out a client from
 * elsewhere.
 */
export class UnauthenticatedConnections {
  readonly #bounds: ConnectionBounds;
  readonly #refused: (address: string, why: string) => void;
  readonly #byAddress = new Map<string, Set<Socket>>();
  /** The address block of each unauthenticated connection. */
  readonly #blocks = new Map<object, string>();
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
      forget(this);
      devices.delete(this);
    };
  }

  get count(): number {
    return this.#blocks.size;
  }

  /**
   * Counts a new connection until it logs in or ends. Returns false if there are too many; the
   * connection is then closed.
   */
  admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? '';
    const block = addressBlock(address);
    const own = this.#byAddress.get(block)?.size ?? 0;
    if (own >= this.#bounds.ofOneAddress) {
      this.#close(socket, `${own} from this address`);
      return false;
    }
    if (this.count >= this.#bounds.inAll) {
      const most = this.#fullest();
      if (most.size <= own + 1) {
        this.#close(socket, `${this.count} from all addresses`);
        return false;
      }
      const newest = [...most].at(-1)!;
      this.#close(newest, `${this.count} from all addresses, most of them from this one`);
      this.#forget(newest);
    }
    const connections = this.#byAddress.get(block);
    if (connections) connections.add(socket);
    else this.#byAddress.set(block, new Set([socket]));
    this.#blocks.set(socket, block);
    socket.on('close', this.#closed);
    return true;
  }

  /**
   * Stops counting the connection as unauthenticated. A device's connection is counted against the
   * bound of devices instead.
   */
  loggedIn(stream: object, as: 'device' | 'person'): void {
    const socket = underneath(stream) as Socket;
    if (!this.#blocks.has(socket)) return;
    if (as === 'device') {
      if (this.#devices.size >= this.#bounds.devices) return;
      this.#devices.add(socket);
    }
    this.#forget(socket);
  }

  isUnauthenticated(stream: object): boolean {
    return this.#blocks.has(underneath(stream));
  }

  #close(socket: Socket, why: string): void {
    this.#refused(socket.remoteAddress ?? '', why);
    socket.destroy();
  }

  #forget(socket: Socket): void {
    const block = this.#blocks.get(socket);
    if (block === undefined) return;
    this.#blocks.delete(socket);
    const connections = this.#byAddress.get(block)!;
    connections.delete(socket);
    if (connections.size === 0) this.#byAddress.delete(block);
  }

  #fullest(): ReadonlySet<Socket> {
    let most: ReadonlySet<Socket> = new Set();
    for (const connections of this.#byAddress.values()) if (connections.size > most.size) most = connections;
    return most;
  }
}
