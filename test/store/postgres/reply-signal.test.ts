import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { awaitReply, replySignal, signalReply } from '../../../src/store/postgres/bridge-messages.ts';

test('a reply that was signalled is there at once, and once', () => {
  const signal = replySignal();
  signalReply(signal);
  expect(awaitReply(signal, 1000)).toBe(true);
  expect(awaitReply(signal, 0)).toBe(false);
});

test('whoever is woken by the end of the signal before sleeps on', async () => {
  const signal = replySignal();
  const looks = new Int32Array(new SharedArrayBuffer(4));
  // Wakes it again and again without a reply, and at last with one.
  const other = new Worker(
    `const { signal, looks } = require('node:worker_threads').workerData;
     for (let woken = 0; woken < 20; ) woken += Atomics.notify(signal, 0);
     Atomics.store(looks, 0, 20);
     Atomics.store(signal, 0, 1);
     Atomics.notify(signal, 0);`,
    { eval: true, workerData: { signal, looks } },
  );
  const ended = once(other, 'exit');
  expect(awaitReply(signal, 30_000)).toBe(true);
  expect(Atomics.load(looks, 0)).toBe(20);
  await ended;
});
