import { expect, test } from 'vitest';
import { silentLog } from '../../src/runtime/log.ts';
import type { Channel, DeviceNo, JournalStore, Seq } from '../../src/store/index.ts';
import { Confirmations } from '../../src/upstream/confirmations.ts';
import { InFlightWindow } from '../../src/upstream/in-flight-window.ts';
import { JournalReader } from '../../src/upstream/journal-reader.ts';
import { Pace } from '../../src/upstream/pace.ts';
import { QueueDriver } from '../../src/upstream/queue-driver.ts';
import type { Transport } from '../../src/upstream/transport.ts';
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

/** A session for each device, as in mode per-device, to a cloud that confirms at once. */
function sessions({ store }: TemporaryStore, channel: Channel, numbers: readonly DeviceNo[]) {
  const clock = new HandClock();
  const sent = new Map<DeviceNo, number>(numbers.map(deviceNo => [deviceNo, 0]));
  const counted = { readings: 0 };
  const journal: JournalStore['journal'] = Object.create(store.journal, {
    read: {
      value: (...words: Parameters<typeof store.journal.read>) => {
        counted.readings++;
        return store.journal.read(...words);
      },
    },
    lastSeq: { get: () => store.journal.lastSeq },
  });
  const queues: QueueDriver[] = [];
  const reader = new JournalReader({ store: { journal }, leaving: null, form: 'stamped' }, () => queues);
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
      sharers: () => 1,
      queues: () => devices,
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
