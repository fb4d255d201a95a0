import { expect, test } from 'vitest';
import { type Judge, openJudge } from '../../src/alerts/alerts.ts';
import type { Channel } from '../../src/alerts/channels/channel.ts';
import { SendFailed } from '../../src/alerts/channels/channel.ts';
import type { AlertSettings } from '../../src/alerts/settings.ts';
import type { AlertMessage } from '../../src/platform/alerts.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { Facts as AllFacts } from '../../src/standing/index.ts';
import { answered } from '../support/answered.ts';
import { HandClock, seededRandom } from '../support/clock.ts';
import { wellFacts } from '../support/facts.ts';
import { aStore, type TemporaryStore } from '../support/store.ts';
import { until } from '../support/until.ts';

const minute = 60_000;
const wecom = { wecom: { url: 'https://robot.example/?key=k' } };
const both: AlertSettings = { ...wecom, webhook: { url: 'https://hook.example/' } };

type Facts = Omit<AllFacts, 'channels'>;
const well: Facts = { ...wellFacts, wearDays: null, line: null, mirror: null, backup: null, disk: null };
const gone: Facts = { ...well, silent: [{ deviceId: 'D1', name: 'North gate', since: null }] };
const line = { isRefused: false, since: null, why: 'no route', waiting: 0, oldestMinutes: 0, parked: 0 };

/** Alerts on a real store, with channels that keep what they are given, and can be made to fail. */
class Desk {
  facts = well;
  readonly sent: { channel: string; title: string; lines: readonly string[]; id: string; at: number }[] = [];
  readonly failing = new Set<string>();
  alerts!: Judge;
  readonly clock: HandClock;
  readonly #opened: TemporaryStore;
  readonly #fixed: AlertSettings;

  private constructor(clock: HandClock, opened: TemporaryStore, fixed: AlertSettings) {
    this.clock = clock;
    this.#opened = opened;
    this.#fixed = fixed;
  }

  static async open(fixed: AlertSettings = wecom): Promise<Desk> {
    const clock = new HandClock(Date.UTC(2026, 10, 23, 0, 0));
    const desk = new Desk(clock, await aStore({ clock }), fixed);
    await desk.start();
    return desk;
  }

  async start(): Promise<void> {
    this.alerts = await openJudge({
      store: this.#opened.store,
      clock: this.clock,
      random: seededRandom(7),
      log: silentLog,
      facts: async () => this.facts,
      head: { site: 'Plant 4', language: 'en', timeZone: 'Asia/Shanghai', pages: () => 'https://box.local' },
      fixed: this.#fixed,
      channel: name => this.#channel(name),
    });
  }

  /** As after a power cut: what was not on the disk is gone. */
  async restart(): Promise<void> {
    await this.alerts[Symbol.asyncDispose]();
    await this.#opened.reopen();
    await this.start();
  }

  /** The store has answered before the next step. */
  async pass(minutes: number): Promise<void> {
    for (let half = 0; half < minutes * 2; half++) {
      await until('everything sleeps', () => this.clock.sleeping > 0);
      await this.clock.advance(minute / 2);
      await answered(this.store);
    }
  }

  get titles(): string[] {
    return this.sent.map(({ channel, title }) => `${channel}: ${title}`);
  }

  get store() {
    return this.#opened.store;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.alerts[Symbol.asyncDispose]();
    await this.#opened[Symbol.asyncDispose]();
  }

  #channel(name: string): Channel {
    return {
      perMinute: 18,
      send: async ({ id, content }: AlertMessage, at) => {
        if (this.failing.has(name)) throw new SendFailed({ reason: `${name} is broken` });
        this.sent.push({ channel: name, title: content.title, lines: content.lines, id, at });
      },
    };
  }
}

