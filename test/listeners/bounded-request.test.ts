import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { BoundedRequest, heldBodies } from '../../src/listeners/bounded-request.ts';
import { listenFew, serveRouter } from '../../src/listeners/index.ts';
import { HandClock } from '../support/clock.ts';
import { until } from '../support/until.ts';

const byte = '1\r\nx\r\n';

test('a body of 60,000 chunks of one byte is held in one buffer, counted, read whole and released', async () => {
  const routes = new Hono();
  routes.post('/', async context => context.text(String((await context.req.text()).length)));
  const served = serveRouter(() => routes);
  const clock = new HandClock();
  await using listener = await listenFew('test', { host: '127.0.0.1', port: 0 }, { served, clock, slow: () => {} });
  const pushed = vi.spyOn(Readable.prototype, 'push');
  const pieces = () =>
    pushed.mock.calls.filter((call, n) => pushed.mock.contexts[n] instanceof BoundedRequest && call[0]).length;
  const socket = connect(Number(listener.address.split(':')[1]), '127.0.0.1');
  let said = '';
  socket.on('data', chunk => {
    said += chunk;
  });
  socket.write('POST / HTTP/1.1\r\nHost: box\r\nTransfer-Encoding: chunked\r\n\r\n');
  socket.write(byte.repeat(60_000));
  await until('all of it is held', () => heldBodies.bytes.strangers === 64 << 10);
  expect(pieces()).toBe(0);
  socket.write('0\r\n\r\n');
  await until('it is answered', () => said.endsWith('60000'));
  expect(pieces()).toBe(1);
  expect(heldBodies.bytes.strangers).toBe(0);
  const gone = connect(Number(listener.address.split(':')[1]), '127.0.0.1');
  gone.write(`POST / HTTP/1.1\r\nHost: box\r\nTransfer-Encoding: chunked\r\n\r\n${byte}`);
  await until('it is counted', () => heldBodies.bytes.strangers > 0);
  gone.destroy();
  await until('it is released', () => heldBodies.bytes.strangers === 0);
  socket.destroy();
  pushed.mockRestore();
});

test('nothing is counted of a body that goes on after its answer', async () => {
  const routes = new Hono();
  routes.post('/', context => {
    // Consumed, so that Node does not discard the rest by itself.
    void context.req.raw.body?.getReader().read();
    return context.text('enough');
  });
  const served = serveRouter(() => routes);
  const clock = new HandClock();
  await using listener = await listenFew('test', { host: '127.0.0.1', port: 0 }, { served, clock, slow: () => {} });
  const socket = connect(Number(listener.address.split(':')[1]), '127.0.0.1');
  let said = '';
  socket.on('data', chunk => {
    said += chunk;
  });
  socket.write(`POST / HTTP/1.1\r\nHost: box\r\nTransfer-Encoding: chunked\r\n\r\n${byte}`);
  await until('it is answered', () => said.endsWith('enough'));
  socket.write(`${byte.repeat(5000)}0\r\n\r\n`);
  socket.write('GET /next HTTP/1.1\r\nHost: box\r\n\r\n');
  await until('the next request is answered', () => said.includes('404'));
  expect(heldBodies.bytes.strangers).toBe(0);
  socket.destroy();
});
