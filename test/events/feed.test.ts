import { expect, test } from 'vitest';
import { EventFeed, type Follower } from '../../src/events/feed.ts';
import type { EventKind } from '../../src/platform/event-topics.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import type { DeviceNo, Store } from '../../src/store/index.ts';
import { aProduct, append, applied, aStore, registered } from '../support/store.ts';
import { until } from '../support/until.ts';

const at = 1_763_600_000_000;

async function aFeed() {
  const opened = await aStore();
  await applied(opened.store, { products: [aProduct()] } as never);
  const { deviceNo } = await registered(opened.store);
  const feed = new EventFeed({ store: opened.store, clock: realClock, log: silentLog, busy: () => 0 });
  return {
    ...{ store: opened.store, feed, deviceNo },
    async [Symbol.asyncDispose]() {
      await feed[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

class Listener implements Follower {
  kinds: ReadonlySet<EventKind>;
  readonly heard: { kind: EventKind; seq: number; previous: number; text: string }[] = [];
  readonly passedOver: [EventKind, number][] = [];
  holds: Promise<void> | null = null;

  constructor(...kinds: EventKind[]) {
    this.kinds = new Set(kinds);
  }

  async hear(events: Parameters<Follower['hear']>[0]): Promise<void> {
    for (const { kind, payload } of events) {
      const { seq, previous, text = '', ext_id = '' } = JSON.parse(payload);
      this.heard.push({ kind, seq, previous, text: text || ext_id });
    }
    await this.holds;
  }

  missed(kind: EventKind, after: number): void {
    this.passedOver.push([kind, after]);
  }

  texts = (kind: EventKind) => this.heard.filter(one => one.kind === kind).map(({ text }) => text);
}

const log = (store: Store, deviceNo: DeviceNo, text: string) =>
  append(store, {
    deviceNo,
    channel: 'log',
    receivedAt: at,
    logPath: 'FT1/A0001',
    marks: {},
    payload: Buffer.from(text),
  });

const punch = (store: Store, deviceNo: DeviceNo, mid: string, extId = mid) => {
  const records = [{ ext_id: extId, check_type: 'fa', check_time: at / 1000 }];
  const envelope = { mid, from: 'FACE-T1_A0001', to: 'system', time: 1, action: 2001, data: { records } };
  const payload = Buffer.from(JSON.stringify(envelope));
  return append(store, { deviceNo, channel: 'device', receivedAt: at, logPath: '', marks: {}, payload });
};

test('whoever follows hears what comes from then on, each kind in its order and with the one before', async () => {
  await using it = await aFeed();
  await punch(it.store, it.deviceNo, 'before');
  const listener = new Listener('checkins', 'logs');
  it.feed.follow(listener);
  let number = 0;
  await until('it begins', async () => {
    await punch(it.store, it.deviceNo, `p${number++}`);
    return listener.heard.length > 0;
  });
  const first = listener.heard.length;
  for (const text of ['a', 'b']) await log(it.store, it.deviceNo, text);
  await punch(it.store, it.deviceNo, 'last');
  await until('all came', () => listener.texts('logs').length === 2 && listener.texts('checkins').includes('last'));
  expect(listener.texts('checkins')).not.toContain('before');
  expect(listener.texts('logs')).toEqual(['a', 'b']);
  const checkins = listener.heard.filter(({ kind }) => kind === 'checkins');
  for (const [place, { seq, previous }] of checkins.entries())
    if (place > 0) expect([previous, seq > previous]).toEqual([checkins[place - 1]!.seq, true]);
  expect(first).toBeGreaterThan(0);
});

test('a report that a device sends again is no other event', async () => {
  await using it = await aFeed();
  const listener = new Listener('checkins');
  it.feed.follow(listener);
  await until('it begins', async () => {
    await punch(it.store, it.deviceNo, `p${listener.heard.length}${performance.now()}`);
    return listener.heard.length > 0;
  });
  for (const _again of [1, 2, 3]) await punch(it.store, it.deviceNo, 'same');
  await punch(it.store, it.deviceNo, 'last');
  await until('the last came', () => listener.texts('checkins').includes('last'));
  expect(listener.texts('checkins').filter(text => text === 'same')).toHaveLength(1);
});

test('a flood of logs is passed over, and said so; check-ins never are', async () => {
  await using it = await aFeed();
  const listener = new Listener('checkins', 'logs');
  it.feed.follow(listener);
  await until('it begins', async () => {
    await log(it.store, it.deviceNo, 'first');
    return listener.heard.length > 0;
  });
  const held = Promise.withResolvers<void>();
  listener.holds = held.promise;
  const before = listener.texts('checkins').length;
  const all = Array.from({ length: 6000 }, (_, number) => log(it.store, it.deviceNo, `flood ${number}`));
  for (let number = 0; number < 20; number++) all.push(punch(it.store, it.deviceNo, `in the flood ${number}`));
  await Promise.all(all);
  held.resolve();
  await until('the newest log came', () => listener.texts('logs').includes('flood 5999'));
  await until('all check-ins came', () => listener.texts('checkins').length === before + 20);
  expect(listener.passedOver.map(([kind]) => kind)).toEqual(['logs']);
  expect(listener.texts('logs').length).toBeLessThan(6000);
});

test('few logs between many other records are no flood', async () => {
  await using it = await aFeed();
  const listener = new Listener('logs');
  it.feed.follow(listener);
  await until('it begins', async () => {
    await log(it.store, it.deviceNo, 'first');
    return listener.heard.length > 0;
  });
  const held = Promise.withResolvers<void>();
  listener.holds = held.promise;
  await log(it.store, it.deviceNo, 'before');
  await Promise.all(Array.from({ length: 5500 }, (_, number) => punch(it.store, it.deviceNo, `p${number}`)));
  await log(it.store, it.deviceNo, 'behind');
  held.resolve();
  await until('both came', () => listener.texts('logs').includes('behind'));
  expect(listener.texts('logs')).toContain('before');
  expect(listener.passedOver).toEqual([]);
});

test('while nobody follows nothing is read, and the tables rest', async () => {
  await using it = await aFeed();
  const read = { count: 0 };
  const { newestRecords } = it.store.read;
  it.store.read.newestRecords = () => {
    read.count++;
    return newestRecords();
  };
  for (const mid of ['a', 'b', 'c']) await punch(it.store, it.deviceNo, mid);
  expect(read.count).toBe(0);
  const listener = new Listener('checkins');
  const leave = it.feed.follow(listener);
  await until('it begins', () => read.count > 0);
  leave();
  it.feed.changed();
  await punch(it.store, it.deviceNo, 'd');
  expect(listener.texts('checkins')).not.toContain('a');
});
