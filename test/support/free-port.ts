import { once } from 'node:events';
import { createServer } from 'node:net';

/** A TCP port of loopback that nobody listens on, for a program that is told one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
