import { expect, test } from 'vitest';
import { silentLog } from '../../src/runtime/log.ts';
import type { Channel, DeviceNo, Journal, JournalReading, JournalStore, Seq } from '../../src/store/index.ts';
import { CircuitBreaker } from '../../src/upstream/circuit-breaker.ts';
import { CloudSession } from '../../src/upstream/cloud-session.ts';
import { Confirmations } from '../../src/upstream/confirmations.ts';
import { InFlightWindow } from '../../src/upstream/in-flight-window.ts';
import { JournalReader, type QueuesToRead } from '../../src/upstream/journal-reader.ts';
import { Pace } from '../../src/upstream/pace.ts';
import { QueueDriver } from '../../src/upstream/queue-driver.ts';
import type { Sending, Transport } from '../../src/upstream/transport.ts';
import { HandClock } from '../support/clock.ts';
import { append, aStore, registered, type TemporaryStore } from '../support/store.ts';

const turn = () => new Promise(resolve => setImmediate(resolve));
const devices = 40;
/** Of each device: they stand in turn in the journal, some 130 in what one reading brings. */
const payload = Buffer.alloc(1000, 'x');

async function backlog({ store }: TemporaryStore, channel: Channel, each: number): Promise<DeviceNo[]> {
  const numbers: DeviceNo[] = [];
  for (let count = 0; count < devices; count++) numbers.push((await registered(store, `FACE-T1_A${count}`)).deviceNo);
  const logPath = channel === 'log' ? 'FT1/A' : '';
  for (let count = 0; count < each; count++)
    await Promise.all(
      numbers.map(deviceNo => append(store, { deviceNo, channel, receivedAt: 1, logPath, marks: {}, payload })),
    );
  return numbers;
}

/** Counts readings, and the records that were looked at for nobody. */
function countedJournal({ journal }: JournalStore, counted: { readings: number; passedOver: number }): Journal {
  return Object.create(journal, {
    read: {
      value: (after: Seq, options: JournalReading) => {
        counted.readings++;
        const wanted: JournalReading['wanted'] = (...record) => {
          const isWanted = options.wanted?.(...record) ?? true;
          if (!isWanted) counted.passedOver++;
          return isWanted;
        };
        return journal.read(after, { ...options, wanted });
      },
    },
    lastSeq: { get: () => journal.lastSeq },
  });
}

const toRead = (all: readonly QueueDriver[]): QueuesToRead => ({
  all,
  of: (deviceNo, channel) => all.find(queue => queue.deviceNo === deviceNo && queue.channel === channel) ?? null,
});

/** A session for each device, as in mode per-device, to a cloud that confirms at once. */
function sessions({ store }: TemporaryStore, channel: Channel, numbers: readonly DeviceNo[]) {
  const clock = new HandClock();
  const sent = new Map<DeviceNo, number>(numbers.map(deviceNo => [deviceNo, 0]));
  const counted = { readings: 0, passedOver: 0 };
  const journal = countedJournal(store, counted);
  const queues: QueueDriver[] = [];
  const reader = new JournalReader(
    { store: { journal }, leaving: null, trueTime: () => null, form: 'stamped' },
    toRead(queues),
  );
  const confirmations = new Confirmations({ store, clock, log: silentLog });
  const transport: Transport = {
    via: 'mqtt',
    window: 64,
    silentMs: 20_000,
    send: sending => {
      sent.set(sending.deviceNo, sent.get(sending.deviceNo)! + 1);
      queueMicrotask(() => sending.onAnswer({ kind: 'confirmed' }));
    },
    close: () => {},
  };
  /** The device's session comes up. */
  const up = (deviceNo: DeviceNo) => {
    const window = new InFlightWindow({
      clock,
      allowance: { hasRoom: true, sent: () => {} },
      onSilence: () => {},
      onRoom: () => queue.go(),
    });
    const pace = { perSecond: 20, perDay: 10_000, clock, dayOf: () => '2026-11-24', openedAt: -1000 };
    const queue: QueueDriver = new QueueDriver({
      ...{ deviceNo, channel, cursor: 0 as Seq, window, confirmations, store, clock, log: silentLog },
      pace: channel === 'log' ? new Pace(pace) : null,
      floor: () => queue.passedTo,
      random: () => 0,
      onPassed: () => {},
      onSend: () => {},
      sessions: () => devices,
      readOn: () => reader.schedule(),
      waitForRoom: () => {},
    });
    queues.push(queue);
    window.up(transport);
    queue.go();
  };
  const close = () => {
    reader.close();
    for (const queue of queues) queue.close();
    confirmations.close();
  };
  return { clock, sent, counted, up, [Symbol.dispose]: close };
}

test('sessions that come up one after the other do not keep those before them from reading on', async () => {
  await using temporary = await aStore();
  const numbers = await backlog(temporary, 'device', 60);
  using line = sessions(temporary, 'device', numbers);
  for (const deviceNo of numbers) {
    line.up(deviceNo);
    await turn();
  }
  expect(line.sent.get(numbers[0]!)).toBe(60);
  for (let turns = 0; turns < 60; turns++) await turn();
  expect([...line.sent.values()]).toEqual(numbers.map(() => 60));
});

