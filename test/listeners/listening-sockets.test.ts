import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { listenWith } from '../../src/listeners/listening-sockets.ts';

const loopback = { host: '127.0.0.1', port: 0 };

/** A server with so many sockets; `accepted` grows with each connection. */
async function aServer(sockets: number) {
  const accepted: Socket[] = [];
  const server = createServer(socket => accepted.push(socket.on('error', () => {})));
  const others = await listenWith(server, sockets, loopback);
  const clients: Socket[] = [];
  const { port } = server.address() as AddressInfo;
  return {
    accepted,
    port,
    connect(): Socket {
      const client = connect(port, '127.0.0.1').on('error', () => {});
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of [...clients, ...accepted]) socket.destroy();
      others[Symbol.dispose]();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

test.each([
  [1, false],
  [8, true],
])('with %i sockets more than one connection is accepted in a turn of the event loop: %s', async (sockets, several) => {
  await using server = await aServer(sockets);
  const come = Array.from({ length: 64 }, () => server.connect());
  // The kernel has them all before the first is looked at.
  await Promise.all(come.map(client => once(client, 'connect')));
  let mostInATurn = 0;
  let before = server.accepted.length;
  while (server.accepted.length < 64) {
    await new Promise(resolve => setImmediate(resolve));
    mostInATurn = Math.max(mostInATurn, server.accepted.length - before);
    before = server.accepted.length;
  }
  expect(mostInATurn > 1).toBe(several);
});

test('while a server listens no other can listen there, with however many sockets', async () => {
  await using server = await aServer(8);
  for (const sockets of [1, 8])
    await expect(listenWith(createServer(), sockets, { ...loopback, port: server.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
});

test('when a server is closed nobody listens, and another may at once', async () => {
  let port: number;
  {
    await using server = await aServer(8);
    ({ port } = server);
  }
  const [error] = await once(connect(port, '127.0.0.1'), 'error');
  expect(error.code).toBe('ECONNREFUSED');
  const again = createServer();
  const others = await listenWith(again, 8, { ...loopback, port });
  others[Symbol.dispose]();
  await new Promise(resolve => again.close(resolve));
});
