import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { FromThread, JobFacts, ToThread } from '../../../src/attendance/reports-thread/messages.ts';
import { serveJobs } from '../../../src/attendance/reports-thread/serve-jobs.ts';
import { packLine } from '../../../src/attendance/schedules/frozen-month.ts';
import type { OwnReader } from '../../../src/store/index.ts';

const facts: JobFacts = {
  ...{ now: 0, site: { name: 'Plant 4', timezone: 'Asia/Shanghai' } },
  rules: { clock: 'as_said', nightOvertime: 'work_date', version: '1' },
  ...{ online: new Set(), calendar: new Map() },
};

/** The thread's side over a store whose closing never ends, each line as long as a piece. */
function aThread() {
  const packed = packLine('x'.repeat(64 << 10));
  let reads = 0;
  const read = {
    rowsOfPeriod: async () => {
      reads++;
      return Array.from({ length: 50 }, (_, id) => ({ id, packed }));
    },
  };
  const { port1: main, port2: thread } = new MessageChannel();
  serveJobs(thread, { read, devices: new Map(), forget() {}, close() {} } as unknown as OwnReader);
  const came: FromThread[] = [];
  main.on('message', (message: FromThread) => void came.push(message));
  const post = (message: ToThread) => main.postMessage(message);
  return {
    ...{ came, post },
    reads: () => reads,
    pieces: () => came.filter(({ kind }) => kind === 'piece').length,
    start: () => post({ kind: 'start', id: 1, name: 'lines', facts, asked: { id: 1, head: '{}', foot: '{}' } }),
    /** Whatever both sides have to do is done. */
    async settled() {
      for (let turn = 0; turn < 200; turn++) await setImmediate();
    },
    async [Symbol.asyncDispose]() {
      post({ kind: 'close' });
      await once(main, 'close');
    },
  };
}

test('a job waits with eight pieces that nobody has taken, and goes on by one for each that is', async () => {
  await using thread = aThread();
  thread.start();
  await thread.settled();
  expect(thread.pieces()).toBe(8);
  thread.post({ kind: 'taken', id: 1 });
  await thread.settled();
  expect(thread.pieces()).toBe(9);
  expect(thread.reads()).toBe(1);
});

test('a job of which nobody wants the rest ends, and reads no more', async () => {
  await using thread = aThread();
  thread.start();
  await thread.settled();
  thread.post({ kind: 'cancel', id: 1 });
  await thread.settled();
  expect(thread.came.at(-1)).toMatchObject({ kind: 'ended', id: 1 });
  expect(thread.pieces()).toBe(8);
  expect(thread.reads()).toBe(1);
});
