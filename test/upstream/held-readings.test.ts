import { describe, expect, test } from 'vitest';
import { silentLog } from '../../src/runtime/log.ts';
import type { Channel, Device, RecordMarks } from '../../src/store/index.ts';
import { CircuitBreaker } from '../../src/upstream/circuit-breaker.ts';
import { CloudSessions } from '../../src/upstream/cloud-sessions.ts';
import { Confirmations } from '../../src/upstream/confirmations.ts';
import { Forwarder } from '../../src/upstream/forwarder.ts';
import { payloadOf, type Sending, type Transport, type TransportEvents } from '../../src/upstream/transport.ts';
import { HandClock } from '../support/clock.ts';
import { askings, HeldReads, rest } from '../support/held-reads.ts';
import { aProduct, append, applied, aStore, registered, type TemporaryStore } from '../support/store.ts';

/**
 * The forwarder over a journal that answers late: readings are held until the test lets them go on,
 * and meanwhile devices, sessions and records come and go. Mode per-device; what each is about
 * holds for one queue of all devices as for two of each.
 */
async function aForwarder(temporary: TemporaryStore, asking: (typeof askings)[number], window = 100) {
  const { store } = temporary;
  await applied(store, { products: [aProduct()] });
  const clock = new HandClock();
  const reads = new HeldReads(store.journal, asking);
  const confirmedLogs = Promise.withResolvers<number>();
  const sent: Sending[] = [];
  const lost = new Map<string, TransportEvents['lost']>();
  const answered = new Set<Sending>();
  const passed: number[] = [];
  let isReachable = true;
  const transport: Transport = {
    via: 'mqtt',
    window,
    silentMs: 3600_000,
    send: sending => void sent.push(sending),
    close: () => {},
  };
  const sessions = new CloudSessions({
    ...{ mode: 'per-device', box: null, store, clock, random: () => 0, downlink: null as never, onChange: () => {} },
    connect: async ({ clientId }, events) => {
      if (!isReachable) return { kind: 'failed', why: 'the line is down' };
      lost.set(clientId, events.lost);
      return { kind: 'accepted', transport };
    },
    breaker: new CircuitBreaker(clock),
    allowance: { hasRoom: true, sent: () => {} },
    onUp: () => forwarder.readOn(),
  });
  const confirmations = new Confirmations({ store, clock, log: silentLog });
  const forwarder = new Forwarder({
    ...{
      sessions,
      confirmations,
      clock,
      random: () => 0,
      log: silentLog,
      leaving: null,
      trueTime: () => null,
      form: 'stamped',
    },
    store: {
      ...{ journal: reads.journal, directory: store.directory, write: store.write },
      read: Object.create(store.read, { confirmedLogs: { value: () => confirmedLogs.promise } }),
    },
    cloudLimits: { logPerSecond: 2, logPerDay: 10, timeZone: 'Asia/Shanghai' },
    onSend: () => {},
    onPassed: (_deviceNo, _count, upTo) => void passed.push(upTo),
  });
  return {
    ...{ clock, reads, sent, passed, forwarder, confirmedLogs },
    /** Those of one device, in the order in which they were sent. */
    textsOf: (device: Device) =>
      sent.filter(({ deviceNo }) => deviceNo === device.deviceNo).map(one => Buffer.from(payloadOf(one)).toString()),
    /** Numbers as payloads, each in a commit of its own. */
    async says(
      { deviceNo }: Device,
      from: number,
      to: number,
      { channel = 'device', marks = {} }: { channel?: Channel; marks?: RecordMarks } = {},
    ) {
      const logPath = channel === 'log' ? 'FT1/A' : '';
      for (let no = from; no <= to; no++)
        await append(store, { deviceNo, channel, receivedAt: 1, logPath, marks, payload: Buffer.from(`${no}`) });
    },
    /** The cloud confirms all that it has not answered yet. */
    async confirms() {
      for (const sending of sent) {
        if (!answered.has(sending)) sending.onAnswer({ kind: 'confirmed' });
        answered.add(sending);
      }
      await rest();
    },
    /** Its session is up, and its queues ask for what waits. */
    async begin({ deviceNo }: Device) {
      forwarder.forward(deviceNo);
      await clock.advance(20);
      await rest();
    },
    /** The connection breaks, and the next try finds no cloud. */
    async lineDown({ deviceId }: Device) {
      isReachable = false;
      lost.get(deviceId)!({ reason: 'it broke' });
      await clock.advance(3000);
    },
    async lineUp() {
      isReachable = true;
      await clock.advance(3020);
      await rest();
    },
    async [Symbol.asyncDispose]() {
      forwarder.close();
      confirmations.close();
      await reads.free();
      await sessions.stop();
    },
  };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`);

describe.each(askings)('of a journal that answers late and asks %s what is wanted', asking => {
  test('one reading is under way at a time, and behind it comes what was committed meanwhile', async () => {
    await using temporary = await aStore();
    await using line = await aForwarder(temporary, asking);
    const device = await registered(temporary.store);
    await line.says(device, 1, 3);
    await line.begin(device);
    expect(line.reads.begun).toEqual([0]);
    await line.says(device, 4, 5);
    line.forwarder.readOn();
    await rest();
    expect(line.reads.begun).toEqual([0]);
    await line.reads.release();
    expect(line.textsOf(device)).toEqual(numbers(1, 3));
    expect(line.reads.begun).toEqual([0, 3]);
    // What is confirmed asks for more: that too is for the reading behind this one.
    await line.confirms();
    expect(line.reads.underWay).toBe(1);
    await line.reads.release();
    expect(line.textsOf(device)).toEqual(numbers(1, 5));
    expect(line.reads.underWay).toBe(0);
  });

  test('a device that leaves during a reading takes nothing of it, and the others their own', async () => {
    await using temporary = await aStore();
    await using line = await aForwarder(temporary, asking);
    const gone = await registered(temporary.store, 'FACE-T1_A1');
    const stays = await registered(temporary.store, 'FACE-T1_A2');
    await line.says(gone, 1, 2);
    await line.says(stays, 3, 4);
    line.forwarder.forward(stays.deviceNo);
    await line.begin(gone);
    // The one that was up first is alone in the first reading.
    await line.reads.release();
    expect(line.textsOf(stays)).toEqual(['3', '4']);
    await line.says(gone, 5, 6);
    await line.says(stays, 7, 8);
    expect(line.reads.begun).toEqual([0, 0]);
    line.forwarder.release(gone.deviceNo);
    await line.reads.free();
    expect(line.textsOf(gone)).toEqual([]);
    expect(line.textsOf(stays)).toEqual(['3', '4', '7', '8']);
    // It comes back, and is owed the rest: each once, in order.
    await line.begin(gone);
    expect(line.textsOf(gone)).toEqual(['1', '2', '5', '6']);
  });

  test('a device that leaves and comes back during a reading reads for itself', async () => {
    await using temporary = await aStore();
    await using line = await aForwarder(temporary, asking);
    const device = await registered(temporary.store);
    await line.says(device, 1, 3);
    await line.begin(device);
    line.forwarder.release(device.deviceNo);
    await line.begin(device);
    expect(line.reads.begun).toEqual([0]);
    await line.reads.release();
    expect(line.sent).toEqual([]);
    expect(line.reads.begun).toEqual([0, 0]);
    await line.reads.free();
    expect(line.textsOf(device)).toEqual(numbers(1, 3));
  });

  test.each([
    ['before it has a session again', false],
    ['after it has a session again', true],
  ])(
    'a queue that forgot during a reading what it held passes over none of it: the reading ends %s',
    async (_, isUp) => {
      await using temporary = await aStore();
      await using line = await aForwarder(temporary, asking, 2);
      const device = await registered(temporary.store);
      await line.says(device, 1, 5);
      await line.begin(device);
      await line.reads.release();
      expect(line.textsOf(device)).toEqual(['1', '2']);
      await line.says(device, 6, 7);
      line.forwarder.readOn();
      await rest();
      expect(line.reads.begun).toEqual([0, 5]);
      await line.lineDown(device);
      if (isUp) await line.lineUp();
      await line.reads.release();
      if (!isUp) await line.lineUp();
      expect(line.reads.begun).toEqual([0, 5, 0]);
      await line.reads.free();
      // What was sent before goes once more.
      line.sent.splice(0, 2);
      for (let rounds = 0; rounds < 7; rounds++) await line.confirms();
      expect(line.textsOf(device)).toEqual(numbers(1, 7));
    },
  );

  test('what a reading brings after its session was given up is not kept in memory, but read again', async () => {
    await using temporary = await aStore();
    await using line = await aForwarder(temporary, asking);
    const device = await registered(temporary.store);
    await line.says(device, 1, 3);
    await line.begin(device);
    await line.lineDown(device);
    await line.reads.release();
    expect(line.reads.begun).toEqual([0]);
    await line.lineUp();
    expect(line.sent).toEqual([]);
    expect(line.reads.begun).toEqual([0, 0]);
    await line.reads.free();
    expect(line.textsOf(device)).toEqual(numbers(1, 3));
  });

  test('logs that were forgotten during a reading because the day was spent go on the next day, in order', async () => {
    await using temporary = await aStore();
    await using line = await aForwarder(temporary, asking);
    const device = await registered(temporary.store);
    await line.clock.advance(1000);
    await line.says(device, 1, 3, { channel: 'log' });
    await line.begin(device);
    await line.reads.release();
    expect(line.textsOf(device)).toEqual(['1', '2']);
    await line.says(device, 4, 5, { channel: 'log' });
    line.forwarder.readOn();
    await rest();
    expect(line.reads.begun).toEqual([0, 3]);
    line.confirmedLogs.resolve(10);
    await rest();
    line.clock.set(line.clock.now() + 24 * 3600_000);
    await line.reads.free();
    for (let seconds = 0; seconds < 5; seconds++) {
      await line.confirms();
      await line.clock.advance(1000);
    }
    expect(line.textsOf(device)).toEqual(numbers(1, 5));
  });

  test.each([
    ['succeeds', null],
    // A rejection that nobody handles would fail the run of the tests.
    ['fails', new Error('the store is closed')],
  ])('after the end a reading that %s is for nobody, and none follows', async (_, error) => {
    await using temporary = await aStore();
    await using line = await aForwarder(temporary, asking);
    const device = await registered(temporary.store);
    // Passed at once by whoever takes it.
    await line.says(device, 1, 1, { marks: { local: true } });
    await line.says(device, 2, 3);
    await line.begin(device);
    line.forwarder.close();
    await (error === null ? line.reads.release() : line.reads.fail(error));
    line.forwarder.readOn();
    await rest();
    expect(line.reads.begun).toEqual([0]);
    expect([line.sent, line.passed]).toEqual([[], []]);
  });
});
