import { expect, test } from 'vitest';
import { Webhook } from '../../../src/events/webhooks/hook.ts';
import { HandClock } from '../../support/clock.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';
import { punch } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';

type Answer = { status: number; retryAfterSeconds: number | null } | Error;

const at = 1_763_600_000_000;

/** A webhook on a real store with one check-in, on a clock that a test turns. */
async function aHook(answers: Answer[]) {
  const opened = await aStore();
  const { store } = opened;
  await applied(store, { products: [aProduct()] });
  const { deviceNo } = await registered(store);
  const payload = Buffer.from(punch('FACE-T1_A0001', 'm1'));
  await append(store, { deviceNo, channel: 'device', receivedAt: at, logPath: '', marks: {}, payload });
  const clock = new HandClock();
  const calls: { at: number; id: string; body: string }[] = [];
  const settings = { name: 'payroll', url: 'http://127.0.0.1/hook', secret: 'whsec_x', kinds: ['checkins'] } as const;
  const hook = new Webhook(settings, new Map([['checkins', 0]]), {
    store,
    clock,
    sign: () => 'v1,x',
    async post(_url, { headers, body }) {
      calls.push({ at: clock.monotonic(), id: headers['webhook-id']!, body });
      const answer = answers.shift() ?? { status: 200, retryAfterSeconds: null };
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return {
    ...{ store, clock, calls, hook },
    async [Symbol.asyncDispose]() {
      await hook[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

const failed = (status: number, retryAfterSeconds: number | null = null) => ({ status, retryAfterSeconds });

test('the time between tries doubles from 5 s to an hour, and the call stays the same', async () => {
  await using site = await aHook(Array.from({ length: 12 }, () => failed(500)));
  const { clock, calls, hook } = site;
  const waits: number[] = [];
  for (let tries = 1; tries <= 12; tries++) {
    await until('the failure is noted', () => hook.report().deliveries[0]?.tries === tries && clock.sleeping === 1);
    const waitMs = hook.report().deliveries[0]!.nextTryAt! - clock.now();
    waits.push(waitMs / 1000);
    await clock.advance(waitMs);
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]);
  await until('it is taken', () => hook.report().deliveries[0]?.state === 'taken');
  expect(calls).toHaveLength(13);
  expect(new Set(calls.map(({ id, body }) => id + body)).size).toBe(1);
  const { nextTryAt, tries, why } = hook.report().deliveries[0]!;
  expect({ nextTryAt, tries, why }).toEqual({ nextTryAt: null, tries: 13, why: '' });
  expect(await site.store.read.webhookPlaces()).toEqual([{ name: 'payroll', kind: 'checkins', seq: 1 }]);
});

test('the next try waits as long as Retry-After says, and is said with its reason', async () => {
  await using site = await aHook([failed(429, 600), new Error('connect ECONNREFUSED')]);
  const { clock, calls, hook } = site;
  const delivery = () => hook.report().deliveries[0];
  await until('the first failure', () => delivery()?.tries === 1 && clock.sleeping === 1);
  expect(delivery()).toMatchObject({ state: 'failed', why: 'the receiver answers HTTP 429' });
  expect(delivery()!.nextTryAt! - clock.now()).toBe(600_000);
  await clock.advance(599_000);
  expect(calls).toHaveLength(1);
  await clock.advance(1000);
  await until('the second failure', () => delivery()?.tries === 2 && clock.sleeping === 1);
  expect(delivery()).toMatchObject({ why: 'connect ECONNREFUSED' });
  expect(delivery()!.nextTryAt! - clock.now()).toBe(10_000);
});

test('a message is sent again when somebody asks: at once if it waits, once more if it was taken', async () => {
  await using site = await aHook([failed(503)]);
  const { clock, calls, hook } = site;
  const delivery = () => hook.report().deliveries[0];
  await until('the failure', () => delivery()?.state === 'failed' && clock.sleeping === 1);
  await hook.sendAgain(delivery()!.id);
  await until('it is taken', () => delivery()?.state === 'taken');
  expect(await hook.sendAgain(delivery()!.id)).toMatchObject({ state: 'taken', tries: 3 });
  expect(calls.map(({ id }) => id)).toEqual(Array(3).fill(delivery()!.id));
  expect(await hook.sendAgain('msg_of_another')).toBeNull();
});

test('410 ends it with a reason', async () => {
  await using site = await aHook([failed(410)]);
  const { clock, calls, hook } = site;
  await until('it has ended', () => hook.report().ended !== null);
  expect(hook.report().ended).toMatch(/410/);
  hook.hear();
  await clock.advance(3600_000);
  expect(calls).toHaveLength(1);
});
