import { connect, type Socket } from 'node:net';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { heldAnswers } from '../../src/listeners/answers.ts';
import { listenFew, serveRouter } from '../../src/listeners/index.ts';
import { HandClock } from '../support/clock.ts';
import { until } from '../support/until.ts';

const large = 24 << 20;

/** A listener whose `/large` answers 24 MiB, more than the system takes for a reader. */
async function aListener() {
  const clock = new HandClock();
  const ended: string[] = [];
  const begun: string[] = [];
  const routes = new Hono();
  routes.get('/large', context => {
    begun.push('/large');
    return context.body('x'.repeat(large));
  });
  routes.get('/:name', context => {
    begun.push(context.req.path);
    return context.text(`this is ${context.req.path}`);
  });
  const served = serveRouter(() => routes);
  const slow = (_address: string, why: string) => void ended.push(why);
  const listener = await listenFew('test', { host: '127.0.0.1', port: 0 }, { served, clock, slow });
  const clients: Socket[] = [];
  return {
    clock,
    begun,
    ended,
    /** Sends requests at once and reads nothing until it is resumed. */
    client(...paths: string[]) {
      const socket = connect(Number(listener.address.split(':')[1]), '127.0.0.1');
      clients.push(socket);
      const said = { text: '', isClosed: false };
      socket.on('error', () => {}).on('close', () => Object.assign(said, { isClosed: true }));
      socket.on('data', chunk => {
        said.text += chunk.toString('latin1');
      });
      socket.pause();
      socket.write(paths.map(path => `GET ${path} HTTP/1.1\r\nHost: box\r\n\r\n`).join(''));
      return { socket, said };
    },
    async [Symbol.asyncDispose]() {
      for (const socket of clients) socket.destroy();
      await listener[Symbol.asyncDispose]();
    },
  };
}

const strangersHold = () => heldAnswers.bytes.strangers;

test('a pipelined request is not begun before the answer to the one before has been read', async () => {
  await using box = await aListener();
  const { socket, said } = box.client('/large', '/second', '/third');
  await until('the first answer waits', () => strangersHold() > 0);
  expect(box.begun).toEqual(['/large']);
  socket.resume();
  await until('all are answered', () => said.text.endsWith('this is /third'));
  expect(box.begun).toEqual(['/large', '/second', '/third']);
  expect(said.text.match(/HTTP\/1.1 200/g)).toHaveLength(3);
  // No regular expression here: V8 runs out of stack on a text of this length now and then.
  const body = said.text.slice(said.text.indexOf('\r\n\r\n') + 4);
  expect(body.startsWith('x'.repeat(large))).toBe(true);
  expect(strangersHold()).toBe(0);
});

test('an answer that nobody reads is ended after 30 s', async () => {
  await using box = await aListener();
  const { socket, said } = box.client('/large');
  await until('it waits', () => strangersHold() > 0);
  // Two looks: what the system takes at the beginning is progress.
  for (let looked = 0; box.ended.length === 0; looked++) {
    expect(looked).toBeLessThan(20);
    await box.clock.advance(5000);
  }
  expect(box.ended).toEqual(['unread']);
  socket.resume();
  await until('it is closed', () => said.isClosed);
  await until('nothing is held', () => strangersHold() === 0);
});

test('what waits for all readers is bounded in bytes', async () => {
  await using box = await aListener();
  const clients = [1, 2, 3, 4].map(() => box.client('/large'));
  await until('all but one are closed', () => {
    expect(strangersHold()).toBeLessThanOrEqual(32 << 20);
    return box.begun.length === 4 && strangersHold() > 0;
  });
  const [oldest, ...others] = clients;
  for (const { socket } of clients) socket.resume();
  await until('the oldest has all', () => oldest!.said.text.length > large);
  expect(others.some(({ said }) => said.text.length < large)).toBe(true);
});
