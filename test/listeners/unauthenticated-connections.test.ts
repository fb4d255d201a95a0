import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { admitOnly } from '../../src/listeners/accept.ts';
import { UnauthenticatedConnections } from '../../src/listeners/unauthenticated-connections.ts';
import { until } from '../support/until.ts';

const bounds = { ofOneAddress: 4, loggingIn: 10, inAll: 10, devices: 3 };

/** A listener on the loopback that is reached from any address of it. */
async function aListener() {
  const refused: string[] = [];
  const served: Socket[] = [];
  const unauthenticated = new UnauthenticatedConnections(bounds, (address, why) => refused.push(`${address}: ${why}`));
  const server = createServer(socket => {
    socket.on('error', () => {});
    served.push(socket);
  });
  admitOnly(server, unauthenticated);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const clients: Socket[] = [];
  return {
    unauthenticated,
    refused,
    served,
    /**
     * Connects so many times, one after the other, and waits until the box has taken or refused
     * each.
     */
    async come(address: string, count: number): Promise<Socket[]> {
      const come: Socket[] = [];
      for (let index = 0; index < count; index++) {
        const seen = served.length + refused.length;
        const socket = connect({
          host: '127.0.0.1',
          port: (server.address() as AddressInfo).port,
          localAddress: address,
        });
        socket.on('error', () => {}).resume();
        come.push(socket);
        clients.push(socket);
        await until('it is taken or refused', () => served.length + refused.length > seen);
      }
      return come;
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy();
      for (const socket of served) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

test('the newest connection of an address that has too many is refused at once; others are served', async () => {
  await using listener = await aListener();
  const [first, , , , fifth] = await listener.come('127.0.0.2', 5);
  await until('it is closed', () => fifth!.closed);
  expect(first!.closed).toBe(false);
  expect(listener.refused).toEqual(['127.0.0.2: 4 from this address']);
  await listener.come('127.0.0.3', 1);
  expect(listener.served).toHaveLength(5);
});

test('one that has ended makes room for another', async () => {
  await using listener = await aListener();
  const [first] = await listener.come('127.0.0.2', 4);
  first!.destroy();
  await until('it has gone', () => listener.unauthenticated.count === 3);
  await listener.come('127.0.0.2', 1);
  expect([listener.served.length, listener.refused]).toEqual([5, []]);
});

test('devices that have logged in do not count, however many stand behind one address', async () => {
  await using listener = await aListener();
  for (let device = 0; device < 3; device++) {
    await listener.come('127.0.0.2', 1);
    listener.unauthenticated.loggedIn(listener.served.at(-1)!, 'device');
  }
  await listener.come('127.0.0.2', 4);
  expect([listener.served.length, listener.refused, listener.unauthenticated.count]).toEqual([7, [], 4]);
});

test('devices over their bound count as strangers still, so that they leave room for people', async () => {
  await using listener = await aListener();
  for (let device = 0; device < 5; device++) {
    await listener.come('127.0.0.2', 1);
    listener.unauthenticated.loggedIn(listener.served.at(-1)!, 'device');
  }
  expect(listener.unauthenticated.count).toBe(2);
  await listener.come('127.0.0.3', 1);
  listener.unauthenticated.loggedIn(listener.served.at(-1)!, 'person');
  expect(listener.unauthenticated.count).toBe(2);
});

test('when strangers of few addresses fill the box, one of another address takes the place of the newest of those', async () => {
  await using listener = await aListener();
  await listener.come('127.0.0.2', 4);
  const others = await listener.come('127.0.0.3', 3);
  await listener.come('127.0.0.4', 3);
  const before = listener.served.length;
  const [staff] = await listener.come('127.0.0.9', 1);
  await until('staff are served', () => listener.served.length === before + 1);
  expect(staff!.closed).toBe(false);
  expect(listener.refused).toEqual(['127.0.0.2: 10 from all addresses, most of them from this one']);
  expect(others.some(one => one.closed)).toBe(false);
  expect(listener.unauthenticated.count).toBe(10);
});

test('when each address has its share, the newest is refused', async () => {
  await using listener = await aListener();
  for (let host = 2; host < 12; host++) await listener.come(`127.0.0.${host}`, 1);
  const [late] = await listener.come('127.0.0.50', 1);
  await until('it is closed', () => late!.closed);
  expect(listener.refused).toEqual(['127.0.0.50: 10 from all addresses']);
});
