import type { Socket } from 'node:net';
import { addressBlock } from '../runtime/address-block.ts';

interface ConnectionBounds {
  /** Connections of one address that have not logged in. */
  readonly ofOneAddress: number;
  /** Of all addresses together. */
  readonly inAll: number;
  /** Connections that have logged in as devices; more of them go on being counted as strangers. */
  readonly devices: number;
}

/** What else a TLS connection has: the TCP connection that it came over. */
type Layered = object & { readonly _parent?: object | null };

/** The TCP connection itself, also where `stream` is the TLS connection over it. */
const underneath = (stream: object): object => (stream as Layered)._parent ?? stream;

/**
 * Counts the connections that have not logged in, from the first packet of TCP on, by address
 * (`addressBlock`) and in all: each of them holds memory and an open file, and nobody knows whose
 * it is. An address that has too many gets no more until one of them logs in or ends: its newest is
 * refused. When there are too many in all, the address that has most gives its newest up for one
 * that has fewer, so that many strangers from few places do not keep out somebody who comes from
 * elsewhere.
 */
export class UnauthenticatedConnections {
  readonly #bounds: ConnectionBounds;
  readonly #refused: (address: string, why: string) => void;
  readonly #byAddress = new Map<string, Set<Socket>>();
  /** The address block of each connection that has not logged in. */
  readonly #blocks = new Map<object, string>();
  /** Connections that have logged in as devices. */
  readonly #devices = new Set<Socket>();
  /** One listener for all: a closure for each connection would be held as long as the device is. */
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
   * Counts a new connection until it logs in or ends. False: there are too many, and it was closed.
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
   * This connection has logged in: it is no stranger any more. A device's is counted among those of
   * devices.
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
