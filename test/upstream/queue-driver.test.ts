import { expect, test } from 'vitest';
import { silentLog } from '../../src/runtime/log.ts';
import type { DeviceNo, Seq, Store } from '../../src/store/index.ts';
import { Confirmations } from '../../src/upstream/confirmations.ts';
import { InFlightRecord } from '../../src/upstream/in-flight-record.ts';
import { InFlightWindow } from '../../src/upstream/in-flight-window.ts';
import { QueueDriver } from '../../src/upstream/queue-driver.ts';
import type { Outgoing, Result, Transport } from '../../src/upstream/transport.ts';
import { HandClock } from '../support/clock.ts';
import { append, aStore, registered, type TemporaryStore } from '../support/store.ts';
import { until } from '../support/until.ts';

interface Sent {
  readonly seq: number;
  readonly settle: (result: Result) => void;
}

/** A connection whose other end the test plays. */
function aTransport(sent: Sent[], window = 8): Transport {
  return {
    via: 'mqtt',
    window,
    silentMs: 20_000,
    send: sending => void sent.push({ seq: sending.seq, settle: result => sending.onAnswer(result) }),
    close: () => {},
  };
}

async function aQueue(temporary: TemporaryStore, store: Store = temporary.store) {
  const clock = new HandClock();
  const device = await registered(temporary.store);
  for (let count = 0; count < 5; count++)
    await append(temporary.store, {
      deviceNo: device.deviceNo,
      channel: 'device',
      receivedAt: 1,
      logPath: '',
      marks: {},
      payload: Buffer.from('{}'),
    });
  const window = new InFlightWindow({
    clock,
    allowance: { hasRoom: true, sent: () => {} },
    onSilence: () => {},
    onRoom: () => queue.go(),
  });
  const queue: QueueDriver = new QueueDriver({
    deviceNo: device.deviceNo,
    channel: 'device',
    cursor: 0 as Seq,
    floor: () => queue.passedTo,
    pace: null,
    window,
    confirmations: new Confirmations({ store, clock, log: silentLog }),
    store,
    clock,
    random: () => 0,
    log: silentLog,
    onPassed: () => {},
    onSend: () => {},
    sessions: () => 1,
    readOn: () => {},
    waitForRoom: () => {},
  });
  for (let seq = 1; seq <= 5; seq++) queue.take(record(device.deviceNo, seq));
  return { clock, queue, window, deviceNo: device.deviceNo };
}

const record = (deviceNo: DeviceNo, seq: number): Outgoing => ({
  seq: seq as Seq,
  deviceNo,
  channel: 'device',
  topic: 'device',
  bytes: Buffer.from('{}'),
  start: 0,
  end: 2,
  receivedAt: 1,
  passOver: false,
  stays: false,
  action: null,
  parkedAt: null,
});
/** Room is announced when all answers of a turn are heard. */
const turn = () => new Promise(resolve => setImmediate(resolve));
const seqs = (sent: readonly Sent[]) => sent.map(({ seq }) => seq);
const ok: Result = { kind: 'confirmed' };

test('a queue that the cloud asked for time goes on with the next connection, in order', async () => {
  await using temporary = await aStore();
  const { queue, window } = await aQueue(temporary);
  const sent: Sent[] = [];
  window.up(aTransport(sent, 1));
  queue.go();
  sent[0]!.settle({ kind: 'again', why: 'code 500' });
  window.lost(false);
  queue.connectionLost();
  const again: Sent[] = [];
  window.up(aTransport(again));
  queue.go();
  expect(seqs(again)).toEqual([1, 2, 3, 4, 5]);
});

test('what the cloud asked to send later goes 3 to 5 s later, and nothing overtakes it', async () => {
  await using temporary = await aStore();
  const { queue, window, clock } = await aQueue(temporary);
  const sent: Sent[] = [];
  window.up(aTransport(sent, 1));
  queue.go();
  sent[0]!.settle({ kind: 'again', why: 'code 429' });
  queue.go();
  await clock.advance(2900);
  expect(seqs(sent)).toEqual([1]);
  await clock.advance(200);
  expect(seqs(sent)).toEqual([1, 1]);
});

test('what the cloud holds back does not count as read ahead for the others of its session', async () => {
  await using temporary = await aStore();
  const { queue, window, clock } = await aQueue(temporary);
  const sent: Sent[] = [];
  window.up(aTransport(sent, 1));
  queue.go();
  expect(window.ahead).toBe(4);
  sent[0]!.settle({ kind: 'again', why: 'code 429' });
  expect(window.ahead).toBe(0);
  await clock.advance(5000);
  expect(window.ahead).toBe(4);
  queue.close();
  expect(window.ahead).toBe(0);
});

