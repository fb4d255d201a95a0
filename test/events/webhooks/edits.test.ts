import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openWebhooks, type Webhooks } from '../../../src/events/index.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import { HandClock } from '../../support/clock.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';
import { punch } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';

const acts = ['punch', 'answer', 'fail', 'pause', 'resume', 'move', 'rotate', 'logs too', 'check-ins only', 'restart'];

/** A store with one webhook, whose receiver answers when a test lets it. */
async function aSite() {
  const opened = await aStore();
  const { store } = opened;
  await applied(store, { products: [aProduct()] });
  const { deviceNo } = await registered(store);
  const clock = new HandClock();
  const taken: number[] = [];
  const calls: ((status: number) => void)[] = [];
  let punches = 0;
  const open = () =>
    openWebhooks({
      ...{ store, clock, log: silentLog, fixed: [], follow: null },
      ...{ lease: store.once, processes: store.processes },
      sign: () => 'v1,x',
      post: (_url, { body, signal }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
          calls.push(status => {
            if (status === 200)
              taken.push(...(JSON.parse(body).data.events as { seq: number }[]).map(({ seq }) => seq));
            resolve({ status, body: '', retryAfterSeconds: null });
          });
        }),
    });
  let webhooks: Webhooks = await open();
  await webhooks.add({ name: 'payroll', url: 'http://a.example/', kinds: ['checkins'] });
  let moves = 0;
  const change = (...change: Parameters<Webhooks['change']>[1][]) => webhooks.change('payroll', change[0]!);
  const settle = (status: number) => {
    for (const answer of calls.splice(0)) answer(status);
  };
  const act: Record<string, () => unknown> = {
    async punch() {
      const payload = Buffer.from(punch('FACE-T1_A0001', `m${++punches}`));
      await append(store, { deviceNo, channel: 'device', receivedAt: clock.now(), logPath: '', marks: {}, payload });
    },
    answer: () => settle(200),
    fail: () => settle(503),
    pause: () => change({ paused: true }),
    resume: () => change({ paused: false }),
    move: () => change({ url: `http://a.example/${++moves}` }),
    rotate: () => change({ newSecret: true }),
    'logs too': () => change({ kinds: ['logs', 'checkins'] }),
    'check-ins only': () => change({ kinds: ['checkins'] }),
    async restart() {
      settle(503);
      await webhooks[Symbol.asyncDispose]();
      webhooks = await open();
    },
  };
  return {
    ...{ act, clock, taken, calls },
    punches: () => punches,
    async [Symbol.asyncDispose]() {
      await webhooks[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

test('whatever is changed meanwhile, the receiver takes each event once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...acts), { maxLength: 25 }), async sequence => {
      await using site = await aSite();
      for (const one of [...sequence, 'punch', 'resume']) {
        await site.act[one]!();
        await site.clock.advance(0);
      }
      await until('all are taken', async () => {
        await site.act.answer!();
        await site.clock.advance(10_000);
        return site.taken.length >= site.punches();
      });
      expect(site.taken).toEqual(Array.from({ length: site.punches() }, (_, at) => at + 1));
    }),
    { numRuns: 15 },
  );
});
