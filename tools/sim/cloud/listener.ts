import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/**
 * A port that can be closed with all its connections, as when a line is cut, and opened again under
 * the same number.
 */
export class Listener {
  readonly #make: () => Server;
  readonly #host: string;
  #port: number;
  #server: Server | null = null;
  readonly #sockets = new Set<Socket>();

  /** `address` is `host:port`; port 0 picks a free one, which it keeps. */
  constructor(address: string, tls: { cert: string; key: string } | null, serve: (socket: Socket) => void) {
    const colon = address.lastIndexOf(':');
    this.#host = address.slice(0, colon).replace(/^\[|\]$/g, '');
    this.#port = Number(address.slice(colon + 1));
    this.#make = () =>
      (tls ? createTlsServer(tls, serve).on('tlsClientError', () => {}) : createServer(serve)).on(
        'connection',
        (socket: Socket) => {
          this.#sockets.add(socket);
          socket.setNoDelay(true);
          socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
        },
      );
  }

  get address(): string {
    return `${this.#host.includes(':') ? `[${this.#host}]` : this.#host}:${this.#port}`;
  }

  async open(): Promise<void> {
    if (this.#server) return;
    const server = this.#make();
    this.#server = server;
    server.listen(this.#port, this.#host);
    await once(server, 'listening');
    const bound = server.address();
    if (typeof bound === 'object' && bound) this.#port = bound.port;
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    this.hangUp();
    await closed;
  }

  /** Ends the open connections; new ones are accepted. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
