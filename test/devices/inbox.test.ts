import { expect, test } from 'vitest';
import { Counters } from '../../src/devices/counters.ts';
import { Inbox } from '../../src/devices/inbox.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { HandClock } from '../support/clock.ts';
import { aStore, registered } from '../support/store.ts';

test('a message for a device that is away goes to the writer without the memory that it is a piece of', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  const carried: number[] = [];
  const write = {
    putInbox: (input: Parameters<typeof store.write.putInbox>[0]) => {
      carried.push(input.payload.buffer.byteLength);
      return store.write.putInbox(input);
    },
  } as typeof store.write;
  const inbox = new Inbox({
    store: { ...store, write },
    clock: new HandClock(),
    log: silentLog,
    counters: new Counters(),
    messagesMax: 10,
    waiting: new Set(),
    handOver: async () => false,
    isHere: () => false,
  });
  // As Node makes small buffers: all of them in one of 64 KiB.
  const answer = Buffer.from('{"mid":"1","action":2001}');
  expect(answer.buffer.byteLength).toBeGreaterThan(answer.length);
  expect(await inbox.deliver(deviceNo, answer)).toBe(false);
  expect(carried).toEqual([answer.length]);
  const waiting = await inbox.peek(deviceNo, 10);
  expect(waiting.map(({ payload }) => Buffer.from(payload).toString())).toEqual([answer.toString()]);
});

/** An inbox with messages in the store, and a device that comes for them. */
async function anInbox(waiting: readonly string[]) {
  const opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  const heard: string[] = [];
  let puts = 0;
  /** How many more the device takes. */
  let room = 0;
  const write = {
    putInbox: (input: Parameters<typeof store.write.putInbox>[0]) => {
      puts++;
      return store.write.putInbox(input);
    },
    removeInbox: (input: Parameters<typeof store.write.removeInbox>[0]) => store.write.removeInbox(input),
  } as typeof store.write;
  const inbox = new Inbox({
    store: { ...store, write },
    clock: new HandClock(),
    log: silentLog,
    counters: new Counters(),
    messagesMax: 1000,
    waiting: new Set(),
    handOver: async (_deviceNo, payload) => {
      if (room <= 0) return false;
      room--;
      heard.push(Buffer.from(payload).toString());
      return true;
    },
    isHere: () => true,
  });
  const deliver = (text: string) => inbox.deliver(deviceNo, Buffer.from(text));
  for (const text of waiting) await deliver(text);
  puts = 0;
  return {
    heard,
    deliver,
    puts: () => puts,
    empty: (takes: number) => {
      room = takes;
      return inbox.empty(deviceNo);
    },
    stored: async () => {
      const messages = await store.read.inbox(deviceNo, { limit: 1000, bytesMax: 1 << 20 });
      return messages.map(({ payload }) => Buffer.from(payload).toString());
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `answer ${index}`);

test('what comes while an inbox is emptied goes behind what waits, and not through the store', async () => {
  await using inbox = await anInbox(['first', 'second']);
  const emptied = inbox.empty(100);
  const answers = numbered(16);
  expect(await Promise.all(answers.map(inbox.deliver))).toEqual(answers.map(() => true));
  await emptied;
  expect(inbox.heard).toEqual(['first', 'second', ...answers]);
  expect(inbox.puts()).toBe(0);
  expect(await inbox.stored()).toEqual([]);
});

test('what comes while a device stops to read is stored behind what it did not take', async () => {
  await using inbox = await anInbox(['first', 'second']);
  const emptied = inbox.empty(1);
  const answers = numbered(3);
  expect(await Promise.all(answers.map(inbox.deliver))).toEqual(answers.map(() => false));
  await emptied;
  expect(inbox.heard).toEqual(['first']);
  expect(await inbox.stored()).toEqual(['second', ...answers]);
});

test('a device that stops to read behind what waited has the rest in its inbox, in order', async () => {
  await using inbox = await anInbox(['first', 'second']);
  const emptied = inbox.empty(4);
  const answers = numbered(5);
  expect(await Promise.all(answers.map(inbox.deliver))).toEqual([true, true, false, false, false]);
  await emptied;
  expect(await inbox.stored()).toEqual(answers.slice(2));
});

test('more than is held in memory while an inbox is emptied goes through the store, in order', async () => {
  await using inbox = await anInbox(['first']);
  const emptied = inbox.empty(1000);
  const answers = numbered(200);
  await Promise.all(answers.map(inbox.deliver));
  await emptied;
  await inbox.empty(1000);
  expect(inbox.heard).toEqual(['first', ...answers]);
  expect(await inbox.stored()).toEqual([]);
});
