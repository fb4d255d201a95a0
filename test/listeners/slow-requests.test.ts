import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { endSlowRequests, progressBytes } from '../../src/listeners/slow-requests.ts';
import { HandClock } from '../support/clock.ts';
import { until } from '../support/until.ts';

const answer: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end('done'));
};

/** A server under a clock that is turned by hand. */
async function aServer(serve: RequestListener = answer, isUnauthenticated = true) {
  const clock = new HandClock();
  const ended: string[] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url!);
    serve(request, response);
  });
  server.keepAliveTimeout = 0;
  server.headersTimeout = 0;
  const watch = endSlowRequests(
    server,
    clock,
    () => isUnauthenticated,
    (_address, why) => ended.push(why),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const sockets: Socket[] = [];
  server.on('connection', socket => sockets.push(socket));
  return {
    clock,
    ended,
    requests,
    /** What has come of all that was sent. */
    arrived: () => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0),
    async client() {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      let said = '';
      let sent = 0;
      socket.on('error', () => {});
      socket.on('data', chunk => {
        said += chunk;
      });
      const known = sockets.length;
      await until('it is accepted', () => sockets.length > known);
      const peer = sockets.at(-1)!;
      return {
        socket,
        said: () => said,
        async send(text: string) {
          sent += text.length;
          socket.write(text);
          await until('it has come', () => peer.bytesRead >= sent || peer.isPaused() || peer.readableLength > 0);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

const post = (length: number) => `POST /x HTTP/1.1\r\nHost: box\r\nContent-Length: ${length}\r\n\r\n`;

test('a body of which a byte comes every 29 s is ended, with 408', async () => {
  await using server = await aServer();
  const client = await server.client();
  await client.send(post(1000));
  await until('the request has begun', () => server.requests.length === 1);
  await client.send(' ');
  await server.clock.advance(29_000);
  await client.send(' ');
  expect(server.ended).toEqual([]);
  await server.clock.advance(6000);
  await until('it is closed', () => client.socket.closed);
  expect(server.ended).toEqual(['body']);
  expect(client.said()).toContain('408');
});

test('300 slow posts are all ended', async () => {
  await using server = await aServer();
  const clients = await Promise.all(Array.from({ length: 300 }, () => server.client()));
  for (const client of clients) client.socket.write(`${post(1000)} `);
  await until('all have begun', () => server.requests.length === 300);
  await server.clock.advance(36_000);
  await until('all are closed', () => clients.every(({ socket }) => socket.closed));
  expect(server.ended).toHaveLength(300);
});

test('an upload that goes on slowly may take an hour', async () => {
  await using server = await aServer();
  const client = await server.client();
  await client.send(post(progressBytes * 200));
  await until('the request has begun', () => server.requests.length === 1);
  for (let piece = 0; piece < 100; piece++) {
    await client.send('x'.repeat(progressBytes));
    await server.clock.advance(25_000);
  }
  expect(server.ended).toEqual([]);
});

test('a body that the box itself does not read on is not ended', async () => {
  await using server = await aServer(() => {});
  const client = await server.client();
  client.socket.write(post(10 << 20));
  client.socket.write('x'.repeat(10 << 20));
  await until('the request has begun', () => server.requests.length === 1);
  const before = server.arrived();
  await until('no more is read', () => server.arrived() === before || server.arrived() > 1 << 16);
  await server.clock.advance(300_000);
  expect(server.ended).toEqual([]);
});

test('an event stream is left alone', async () => {
  await using server = await aServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
  });
  const client = await server.client();
  await client.send('GET /live HTTP/1.1\r\nHost: box\r\n\r\n');
  await until('it streams', () => client.said().includes('data: 1'));
  await server.clock.advance(3600_000);
  expect([server.ended, client.socket.closed]).toEqual([[], false]);
});

test('a head that is not there 30 s after it began is ended, the first one and a later one', async () => {
  await using server = await aServer(answer, false);
  const first = await server.client();
  await first.send('GET /slow HTTP/1.1\r\nHost');
  const second = await server.client();
  await second.send('GET /quick HTTP/1.1\r\nHost: box\r\n\r\n');
  await until('it is answered', () => second.said().includes('done'));
  await server.clock.advance(10_000);
  await second.send('GET /slow');
  for (let byte = 0; byte < 5; byte++) {
    await server.clock.advance(8000);
    if (!first.socket.closed) first.socket.write('x');
    if (!second.socket.closed) second.socket.write('y');
  }
  await until('both are closed', () => first.socket.closed && second.socket.closed);
  expect(server.ended).toEqual(['head', 'head']);
});

test('a connection that says nothing is ended after 30 s', async () => {
  await using server = await aServer();
  const client = await server.client();
  await server.clock.advance(25_000);
  expect(client.socket.closed).toBe(false);
  await server.clock.advance(6000);
  await until('it is closed', () => client.socket.closed);
  expect(server.ended).toEqual(['silent']);
});

test('between two requests a stranger is waited for 15 s, and somebody who has logged in for longer', async () => {
  for (const isUnauthenticated of [true, false]) {
    await using server = await aServer(answer, isUnauthenticated);
    const client = await server.client();
    await client.send('GET / HTTP/1.1\r\nHost: box\r\n\r\n');
    await until('it is answered', () => client.said().includes('done'));
    await server.clock.advance(60_000);
    if (isUnauthenticated) await until('it is closed', () => client.socket.closed);
    expect([server.ended, client.socket.closed]).toEqual(isUnauthenticated ? [['idle'], true] : [[], false]);
  }
});
