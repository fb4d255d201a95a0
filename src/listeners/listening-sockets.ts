import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Address } from '../runtime/address.ts';

/** Connections that the kernel accepts for each socket before the box takes them. */
const backlog = 1024;

/**
 * Listens at the address with so many sockets. Node accepts one connection of a socket in a turn of
 * its event loop; when thousands of devices come back the turns are long, so with one socket the
 * kernel would have to turn connections away. It shares them out among sockets with SO_REUSEPORT.
 * Rejects with the system's error, also when another program listens there.
 */
export async function listenWith(server: Server, sockets: number, { host, port }: Address): Promise<Disposable> {
  const reusePort = sockets > 1 && process.platform === 'linux';
  // Beside sockets that share a port one more could listen unnoticed: another box, for example.
  if (reusePort && port !== 0) await tryAlone({ host, port });
  server.listen({ host, port, backlog, reusePort });
  await once(server, 'listening');
  const bound = server.address();
  const others: Server[] = [];
  if (reusePort && bound !== null && typeof bound === 'object')
    for (let number = 1; number < sockets; number++) {
      const other = createServer({ noDelay: true }, (socket: Socket) => void server.emit('connection', socket));
      other.maxConnections = server.maxConnections;
      other.on('drop', from => server.emit('drop', from));
      other.listen({ host, port: bound.port, backlog, reusePort });
      others.push(other);
      await once(other, 'listening');
    }
  return {
    [Symbol.dispose]: () => {
      for (const other of others) other.close();
    },
  };
}

async function tryAlone(address: Address): Promise<void> {
  const alone = createServer().listen(address);
  await once(alone, 'listening');
  alone.close();
  await once(alone, 'close');
}