test('devices whose logs go at different moments of a second share the readings of the journal', async () => {
  await using temporary = await aStore();
  const numbers = await backlog(temporary, 'log', 200);
  using line = sessions(temporary, 'log', numbers);
  for (const deviceNo of numbers) {
    line.up(deviceNo);
    await turn();
    await line.clock.advance(1000 / devices);
  }
  line.counted.readings = 0;
  for (let step = 0; step < devices * 10; step++) {
    await line.clock.advance(1000 / devices);
    await turn();
  }
  expect([...line.sent.values()]).toEqual(numbers.map(() => 200));
  // 8,000 records less the first second's, of which a reading brings 130: each is read twice at most.
  expect(line.counted.readings).toBeLessThan(120);
});

/** One session for all devices, as in mode gateway; its window is less than one reading brings. */
function oneSession({ store }: TemporaryStore, numbers: readonly DeviceNo[], channels: readonly Channel[]) {
  const clock = new HandClock();
  const counted = { readings: 0, passedOver: 0 };
  const queues: QueueDriver[] = [];
  const reader = new JournalReader(
    { store: { journal: countedJournal(store, counted) }, leaving: null, trueTime: () => null, form: 'stamped' },
    toRead(queues),
  );
  const confirmations = new Confirmations({ store, clock, log: silentLog });
  const sent: Sending[] = [];
  const transport: Transport = {
    via: 'mqtt',
    window: 100,
    silentMs: 20_000,
    send: sending => void sent.push(sending),
    close: () => {},
  };
  const session = new CloudSession({
    candidates: () => ({ credentials: [{ clientId: 'box', userName: 'box', password: '' }], why: { reason: '' } }),
    connect: async () => ({ kind: 'accepted', transport }),
    breaker: new CircuitBreaker(clock),
    allowance: { hasRoom: true, sent: () => {} },
    ...{ clock, random: () => 0, onUp: () => reader.schedule(), onChange: () => {} },
  });
  const queueOf = (deviceNo: DeviceNo, channel: Channel): QueueDriver => {
    const pace = { perSecond: 20, perDay: 10_000, clock, dayOf: () => '2026-11-24', openedAt: -1000 };
    const queue: QueueDriver = new QueueDriver({
      ...{ deviceNo, channel, cursor: 0 as Seq, window: session.window, confirmations, store, clock, log: silentLog },
      pace: channel === 'log' ? new Pace(pace) : null,
      floor: () => queue.passedTo,
      random: () => 0,
      onPassed: () => {},
      onSend: () => {},
      sessions: () => 1,
      readOn: () => reader.schedule(),
      waitForRoom: () => session.waitForRoom(queue),
    });
    session.queues.add(queue);
    return queue;
  };
  for (const deviceNo of numbers) queues.push(...channels.map(channel => queueOf(deviceNo, channel)));
  session.start();
  /** The cloud confirms some of those that were sent, the oldest first. */
  const confirm = (count: number): number => {
    const some = sent.splice(0, count);
    for (const sending of some) sending.onAnswer({ kind: 'confirmed' });
    return some.length;
  };
  const close = async () => {
    reader.close();
    for (const queue of queues) queue.close();
    confirmations.close();
    await session.stop();
  };
  /** As after each commit. */
  const committed = () => reader.schedule();
  return { confirm, committed, counted, sent, [Symbol.asyncDispose]: close };
}

test('devices that share a session read the journal once, though each sends all that it has at a time', async () => {
  await using temporary = await aStore();
  const each = 100;
  const numbers = await backlog(temporary, 'device', each);
  await using line = oneSession(temporary, numbers, ['device', 'log']);
  for (let left = devices * each, turns = 0; left > 0; turns++) {
    await turn();
    left -= line.confirm(30);
    expect(turns).toBeLessThan(1000);
  }
  expect(line.counted.passedOver).toBeLessThan((devices * each) / 10);
});

test('a fresh message does not wait behind the backlog of another device of its session', async () => {
  await using temporary = await aStore();
  const { store } = temporary;
  const behind = await registered(store, 'FACE-T1_BEHIND');
  const level = await registered(store, 'FACE-T1_LEVEL');
  const message = {
    channel: 'device',
    receivedAt: 1,
    logPath: '',
    marks: {},
    payload: Buffer.alloc(200, 'x'),
  } as const;
  const record = { ...message, deviceNo: behind.deviceNo };
  for (let segments = 0; segments < 40; segments++)
    await Promise.all(Array.from({ length: 500 }, () => append(store, record)));
  // Without queues of logs: an empty one would read to the end, and take the message along.
  await using line = oneSession(temporary, [behind.deviceNo, level.deviceNo], ['device']);
  for (let turns = 0; turns < 20; turns++) {
    await turn();
    line.confirm(30);
  }
  await append(store, { ...message, deviceNo: level.deviceNo });
  line.committed();
  let turns = 0;
  for (; !line.sent.some(({ deviceNo }) => deviceNo === level.deviceNo); turns++) {
    await turn();
    line.confirm(30);
    expect(turns).toBeLessThan(10);
  }
});
