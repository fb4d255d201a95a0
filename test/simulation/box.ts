import { BoxBackups } from '../../src/backups/index.ts';
import { type Devices, openDevices, type UpstreamView } from '../../src/devices/index.ts';
import { actionTable, defaultActions } from '../../src/platform/actions.ts';
import { limits } from '../../src/platform/limits.ts';
import { clockEarliest } from '../../src/runtime/clock.ts';
import { KnownTime } from '../../src/runtime/known-time.ts';
import type { Log } from '../../src/runtime/log.ts';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { serveReads } from '../../src/store/readers/reader.ts';
import { openReadOnly } from '../../src/store/schema/database.ts';
import { WriterLoop } from '../../src/store/writer/loop.ts';
import type { WriterData } from '../../src/store/writer/messages.ts';
import { sqliteEngine } from '../../src/store/writer/sqlite-engine.ts';
import { Writer } from '../../src/store/writer/writer.ts';
import { openUpstream, trustOf, type Upstream } from '../../src/upstream/index.ts';
import type { ThreadEntries } from './ports.ts';

/** The core of a box: gateways, pipeline, journal, tables, forwarder. */
export interface Box {
  readonly store: Store;
  readonly devices: Devices;
  readonly upstream: Upstream;
  close(): Promise<void>;
}

const trust = trustOf(undefined);
/** All of it, once. */
void trust.context;

interface BoxOptions {
  readonly dataDir: string;
  readonly tablesRestMs: number;
  /** Its address. */
  readonly cloud: string;
  readonly log: Log;
}

/** As `box/gateways.ts` does it, over the store of this folder. */
export async function openBox({ dataDir, tablesRestMs, cloud, log }: BoxOptions): Promise<Box> {
  const [clock, random] = [realClock, realRandom];
  const actions = actionTable(defaultActions);
  const store = await openStore({
    ...{ dataDir, tablesRestMs, clock, log, actions: defaultActions },
    environment: 'test',
    timeZone: 'Asia/Shanghai',
    upstream: true,
    writtenBytes: () => 0,
  });
  let bound: Upstream | null = null;
  const view: UpstreamView = {
    standsAlone: false,
    isUp: deviceNo => bound?.isUp(deviceNo) ?? false,
    whenUp: async (deviceNo, signal) => bound?.whenUp(deviceNo, signal) ?? false,
    tryLogin: async credentials => bound?.tryLogin(credentials) ?? 'unreachable',
  };
  const newestRecordAt = 0;
  const time = new KnownTime(clock, { programAt: clockEarliest, newestRecordAt });
  const devices = await openDevices({
    ...{ store, clock, time, log, actions },
    site: { timezone: 'Asia/Shanghai' },
    limits: { logPerSecond: 20, logPerDay: 10_000, logBytes: 4096, messageBytes: 1 << 20, inboxMessages: 1000 },
    strict: false,
    featuresStay: false,
    unnamedStay: false,
    newDevicesPerHour: 500,
    upstream: view,
    boxProductId: 'GATEHOUSE',
    boxLogsStay: true,
    backupsBelow: new BoxBackups({
      ...{ place: { folder: dataDir, process: null }, clock, log, copiesMax: 5, bytesMax: 1 << 30 },
    }),
  });
  const upstream = await openUpstream({
    ...{ store, clock, random, log, actions, trust },
    config: { mode: 'per-device', deviceMqtt: cloud },
    box: null,
    trueTime: receivedAt => time.trueTime(receivedAt),
    leaving: null,
    cloudLimits: {
      logPerSecond: limits.logsPerSecondMax,
      logPerDay: limits.logsPerDayMax,
      timeZone: 'Asia/Shanghai',
    },
    fromCloud: (deviceNo, payload) => devices.fromCloud(deviceNo, payload),
  });
  bound = upstream;
  devices.onPresence((deviceNo, online) => upstream.presence(deviceNo, online));
  return {
    store,
    devices,
    upstream,
    async close() {
      await upstream[Symbol.asyncDispose]();
      await devices[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** Starts of the threads, as in `store/writer/thread.ts` and `store/readers/thread.ts`. */
export const boxThreads: ThreadEntries = {
  writer(port, data: WriterData) {
    const writer = new Writer(sqliteEngine(data.dataDir, data.sealKey), data, state => port.postMessage(state));
    new WriterLoop(writer, port as never, data.tablesRestMs).start();
  },
  reader(port, { dataDir, sealKey, hasCloud }: { dataDir: string; sealKey: Uint8Array; hasCloud: boolean }) {
    serveReads(port as never, openReadOnly(dataDir, sealKey), hasCloud);
  },
};