test('a device goes silent and comes back: two messages, the second with the duration, whatever restarts between', async () => {
  await using desk = await Desk.open();
  await desk.pass(2);
  desk.facts = gone;
  await desk.pass(18);
  await until('it is told', () => desk.titles.length === 1);
  expect(desk.titles).toEqual(['wecom: [Plant 4] North gate is offline']);
  expect(desk.alerts.open()).toMatchObject([{ kind: 'silent', subject: 'D1', severity: 'warn' }]);

  await desk.restart();
  expect(desk.alerts.open()).toHaveLength(1);
  await desk.pass(30);
  expect(desk.titles).toHaveLength(1);

  desk.facts = well;
  await desk.pass(5);
  await until('its end is told', () => desk.titles.length === 2);
  expect(desk.titles[1]).toBe('wecom: [Plant 4] Resolved: North gate is offline');
  expect(desk.sent[1]!.lines).toEqual([expect.stringMatching(/^Duration 5\d min, from 08:0\d to 08:5\d\.$/)]);

  await desk.restart();
  await desk.pass(5);
  expect(desk.titles).toHaveLength(2);
  expect(desk.alerts.open()).toEqual([]);
  expect(await desk.store.read.pastAlerts({ limit: 5 })).toMatchObject([{ subject: 'D1', isDone: true }]);
});

test('what could not be sent is kept over a restart, and goes at once when the line is back, with the same id', async () => {
  await using desk = await Desk.open();
  desk.failing.add('wecom');
  desk.facts = { ...well, line: { ...line, isUp: false } };
  await desk.pass(60);
  expect(desk.alerts.channels()).toMatchObject([
    { name: 'wecom', failures: expect.any(Number), why: 'wecom is broken' },
  ]);
  await until('it is on the disk', async () => (await desk.store.read.alertMessages()).some(one => one.attempts > 2));
  const [waiting] = await desk.store.read.alertMessages();
  await desk.restart();
  expect(desk.alerts.channels()).toMatchObject([{ name: 'wecom', why: 'wecom is broken' }]);
  await desk.pass(1);
  desk.failing.clear();
  desk.facts = { ...well, line: { ...line, isUp: true } };
  await desk.pass(1);
  await until('it is sent', () => desk.sent.length > 0);
  expect(desk.sent[0]).toMatchObject({ title: '[Plant 4] Cloud offline', id: waiting!.id });
  await until('nothing is left', async () => (await desk.store.read.alertMessages()).length === 0);
  expect(desk.alerts.channels()).toMatchObject([{ failures: 0, why: '', lastOkAt: expect.any(Number) }]);
});

test('of a channel that fails the others tell', async () => {
  await using desk = await Desk.open(both);
  desk.failing.add('webhook');
  desk.facts = gone;
  await desk.pass(40);
  await until('it is told', () => desk.titles.length >= 2);
  expect(desk.titles).toEqual([
    'wecom: [Plant 4] North gate is offline',
    'wecom: [Plant 4] Alerts by webhook not delivered',
  ]);
  expect(desk.alerts.open().map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(['silent D1', 'channel webhook']);
});

test('a test says why it does not arrive; a mute stays over a restart', async () => {
  await using desk = await Desk.open();
  const { signal } = new AbortController();
  expect(await desk.alerts.test('wecom', signal)).toBeNull();
  desk.failing.add('wecom');
  expect(await desk.alerts.test('wecom', signal)).toMatchObject({ reason: 'wecom is broken' });
  expect(await desk.alerts.test('mail', signal)).toMatchObject({ code: 'channel_not_set_up' });
  desk.failing.clear();

  const end = desk.clock.now() + 60 * minute;
  await desk.alerts.mute(end);
  desk.facts = gone;
  await desk.restart();
  expect(desk.alerts.mutedUntil).toBe(end);
  await desk.pass(40);
  expect(desk.titles).toEqual(['wecom: Test message of Plant 4']);
  await desk.pass(25);
  await until('it is told after the mute', () => desk.titles.length === 2);
});

test('what is chosen on the page stays, and what the config says is in force', async () => {
  await using desk = await Desk.open();
  await desk.alerts.choose({ webhook: { url: 'https://hook.example/' }, rules: { silent: { minutes: 1 } } });
  expect(desk.alerts.channels().map(({ name, isFixed }) => `${name} ${isFixed}`)).toEqual([
    'webhook false',
    'wecom true',
  ]);
  await desk.restart();
  desk.facts = gone;
  await desk.pass(5);
  await until('both are told', () => desk.titles.length === 2);
  expect(desk.titles.sort()).toEqual([
    'webhook: [Plant 4] North gate is offline',
    'wecom: [Plant 4] North gate is offline',
  ]);
});
