import { Duplex } from 'node:stream';
import { generate } from 'mqtt-packet';
import type { Admission } from '../../src/devices/admission.ts';
import { Counters } from '../../src/devices/counters.ts';
import type { Inbox } from '../../src/devices/inbox.ts';
import { MqttGateway } from '../../src/devices/mqtt/gateway.ts';
import { Pipeline } from '../../src/devices/pipeline.ts';
import { Presence } from '../../src/devices/presence.ts';
import { LogQuota } from '../../src/devices/quota.ts';
import type { Session } from '../../src/devices/session.ts';
import { actionTable, defaultActions } from '../../src/platform/actions.ts';
import { clockEarliest } from '../../src/runtime/clock.ts';
import { KnownTime } from '../../src/runtime/known-time.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { CommitWaiter, DeviceNo, IncomingRecord, Store, StoreError } from '../../src/store/index.ts';
import { regionOfOne } from '../../src/store/port/region.ts';
import { HandClock } from './clock.ts';

export const gatewayDevice = 'FACE-T1_A1';
export const gatewayMessageBytesMax = 4096;
export const gatewayLogsPerSecond = 3;

const session: Session = {
  deviceNo: 7 as DeviceNo,
  clientId: gatewayDevice,
  gateway: 'mqtt',
  address: 'here',
  madeWith: { kind: 'product', secret: 'secret' },
  device: { deviceNo: 7, deviceId: gatewayDevice, productId: 'FACE-T1' } as Session['device'],
};

export const connect = generate({
  cmd: 'connect',
  protocolId: 'MQTT',
  protocolVersion: 4,
  clean: true,
  keepalive: 30,
  clientId: gatewayDevice,
  username: 'FACE-T1',
  password: Buffer.from('secret'),
});

/** A PUBLISH, also one that a library would refuse to send. */
export function publish({
  topic = 'device' as string | Uint8Array,
  payload = '' as string | Uint8Array,
  qos = 1,
  id = 1,
  dup = false,
  retain = false,
}): Buffer {
  const name = Buffer.from(topic);
  const body = Buffer.concat([
    Buffer.from([name.length >> 8, name.length & 255]),
    name,
    Buffer.from(qos > 0 ? [id >> 8, id & 255] : []),
    Buffer.from(payload),
  ]);
  const length = body.length < 128 ? [body.length] : [(body.length & 127) | 128, body.length >> 7];
  return Buffer.concat([Buffer.from([0x30 | (dup ? 8 : 0) | (qos << 1) | (retain ? 1 : 0), ...length]), body]);
}

/**
 * One connection at the MQTT gateway, at the level of bytes: real sessions, real pipeline, and a
 * journal that commits when the test calls `commit`. When the promise of an action resolves, all
 * its effects have happened.
 */
export async function anMqttGateway({
  writableHighWaterMark = 1 << 16,
  login = Promise.resolve(),
  ...change
}: {
  /** The login succeeds when it resolves. */
  login?: Promise<void>;
  strict?: boolean;
  writableHighWaterMark?: number;
} = {}) {
  const clock = new HandClock();
  const counters = new Counters();
  const taken: string[] = [];
  const waiting: CommitWaiter[] = [];
  const state = { congested: false, drained: () => {}, product: { model: 'FT1' } };
  const store = {
    journal: {
      get congested() {
        return state.congested;
      },
      onDrain: (listener: () => void) => {
        state.drained = listener;
      },
      append({ channel, logPath, payload }: IncomingRecord, waiter: CommitWaiter) {
        taken.push(`${logPath || channel} ${Buffer.from(payload).toString('latin1')}`);
        waiting.push(waiter);
      },
    },
    directory: { product: () => state.product },
    ...regionOfOne(),
  } as unknown as Store;
  const refusals: string[] = [];
  const notes: string[] = [];
  const note = (_session: Session, kind: string) => void notes.push(kind);
  const gateway = new MqttGateway({
    clock,
    store,
    log: silentLog,
    admission: { admit: () => login.then(() => ({ ok: true, value: session })) } as unknown as Admission,
    pipeline: new Pipeline({
      store,
      time: new KnownTime(clock, { programAt: clockEarliest, newestRecordAt: 0 }),
      actions: actionTable(defaultActions),
      upstream: {
        standsAlone: true,
        isUp: () => false,
        whenUp: async () => false,
        tryLogin: async () => 'unreachable',
      },
      quota: new LogQuota({
        perSecond: gatewayLogsPerSecond,
        perDay: 1000,
        clock,
        site: { timezone: 'Asia/Shanghai' },
        shared: store.shared.logCounts,
        signal: AbortSignal.abort(),
      }),
      counters,
      activation: null as never,
      logBytesMax: 100,
      featuresStay: false,
      unnamedStay: false,
      answer: (to, payload) => void gateway.handOver(to.deviceNo, payload),
      note,
    }),
    presence: new Presence(store.shared.presence),
    counters,
    inbox: () => ({ async empty() {} }) as unknown as Inbox,
    refused: (_address, refusal) => void refusals.push(refusal.code),
    messageBytesMax: gatewayMessageBytesMax,
    strict: false,
    note,
    tookPlace: () => {},
    whyOver: () => null,
    ...change,
  });
  const written: Buffer[] = [];
  /** Called when the device reads what was written to it; null: it reads at once. */
  let unread: (() => void)[] | null = null;
  const stream = new Duplex({
    writableHighWaterMark,
    read() {},
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk);
      if (unread) unread.push(done);
      else done();
    },
  });
  stream.on('error', () => {});
  gateway.handle(stream, { address: 'here', loggedIn() {} });
  return {
    stream,
    state,
    taken,
    notes,
    refusals,
    counters,
    /** What was written to the device while it was connected, in hex. */
    said: () => Buffer.concat(written).toString('hex'),
    ended: () => stream.destroyed,
    /** Bytes that arrived and were not read. */
    unread: () => stream.readableLength,
    pass: (ms: number) => clock.advance(ms),
    /** The pieces arrive at the same time. */
    async feed(...pieces: readonly Uint8Array[]) {
      for (const piece of pieces) if (!stream.destroyed) stream.push(piece);
      await rest();
    },
    /** The device closes its side. */
    async hangUp() {
      stream.push(null);
      await rest();
    },
    async kick() {
      gateway.kick(session.deviceNo, { reason: 'kicked', code: 'device_blocked', params: {} });
      await rest();
    },
    /** Commits the oldest `count` records, or fails them; false when there was none. */
    async commit(count = waiting.length, error: StoreError | null = null): Promise<boolean> {
      // An event of its own, as from the writer thread.
      setImmediate(() => {
        for (const waiter of waiting.splice(0, count)) waiter.onCommitted(error);
      });
      const any = waiting.length > 0;
      await rest();
      return any;
    },
    /** The journal has room again. */
    async drain() {
      state.congested = false;
      state.drained();
      await rest();
    },
    stopReading() {
      unread = [];
    },
    async readOn() {
      const done = unread ?? [];
      unread = null;
      for (const one of done) one();
      await rest();
    },
    [Symbol.asyncDispose]: () => gateway.close(),
  };
}

/** Waits as many turns of the event loop as the gateway needs at most for one packet. */
async function rest(): Promise<void> {
  for (let turns = 0; turns < 6; turns++) await new Promise(resolve => setImmediate(resolve));
}
