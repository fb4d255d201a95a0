import { expect, test } from 'vitest';
import type { DeviceNo, Store } from '../../../src/store/index.ts';
import { HandClock } from '../../support/clock.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';

async function opened() {
  const clock = new HandClock();
  const held = await aStore({ clock });
  await applied(held.store, { products: [aProduct()] });
  const { deviceNo } = await registered(held.store);
  return {
    held,
    clock,
    store: held.store,
    send: (count: number, bytes = 20) => sent(held.store, deviceNo, count, bytes),
  };
}

/** Resolves when all of them are committed, which were appended in one turn of the event loop. */
const sent = async (store: Store, deviceNo: DeviceNo, count: number, bytes: number): Promise<void> => {
  const payload = Buffer.alloc(bytes, 'x');
  const record = { deviceNo, channel: 'device', receivedAt: 1, logPath: '', marks: {}, payload } as const;
  await Promise.all(Array.from({ length: count }, () => append(store, record)));
};

/** What is sent to the writer by now is committed when it has answered. */
async function committed(store: Store): Promise<number> {
  await new Promise(resolve => setImmediate(resolve));
  await registered(store);
  return store.journal.lastSeq;
}

test('records of a few devices are committed without waiting for more', async () => {
  const { held, clock, store, send } = await opened();
  await using _ = held;
  await send(63);
  await send(1);
  expect(clock.sleeping).toBe(0);
  expect(store.journal.lastSeq).toBe(64);
});

test('after a large group the next waits a moment for the records that are due, and no longer', async () => {
  const { held, clock, store, send } = await opened();
  await using _ = held;
  await send(64);
  const late = send(2);
  expect(await committed(store)).toBe(64);
  await clock.advance(1);
  await late;
  expect(store.journal.lastSeq).toBe(66);
  await send(256);
  const later = send(2);
  await clock.advance(2);
  expect(await committed(store)).toBe(322);
  await clock.advance(1);
  await later;
  expect(store.journal.lastSeq).toBe(324);
});

test('with more than 256 records in flight nothing waits: groups are large without it', async () => {
  const { held, clock, store, send } = await opened();
  await using _ = held;
  await send(257);
  await send(1);
  expect(clock.sleeping).toBe(0);
  expect(store.journal.lastSeq).toBe(258);
});

test('when as many have come as were in flight, they are committed at once', async () => {
  const { held, store, send } = await opened();
  await using _ = held;
  await send(100);
  const first = send(60);
  expect(await committed(store)).toBe(100);
  await Promise.all([first, send(40)]);
  expect(store.journal.lastSeq).toBe(200);
});

test('a full segment waits for nothing', async () => {
  const { held, store, send } = await opened();
  await using _ = held;
  await send(100);
  await send(2, 70_000);
  expect(store.journal.lastSeq).toBe(102);
});

const outcome = (sending: Promise<void>): Promise<string> =>
  sending.then(
    () => 'stored',
    error => error.code,
  );

test('a group that waits is committed when the store is closed', async () => {
  const { held, send } = await opened();
  await send(100);
  const late = outcome(send(1));
  await held[Symbol.asyncDispose]();
  expect(await late).toBe('stored');
});

test('records that come while the store is closing are answered, also after its writer has ended', async () => {
  const { held, clock, send } = await opened();
  const first = outcome(send(100));
  await new Promise(resolve => setImmediate(resolve));
  const late = outcome(send(1));
  await held[Symbol.asyncDispose]();
  await clock.advance(3);
  expect(await first).toBe('stored');
  // It depends on the disk whether the first commit was over before.
  expect(['stored', 'closed']).toContain(await late);
});
