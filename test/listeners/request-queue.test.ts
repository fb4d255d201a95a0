import { type AddressInfo, BlockList, connect, type Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import { afterEach, expect, test } from 'vitest';
import { type Listener, listenHttp } from '../../src/listeners/listen.ts';
import type { Served } from '../../src/listeners/served.ts';
import { UnauthenticatedConnections } from '../../src/listeners/unauthenticated-connections.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { until } from '../support/until.ts';

/** One request of a connection at a time, and strangers in turns. */

const open: (Socket | Listener)[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) {
    if ('destroy' in one) one.destroy();
    else await one[Symbol.asyncDispose]();
  }
});

/** A listener at which each request takes a millisecond of its clock, and `/in` is a login. */
async function aListener(held?: Promise<unknown>) {
  const asked: string[] = [];
  /** The box's sides of the connections. */
  const sockets = new Set<Socket>();
  const ended: string[] = [];
  const running = { now: 0, most: 0 };
  const bounds = { ofOneAddress: 256, loggingIn: 256, inAll: 256, devices: 10 };
  const unauthenticated = new UnauthenticatedConnections(bounds, () => {});
  const served: Served = {
    direct: () => null,
    async fetch(request, environment) {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      sockets.add((environment as HttpBindings).incoming.socket);
      running.most = Math.max(running.most, ++running.now);
      if (pathname === '/in') unauthenticated.loggedIn((environment as HttpBindings).incoming.socket, 'person');
      await held;
      running.now--;
      return new Response(pathname);
    },
    routes: () => [],
    bound: () => ({ bytesMax: 1 << 20, word: 'too_large' }),
  };
  const clock = { ...realClock, sleep: realClock.sleep.bind(realClock), monotonic: () => asked.length };
  const listener = await listenHttp(
    'http',
    { host: '127.0.0.1', port: 0 },
    { unauthenticated, connectionsMax: 1000, proxies: new BlockList(), full: () => {} },
    { served, clock, slow: (address, why) => ended.push(`${address} ${why}`) },
  );
  open.push(listener);
  const port = Number(listener.address.split(':')[1]) satisfies AddressInfo['port'];
  return {
    asked,
    sockets,
    ended,
    running,
    client(address = '127.0.0.1') {
      const socket = connect({ host: '127.0.0.1', port, localAddress: address });
      open.push(socket.on('error', () => {}));
      let said = '';
      socket.setEncoding('latin1').on('data', text => {
        said += text;
      });
      return {
        socket,
        ask: (...paths: string[]) =>
          socket.write(paths.map(path => `GET ${path} HTTP/1.1\r\nHost: box\r\n\r\n`).join('')),
        answers: () => [...said.matchAll(/\r\n\r\n(\/[a-z]+\d*)/g)].map(([, path]) => path),
      };
    },
  };
}

const paths = (count: number, name = 'r') => Array.from({ length: count }, (_, at) => `/${name}${at}`);

test('requests that a client sends ahead are served one at a time and in order', async () => {
  const listener = await aListener();
  const client = listener.client();
  client.ask(...paths(16));
  await until('all are answered', () => client.answers().length === 16);
  expect(client.answers()).toEqual(paths(16));
  expect(listener.running.most).toBe(1);
  client.ask(...paths(16, 's'));
  await until('those after them too', () => client.answers().length === 32);
  expect([listener.running.most, listener.ended]).toEqual([1, []]);
});

test('a client that sends thousands ahead is ended, and one of them was begun', async () => {
  const hold = Promise.withResolvers<void>();
  const listener = await aListener(hold.promise);
  const client = listener.client();
  client.ask(...paths(2000));
  await until('it is ended', () => client.socket.closed);
  hold.resolve();
  expect(listener.ended[0]).toBe('127.0.0.1 ahead');
  expect(listener.asked.length).toBeLessThanOrEqual(1);
});

test('strangers together begin two requests in a turn of the event loop, however many wait', async () => {
  const listener = await aListener();
  const first = listener.client();
  first.ask('/first');
  await until('the adapter is loaded', () => first.answers().length === 1);
  const begunInTurn: number[] = [];
  let before = listener.asked.length;
  let isOver = false;
  const watch = () => {
    begunInTurn.push(listener.asked.length - before);
    before = listener.asked.length;
    if (!isOver) setImmediate(watch);
  };
  const flood = Array.from({ length: 20 }, () => listener.client('127.0.0.2'));
  for (const client of flood) client.ask(...paths(16));
  setImmediate(watch);
  await until('all are answered', () => flood.every(client => client.answers().length === 16));
  isOver = true;
  expect(Math.max(...begunInTurn)).toBeLessThanOrEqual(4);
});

test('the only request of an address, and that of somebody who has logged in, do not wait for a flood', async () => {
  const listener = await aListener();
  const person = listener.client('127.0.0.3');
  person.ask('/in');
  await until('the person is in', () => person.answers().length === 1);
  const flood = Array.from({ length: 40 }, () => listener.client('127.0.0.2'));
  for (const client of flood) client.ask(...paths(16));
  await until('the flood has begun', () => listener.asked.length > 10);
  person.ask('/person');
  listener.client('127.0.0.4').ask('/other');
  await until('both are served', () => listener.asked.includes('/person') && listener.asked.includes('/other'));
  expect(listener.asked.indexOf('/person')).toBeLessThan(400);
  expect(listener.asked.indexOf('/other')).toBeLessThan(400);
});

test('of all connections that send chunks of one byte, one is read in a turn of the event loop', async () => {
  const never = Promise.withResolvers<void>();
  const listener = await aListener(never.promise);
  const body = '1\r\nx\r\n'.repeat(60_000);
  const clients = Array.from({ length: 12 }, () => listener.client());
  for (const { socket } of clients)
    socket.write(`POST /p HTTP/1.1\r\nHost: box\r\nTransfer-Encoding: chunked\r\n\r\n${body}`);
  const read = () => [...listener.sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  /** More than the first reads, before a connection is known to send such chunks. */
  const whole = body.length * clients.length;
  let most = 0;
  for (let before = 0, now = 0; before < whole / 2; before = now) {
    await new Promise(resolve => setImmediate(resolve));
    now = read();
    if (before > 64 * 1024 * clients.length) most = Math.max(most, now - before);
  }
  // Node reads 64 KiB at a time.
  expect(most).toBeLessThanOrEqual(2 * (64 << 10));
  never.resolve();
});
