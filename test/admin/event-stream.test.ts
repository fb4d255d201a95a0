import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EventStream } from '../../src/admin/event-stream.ts';
import type { EventSource } from '../../src/admin/events.ts';
import type { RecordEvent } from '../../src/events/index.ts';
import { aBoxWithEvents, type EventBox } from '../support/event-box.ts';
import { aStream } from '../support/event-stream.ts';
import { until } from '../support/until.ts';

describe.each(['off', '127.0.0.1:0'])('with listen.events %s', listen => {
  let box: EventBox;
  beforeAll(async () => {
    box = await aBoxWithEvents(listen);
  });
  afterAll(() => box?.[Symbol.asyncDispose]());
  const open = async (path: string, token: string, more: Record<string, string> = {}) =>
    aStream(box.https, path, { authorization: `Bearer ${token}`, ...more });

  test('a program hears what comes, in order, with the kind as the name of each event', async () => {
    const token = await box.program('wall', '#');
    using stream = await open('/events/stream', token);
    await until('it has begun', () => stream.ofKind('begin').length === 1);
    await box.punches(3);
    await box.logs('{"log":"door ajar"}');
    await until('all are heard', () => stream.messages.length === 5);
    expect(stream.ofKind('checkins').map(({ data }) => data)).toMatchObject([{ name: 'Wang Fang' }, {}, {}]);
    expect(stream.ofKind('logs')).toMatchObject([{ data: { text: '{"log":"door ajar"}' } }]);
    expect(stream.messages[0]!.data).toMatchObject({ epoch: box.box.store.epoch, is_other_store: false });
  });

  test('whoever comes again with the last id has every event once, in order, under records that go on', async () => {
    const token = await box.program('restless', 'checkins/#');
    const before = await box.box.store.read.newestRecords();
    const heard: number[] = [];
    let lastId = `${box.box.store.epoch}:checkins=${before.checkins}`;
    let isOver = false;
    const punching = (async () => {
      for (let round = 0; round < 20; round++) await box.punches(10);
      isOver = true;
    })();
    const wanted = before.checkins + 200;
    for (let turn = 0; heard.at(-1) !== wanted || !isOver; turn++) {
      using stream = await open('/events/stream?kinds=checkins', token, { 'last-event-id': lastId });
      const enough = 1 + ((turn * 13) % 37);
      await until(
        'some are heard',
        () => stream.messages.length > enough || stream.ofKind('checkins').at(-1)?.data.seq === wanted,
      );
      heard.push(...stream.ofKind('checkins').map(({ data }) => Number(data.seq)));
      lastId = stream.lastId;
    }
    await punching;
    expect(heard).toEqual(Array.from({ length: 200 }, (_, index) => before.checkins + 1 + index));
  });

  test('an id of another store says so, and begins with what comes', async () => {
    const token = await box.program('restored', 'checkins/#');
    using stream = await open('/events/stream?kinds=checkins', token, { 'last-event-id': 'other:checkins=0' });
    await until('it has begun', () => stream.messages.length === 1);
    expect(stream.messages[0]).toMatchObject({ event: 'begin', data: { is_other_store: true } });
    await box.punches(1);
    await until('it goes on', () => stream.ofKind('checkins').length === 1);
  });

  test('a stream ends with its token', async () => {
    const token = await box.program('dismissed', 'checkins/#');
    using stream = await open('/events/stream?kinds=checkins', token);
    const { rows } = await box.box.admin.tokens.list();
    await box.box.admin.tokens.remove({ id: rows.find(({ name }) => name === 'dismissed')!.id });
    await until('it has ended', () => stream.hasEnded);
  });
});

test('a stream refuses kinds that the token does not hear, unknown kinds and ids, and a ninth one', async () => {
  await using box = await aBoxWithEvents();
  const token = await box.program('fence', 'access/#');
  const statusOf = async (path: string) => {
    using stream = await aStream(box.https, path, { authorization: `Bearer ${token}` });
    return stream.status;
  };
  expect(await statusOf('/events/stream')).toBe(403);
  expect(await statusOf('/events/stream?kinds=doors')).toBe(400);
  expect(await statusOf('/events/stream?kinds=access&after=yesterday')).toBe(400);
  // A pattern with an optional comma held the event loop for ever, for want of an end that fits.
  const hostile = `x:${'a=111111111111111'.repeat(12)}!`;
  expect(await statusOf(`/events/stream?kinds=access&after=${hostile}`)).toBe(400);
  using streams = new DisposableStack();
  for (let one = 0; one < 8; one++) {
    const headers = { authorization: `Bearer ${token}` };
    expect(streams.use(await aStream(box.https, '/events/stream?kinds=access', headers)).status).toBe(200);
  }
  expect(await statusOf('/events/stream?kinds=access')).toBe(429);
});

test('a reader that takes nothing has a bounded queue, and still reads every event once', async () => {
  const stored: RecordEvent[] = [];
  const come = (count: number): RecordEvent[] => {
    const events = Array.from({ length: count }, (_, index) => ({
      ...{ kind: 'checkins' as const, seq: stored.length + 1 + index, topic: '', payload: '{}' },
    }));
    stored.push(...events);
    return events;
  };
  let looks = 0;
  const source: EventSource = {
    epoch: 'one',
    async read({ after, limit }) {
      looks++;
      return stored.filter(({ seq }) => seq > after).slice(0, limit);
    },
    placeSince: async () => 0,
    follow: async () => () => {},
    broker: () => null,
    webhooks: () => Promise.reject(new Error('none')),
  };
  const stream = new EventStream(source, new Map([['checkins', 0]]));
  stream.begun();
  expect(await stream.next()).toEqual([]);
  const after = looks;
  stream.hear(come(10));
  expect(await stream.next()).toHaveLength(10);
  expect(looks).toBe(after);
  for (let page = 0; page < 20; page++) stream.hear(come(100));
  const read: number[] = [];
  for (let events = await stream.next(); events.length > 0; events = await stream.next())
    read.push(...events.map(({ seq }) => seq));
  expect(read).toEqual(Array.from({ length: 2000 }, (_, index) => index + 11));
});
