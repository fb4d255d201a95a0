import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What happens to each connection: it is passed on, closed after its tenth byte, or accepted and
 * left without an answer, not even to the TLS handshake.
 */
export type Way = 'passes' | 'closes at the tenth byte' | 'never answers';

/** Stands between a box and its cloud. */
export class BadWay implements AsyncDisposable {
  way: Way = 'passes';
  /** How many connections there were. */
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(to: number) {
    this.#server = createServer(socket => this.#meet(socket, to));
  }

  static async to(port: number): Promise<BadWay> {
    const way = new BadWay(port);
    await once(way.#server.listen(0, '127.0.0.1'), 'listening');
    return way;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on; what is open is closed. */
  become(way: Way): void {
    this.way = way;
    this.connections = 0;
    for (const socket of this.#sockets) socket.destroy();
  }

  #meet(socket: Socket, to: number): void {
    this.connections++;
    this.#keep(socket);
    if (this.way === 'never answers') {
      socket.resume();
      return;
    }
    const onwards = connect(to, '127.0.0.1');
    this.#keep(onwards);
    socket.on('close', () => onwards.destroy());
    onwards.on('close', () => socket.destroy());
    if (this.way === 'passes') {
      socket.pipe(onwards);
      onwards.pipe(socket);
      return;
    }
    let left = 10;
    socket.on('data', (bytes: Buffer) => {
      onwards.write(bytes.subarray(0, left));
      left -= bytes.length;
      if (left <= 0) socket.destroy();
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
