import { expect, test } from 'vitest';
import { type Alerts, openAlerts } from '../../src/alerts/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { Facts as AllFacts } from '../../src/standing/index.ts';
import type { Processes, ProcessTopic } from '../../src/store/index.ts';
import { answered } from '../support/answered.ts';
import { HandClock, seededRandom } from '../support/clock.ts';
import { wellFacts } from '../support/facts.ts';
import { aStore } from '../support/store.ts';
import { until } from '../support/until.ts';

const minute = 60_000;
type Facts = Omit<AllFacts, 'channels'>;
const disk = {
  usedPercent: 50,
  daysLeft: null,
  isLow: false,
  fewInodes: null,
  state: 'ok',
  unreadableRecords: null,
  isUnwritable: false,
};
const well: Facts = { ...wellFacts, wearDays: null, line: null, mirror: null, backup: null, disk };
const fullDisk: Facts = { ...well, disk: { ...disk, usedPercent: 99 } };
const gone = (...deviceIds: string[]): Facts => ({
  ...well,
  silent: deviceIds.map(deviceId => ({ deviceId, name: deviceId, since: null })),
});

/** Processes on one store, which hear what the others tell and have the lease as the test says. */
async function processes(count: number) {
  const clock = new HandClock(Date.UTC(2026, 10, 23, 0, 0));
  const opened = await aStore({ clock });
  const heard: { topic: ProcessTopic; from: number; hear: (text: string, from: number) => void }[] = [];
  const sent: { by: number; title: string; lines: readonly string[] }[] = [];
  const all = await Promise.all(
    Array.from({ length: count }, async (_, me) => {
      const bus: Processes = {
        async tell(topic, text) {
          for (const one of heard) if (one.topic === topic && one.from !== me) one.hear(text, me);
        },
        onMessage: (topic, hear) => void heard.push({ topic, from: me, hear }),
      };
      const listeners: ((isMine: boolean) => void)[] = [];
      const lease = {
        isMine: false,
        isUpElsewhere: false,
        tellUp() {},
        onChange: (listener: (isMine: boolean) => void) => void listeners.push(listener),
      };
      const process = {
        facts: well,
        online: [] as string[],
        alerts: null as unknown as Alerts,
        give(isMine: boolean) {
          lease.isMine = isMine;
          for (const listener of listeners) listener(isMine);
        },
      };
      process.alerts = await openAlerts({
        ...{ lease, processes: bus, store: opened.store, clock, random: seededRandom(me + 1), log: silentLog },
        facts: async () => process.facts,
        device: name => ({ name, isOnline: process.online.includes(name) }),
        head: { site: 'Campus', language: 'en', timeZone: 'Asia/Shanghai', pages: () => 'https://box.local' },
        fixed: { wecom: { url: 'https://robot.example/?key=k' }, wait_seconds: 0 },
        channel: () => ({
          perMinute: 60,
          async send({ content: { title, lines } }, _now, signal) {
            // As a server that takes a moment, in which a call may be broken off.
            await new Promise(resolve => setImmediate(resolve));
            signal.throwIfAborted();
            sent.push({ by: me, title, lines });
          },
        }),
      });
      return process;
    }),
  );
  return {
    ...{ clock, sent, all },
    store: opened.store,
    async pass(minutes: number) {
      for (let half = 0; half < minutes * 2; half++) {
        await until('everything sleeps', () => clock.sleeping > 0);
        await clock.advance(minute / 2);
        await answered(opened.store);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const { alerts } of all) await alerts[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

test('one process sends what only another one sees, and all show it', async () => {
  await using region = await processes(2);
  const [one, other] = region.all;
  one!.give(true);
  other!.facts = fullDisk;
  await region.pass(20);
  expect(region.sent).toEqual([{ by: 0, title: expect.stringContaining('isk'), lines: expect.anything() }]);
  for (const { alerts } of region.all) expect(alerts.open().map(({ kind }) => kind)).toEqual(['disk']);
  expect(other!.alerts.channels()).toMatchObject([{ name: 'wecom', waiting: 0, failures: 0 }]);
  other!.facts = well;
  await region.pass(20);
  expect(region.sent).toHaveLength(2);
  for (const { alerts } of region.all) expect(alerts.open()).toEqual([]);
});

test('whoever takes over announces nothing again, and says when it is over', async () => {
  await using region = await processes(2);
  const [one, other] = region.all;
  one!.give(true);
  for (const process of region.all) process.facts = fullDisk;
  await region.pass(20);
  expect(region.sent).toHaveLength(1);
  one!.give(false);
  other!.give(true);
  await region.pass(30);
  expect(region.sent).toHaveLength(1);
  for (const process of region.all) process.facts = well;
  await region.pass(20);
  expect(region.sent.map(({ by }) => by)).toEqual([0, 1]);
  expect((await region.store.read.pastAlerts({ limit: 9 })).map(({ kind }) => kind)).toEqual(['disk']);
});

test('a process that is gone counts no longer', async () => {
  await using region = await processes(3);
  const [one, , third] = region.all;
  one!.give(true);
  third!.facts = fullDisk;
  await region.pass(20);
  expect(region.sent).toHaveLength(1);
  await third!.alerts[Symbol.asyncDispose]();
  await region.pass(20);
  expect(region.sent).toHaveLength(2);
});

test('a device is silent that was heard somewhere, and is connected nowhere', async () => {
  await using region = await processes(3);
  const [one, other, third] = region.all;
  const open = () => one!.alerts.open().map(({ subject }) => subject);
  one!.give(true);
  // D1 went to another process; the first knows nothing of D3.
  one!.facts = gone('D1', 'D2');
  third!.online = ['D1'];
  other!.facts = gone('D3');
  await region.pass(20);
  expect(open()).toEqual(['D2', 'D3']);
  third!.online = ['D1', 'D3'];
  other!.facts = well;
  await region.pass(20);
  expect(open()).toEqual(['D2']);
  // More than fit into a message: it is not known, and what is open stays.
  other!.facts = gone(...Array.from({ length: 2000 }, (_, index) => `FACE-T1_${index}`));
  one!.facts = well;
  await region.pass(20);
  expect(open()).toEqual(['D2']);
});

test('what is chosen or muted through any process is in force for the one that sends', async () => {
  await using region = await processes(2);
  const [one, other] = region.all;
  one!.give(true);
  await region.pass(1);
  const mutedUntil = region.clock.now() + 60 * minute;
  await other!.alerts.mute(mutedUntil);
  await other!.alerts.choose({ rules: { disk: { minutes: 1 } } });
  await until('both know', () => one!.alerts.mutedUntil === mutedUntil && one!.alerts.settings().chosen.rules);
  expect(other!.alerts.mutedUntil).toBe(mutedUntil);
  one!.facts = fullDisk;
  await region.pass(20);
  expect([one!.alerts.open().length, region.sent.length]).toEqual([1, 0]);
  expect(await other!.alerts.test('wecom', new AbortController().signal)).toBeNull();
  expect(region.sent.map(({ by }) => by)).toEqual([1]);
});
