import { expect, test } from 'vitest';
import { BackgroundJob } from '../../src/runtime/background-job.ts';
import { nextTry } from '../../src/runtime/retry.ts';
import { HandClock } from '../support/clock.ts';

function aJob() {
  const clock = new HandClock();
  const runs = { done: 0, failed: [] as string[], fails: false };
  const job = new BackgroundJob({
    clock,
    retryMs: () => nextTry(() => 0.5),
    everyMs: 60_000,
    run: async () => {
      if (runs.fails) throw new Error('the line is cut');
      runs.done++;
    },
    onFailed: error => runs.failed.push((error as Error).message),
  });
  return { clock, runs, job };
}

test('it is done at once, when it is due, and when there is work', async () => {
  const { clock, runs, job } = aJob();
  await clock.advance(0);
  expect(runs.done).toBe(1);
  await clock.advance(60_000);
  expect(runs.done).toBe(2);
  job.poke();
  job.poke();
  await clock.advance(0);
  expect(runs.done).toBe(3);
  await job[Symbol.asyncDispose]();
  await clock.advance(120_000);
  expect(runs.done).toBe(3);
});

test('after a failure it is tried again in 3 to 5 seconds, whoever asks for it', async () => {
  const { clock, runs, job } = aJob();
  runs.fails = true;
  await clock.advance(60_000);
  expect(runs.failed).toEqual(['the line is cut']);
  job.poke();
  await clock.advance(2900);
  expect(runs.failed).toHaveLength(1);
  runs.fails = false;
  await clock.advance(2100);
  expect(runs.done).toBe(2);
  await job[Symbol.asyncDispose]();
});

test('a first run that is put off waits for its time, or for work', async () => {
  const clock = new HandClock();
  let runs = 0;
  const job = new BackgroundJob({
    clock,
    everyMs: 60_000,
    retryMs: () => 60_000,
    firstAfterMs: 60_000,
    run: async () => {
      runs++;
    },
    onFailed: () => {},
  });
  await clock.advance(59_000);
  expect(runs).toBe(0);
  await clock.advance(1000);
  expect(runs).toBe(1);
  await job[Symbol.asyncDispose]();
});

test('where several processes run, the one with the lease runs it, at once when it takes it', async () => {
  const clock = new HandClock();
  const listeners: ((isMine: boolean) => void)[] = [];
  const lease = {
    isMine: false,
    onChange: (listener: (isMine: boolean) => void) => void listeners.push(listener),
    is(isMine: boolean) {
      this.isMine = isMine;
      for (const listener of listeners) listener(isMine);
    },
  };
  const signals: AbortSignal[] = [];
  const failed: unknown[] = [];
  const job = new BackgroundJob({
    ...{ clock, lease, everyMs: 60_000, retryMs: () => 60_000, firstAfterMs: 5000 },
    async run(signal) {
      signals.push(signal);
      if (signals.length > 1) await new Promise((_, reject) => signal.addEventListener('abort', reject));
    },
    onFailed: error => failed.push(error),
  });
  await clock.advance(120_000);
  expect(signals).toHaveLength(0);
  lease.is(true);
  await clock.advance(0);
  expect(signals).toHaveLength(1);
  await clock.advance(60_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  lease.is(false);
  await clock.advance(120_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  expect(failed).toEqual([]);
  await job[Symbol.asyncDispose]();
});
