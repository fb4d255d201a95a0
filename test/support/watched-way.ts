import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What holds no record: PINGREQ and DISCONNECT of MQTT, and the pull for messages over HTTP. */
const isIdle = (bytes: Buffer) =>
  (bytes.length === 2 && (bytes[0] === 0xc0 || bytes[0] === 0xe0)) || bytes.toString('latin1', 0, 4) === 'GET ';

/** Stands between a box and its cloud, and says when the box sends. */
export class WatchedWay implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(to: number, onSent: () => void) {
    this.#server = createServer(socket => this.#meet(socket, connect(to, '127.0.0.1'), onSent));
  }

  static async to(port: number, onSent: () => void): Promise<WatchedWay> {
    const way = new WatchedWay(port, onSent);
    await once(way.#server.listen(0, '127.0.0.1'), 'listening');
    return way;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #meet(socket: Socket, onwards: Socket, onSent: () => void): void {
    for (const [one, other] of [
      [socket, onwards],
      [onwards, socket],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
    socket.on('data', (bytes: Buffer) => {
      if (!isIdle(bytes)) onSent();
    });
    socket.pipe(onwards);
    onwards.pipe(socket);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