test('confirmations that overtake each other move the cursor only over what is confirmed without a gap', async () => {
  await using temporary = await aStore();
  const { queue, window, deviceNo } = await aQueue(temporary);
  const sent: Sent[] = [];
  window.up(aTransport(sent));
  queue.go();
  sent[2]!.settle(ok);
  sent[0]!.settle(ok);
  await until(
    'the first is written down',
    () => temporary.store.directory.deviceByNo(deviceNo)!.forwarded.device === 1,
  );
  sent[1]!.settle(ok);
  await until('up to the third', () => temporary.store.directory.deviceByNo(deviceNo)!.forwarded.device === 3);
});

test('while a refused record cannot be parked nothing behind it is sent, and it is parked in the end', async () => {
  await using temporary = await aStore();
  let failures = 2;
  const { store } = temporary;
  const park: Store['write']['park'] = input =>
    failures-- > 0 ? Promise.reject(new Error('the disk is full')) : store.write.park(input);
  const fullDisk = { ...store, journal: store.journal, write: { ...store.write, park, confirm: store.write.confirm } };
  const { queue, window, clock, deviceNo } = await aQueue(temporary, fullDisk);
  const sent: Sent[] = [];
  window.up(aTransport(sent, 1));
  queue.go();
  sent[0]!.settle({ kind: 'refused', code: 400, reason: 'not wanted' });
  for (const _ of [1, 2]) {
    await turn();
    expect(seqs(sent)).toEqual([1]);
    expect(await store.read.parked()).toEqual([]);
    await clock.advance(5000);
  }
  await until('it is parked', async () => (await store.read.parked()).length === 1);
  await until('the rest goes on', () => sent.length === 2);
  expect(seqs(sent)).toEqual([1, 2]);
  expect(store.directory.deviceByNo(deviceNo)!.forwarded.device).toBe(1);
});

test('after a break the oldest go one at a time, and one that breaks the connection three times alone is named', async () => {
  await using temporary = await aStore();
  const { queue, window } = await aQueue(temporary);
  let sent: Sent[] = [];
  const connect = () => {
    sent = [];
    window.up(aTransport(sent));
    queue.go();
  };
  const hangUp = () => {
    const unbearable = window.lost(true);
    queue.connectionLost();
    return unbearable;
  };
  connect();
  expect(seqs(sent)).toEqual([1, 2, 3, 4, 5]);
  expect(hangUp()).toBeNull();
  connect();
  expect(seqs(sent)).toEqual([1]);
  sent[0]!.settle(ok);
  await turn();
  expect(seqs(sent)).toEqual([1, 2]);
  expect(hangUp()).toBeNull();
  connect();
  expect(hangUp()).toBeNull();
  connect();
  expect(seqs(sent)).toEqual([2]);
  expect(hangUp()).toMatchObject({ seq: 2 });
});

test('a break that the box made itself accuses nobody', async () => {
  await using temporary = await aStore();
  const { queue, window } = await aQueue(temporary);
  const sent: Sent[] = [];
  window.up(aTransport(sent));
  queue.go();
  window.lost(false);
  queue.connectionLost();
  const again: Sent[] = [];
  window.up(aTransport(again));
  queue.go();
  expect(seqs(again)).toEqual([1, 2, 3, 4, 5]);
});

test('room is announced once for the answers that came together, when an eighth of the window is free', async () => {
  const sent: InFlightRecord[] = [];
  let calls = 0;
  const window = new InFlightWindow({
    clock: new HandClock(),
    allowance: { hasRoom: true, sent: () => {} },
    onSilence: () => {},
    onRoom: () => calls++,
  });
  window.up({
    via: 'mqtt',
    window: 16,
    silentMs: 20_000,
    send: sending => void sent.push(sending as InFlightRecord),
    close: () => {},
  });
  const sender = { onAnswer: () => {}, onUnbearable: () => {} };
  for (let seq = 1; seq <= 16; seq++) window.send(new InFlightRecord(record(1 as DeviceNo, seq), sender));
  expect(window.hasRoom).toBe(false);
  const answered = async (from: number, to: number) => {
    for (const one of sent.slice(from, to)) one.onAnswer(ok);
    await turn();
    return calls;
  };
  expect(await answered(0, 1)).toBe(0);
  expect(await answered(1, 2)).toBe(1);
  expect(await answered(2, 16)).toBe(2);
  window.lost(false);
});

test('an answer to a record that goes again by now says nothing of it', async () => {
  await using temporary = await aStore();
  const { queue, window, clock, deviceNo } = await aQueue(temporary);
  const sent: Sent[] = [];
  window.up(aTransport(sent));
  queue.go();
  sent[0]!.settle({ kind: 'again', why: 'code 500' });
  for (const late of sent.slice(1)) late.settle(ok);
  await clock.advance(5000);
  expect(seqs(sent)).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
  for (const again of sent.slice(5)) again.settle(ok);
  await until('all are written down', () => temporary.store.directory.deviceByNo(deviceNo)!.forwarded.device === 5);
});
