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
    store: { write, read: store.read, directory: store.directory },
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
