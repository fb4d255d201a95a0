import { expect, test } from 'vitest';
import { Webhook } from '../../../src/events/webhooks/hook.ts';
import type { WebhookSettings } from '../../../src/events/webhooks/list.ts';
import { HandClock } from '../../support/clock.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';
import { punch } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';

type Answer = { status: number; body: string; retryAfterSeconds: number | null } | Error;

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
  const calls: { at: number; id: string; body: string; named: boolean; url: string }[] = [];
  const settings: WebhookSettings = {
    ...{ name: 'payroll', url: 'http://127.0.0.1/hook', secret: 'whsec_x', kinds: ['checkins'] },
    ...{ isFixed: true, paused: false, madeAt: 0 },
  };
  const hook = new Webhook(settings, new Map([['checkins', 0]]), {
    store,
    clock,
    sign: () => 'v1,x',
    async post(url, { headers, body, named }) {
      calls.push({ at: clock.monotonic(), id: headers['webhook-id']!, body, named, url });
      const answer = answers.shift() ?? failed(200);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return {
    ...{ store, clock, calls, hook, settings },
    delivery: async () => (await store.read.webhookDeliveries('payroll'))[0],
    async [Symbol.asyncDispose]() {
      await hook[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

const failed = (status: number, retryAfterSeconds: number | null = null) => ({ status, body: '', retryAfterSeconds });

test('the time between attempts doubles from 5 s to an hour, and the call stays the same', async () => {
  await using site = await aHook(Array.from({ length: 12 }, () => failed(500)));
  const { clock, calls, delivery } = site;
  const waits: number[] = [];
  for (let tries = 1; tries <= 12; tries++) {
    const noted = await until('the failure is noted', async () => {
      const one = await delivery();
      return one?.attempts === tries && clock.sleeping === 1 ? one : null;
    });
    const waitMs = noted.nextAt! - clock.now();
    waits.push(waitMs / 1000);
    await clock.advance(waitMs);
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]);
  await until('it is taken', async () => (await delivery())?.state === 'taken');
  expect(calls).toHaveLength(13);
  expect(new Set(calls.map(({ id, body }) => id + body)).size).toBe(1);
  expect(await delivery()).toMatchObject({ nextAt: null, attempts: 13, why: '', status: 200 });
  expect(await site.store.read.webhookPlaces()).toEqual([{ name: 'payroll', kind: 'checkins', seq: 1 }]);
});

test('the next attempt waits as long as Retry-After says, and is noted with its reason', async () => {
  await using site = await aHook([failed(429, 600), new Error('certificate has expired')]);
  const { clock, calls, delivery } = site;
  const noted = (attempts: number) =>
    until('the failure', async () => {
      const one = await delivery();
      return one?.attempts === attempts && clock.sleeping === 1 ? one : null;
    });
  const first = await noted(1);
  expect(first).toMatchObject({ state: 'failed', status: 429, code: 'webhook_answers', params: { status: 429 } });
  expect(first.nextAt! - clock.now()).toBe(600_000);
  await clock.advance(599_000);
  expect(calls).toHaveLength(1);
  await clock.advance(1000);
  const second = await noted(2);
  expect(second).toMatchObject({ status: null, why: 'certificate has expired' });
  expect(second.nextAt! - clock.now()).toBe(10_000);
});

test('an attempt comes at once when somebody asks', async () => {
  await using site = await aHook([failed(503)]);
  const { clock, calls, delivery, hook } = site;
  await until('the failure', async () => (await delivery())?.state === 'failed' && clock.sleeping === 1);
  hook.tryNow();
  await until('it is taken', async () => (await delivery())?.state === 'taken');
  expect(calls.map(({ id }) => id)).toEqual(Array(2).fill((await delivery())!.id));
});

test('410 ends it with a reason, until somebody asks', async () => {
  await using site = await aHook([failed(410)]);
  const { clock, calls, delivery, hook } = site;
  await until('it has ended', async () => (await delivery())?.state === 'ended');
  expect((await delivery())!.why).toMatch(/410/);
  hook.hear();
  await clock.advance(3600_000);
  expect(calls).toHaveLength(1);
  hook.tryNow();
  await until('it is taken', async () => (await delivery())?.state === 'taken');
});

test('a changed address counts at once for what waits; only one of the config may be on this machine', async () => {
  await using site = await aHook([failed(503)]);
  const { clock, calls, delivery, hook, settings } = site;
  await until('the failure', async () => (await delivery())?.state === 'failed' && clock.sleeping === 1);
  const places = new Map([['checkins', 0]] as const);
  hook.change({ ...settings, url: 'http://other.example/hook', isFixed: false }, places);
  await until('it is taken', async () => (await delivery())?.state === 'taken');
  expect(calls.map(({ url, named }) => [url, named])).toEqual([
    ['http://127.0.0.1/hook', true],
    ['http://other.example/hook', false],
  ]);
});

test('while it is paused nothing is sent, and no table is filled for it', async () => {
  await using site = await aHook([failed(503)]);
  const { clock, calls, delivery, hook, settings } = site;
  await until('the failure', async () => (await delivery())?.state === 'failed' && clock.sleeping === 1);
  hook.change({ ...settings, paused: true }, new Map());
  expect([...hook.kinds]).toEqual([]);
  await clock.advance(3600_000);
  expect(calls).toHaveLength(1);
  hook.change(settings, new Map());
  await until('it is taken', async () => (await delivery())?.state === 'taken');
  expect(calls).toHaveLength(2);
});
