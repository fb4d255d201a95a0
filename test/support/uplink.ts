import { actionTable, defaultActions } from '../../src/platform/actions.ts';
import { limits } from '../../src/platform/limits.ts';
import type { Clock, Random } from '../../src/runtime/clock.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import type { Channel, Device, DeviceNo, Lease, RecordMarks, Store } from '../../src/store/index.ts';
import { leavingWithout, openUpstream, trustOf, type Upstream, type UpstreamConfig } from '../../src/upstream/index.ts';
import { type SimCloud, type SimCloudOptions, startSimCloud } from '../../tools/sim/index.ts';
import { productKey } from './site.ts';
import { aProduct, append, applied, aStore, registered, type TemporaryStore } from './store.ts';
import { punch } from './terminal.ts';

export const aCloudFor = (options: Partial<SimCloudOptions> = {}): Promise<SimCloud> =>
  startSimCloud({
    clock: realClock,
    random: realRandom,
    products: [
      { product_id: 'FACE-T1', product_key: productKey, model: 'FT1' },
      { product_id: 'GATEHOUSE', product_key: 'box-key' },
    ],
    limits: false,
    ...options,
  });

export interface Delivered {
  readonly deviceNo: DeviceNo;
  readonly text: string;
}

/** A store and its uplink, without gateways: the test puts records into the journal. */
export interface UplinkUnderTest extends AsyncDisposable {
  readonly temporary: TemporaryStore;
  readonly store: Store;
  readonly upstream: Upstream;
  /** Messages from the cloud that were delivered. */
  readonly delivered: Delivered[];
  device(id: string): Promise<Device>;
  say(device: Device, text: string, channel?: Channel, marks?: RecordMarks): Promise<void>;
  /** Mids `{from}…{to}` of check-ins. */
  punches(device: Device, from: number, to: number): Promise<void>;
  /** Closes the uplink and the store as after a power cut, and opens both again. */
  restart(): Promise<void>;
}

export async function anUplink(
  config: (UpstreamConfig & { readonly ca?: string }) | null,
  world: {
    clock?: Clock;
    random?: Random;
    perSecond?: number;
    featuresStay?: boolean;
    trueTime?: (receivedAt: number) => number | null;
    perDay?: number;
    devices?: readonly string[];
    /** Where several processes could forward. */
    lease?: Lease;
    handOver?: (text: string) => Promise<void>;
  } = {},
): Promise<UplinkUnderTest> {
  const temporary = await aStore();
  await applied(temporary.store, { products: [aProduct({ product_key: productKey })] });
  for (const id of world.devices ?? []) await registered(temporary.store, id);
  const delivered: Delivered[] = [];
  const open = () =>
    openUpstream({
      config,
      trust: trustOf(config?.ca),
      box: { productId: 'GATEHOUSE', deviceSn: '000001', accessKey: 'box-key' },
      store: world.lease ? { ...temporary.store, forwarding: world.lease } : temporary.store,
      clock: world.clock ?? realClock,
      random: world.random ?? realRandom,
      log: silentLog,
      actions: actionTable(defaultActions),
      trueTime: world.trueTime ?? (() => null),
      leaving: world.featuresStay ? leavingWithout(actionTable(defaultActions)) : null,
      cloudLimits: {
        logPerSecond: world.perSecond ?? limits.logsPerSecondMax,
        logPerDay: world.perDay ?? limits.logsPerDayMax,
        timeZone: 'Asia/Shanghai',
      },
      fromCloud: async (deviceNo, payload) => {
        const text = Buffer.from(payload).toString();
        await world.handOver?.(text);
        delivered.push({ deviceNo, text });
      },
    });
  let upstream = await open();
  const uplink: UplinkUnderTest = {
    temporary,
    delivered,
    get store() {
      return temporary.store;
    },
    get upstream() {
      return upstream;
    },
    device: id => registered(temporary.store, id),
    say: ({ deviceNo, deviceId }, text, channel = 'device', marks = {}) =>
      append(temporary.store, {
        deviceNo,
        channel,
        receivedAt: realClock.now(),
        logPath: channel === 'log' ? `FT1/${deviceId.slice(deviceId.indexOf('_') + 1)}` : '',
        marks,
        payload: Buffer.from(text),
      }),
    async punches(device, from, to) {
      const all: Promise<void>[] = [];
      for (let index = from; index <= to; index++)
        all.push(uplink.say(device, punch(device.deviceId, `${device.deviceId}-${index}`)));
      await Promise.all(all);
    },
    async restart() {
      await upstream[Symbol.asyncDispose]();
      await temporary.reopen();
      upstream = await open();
    },
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
    },
  };
  return uplink;
}

/** The address of a port on which nobody listens. */
export const nobody = 'mqtt://127.0.0.1:9';

export const configFor = (
  cloud: SimCloud,
  mode: UpstreamConfig['mode'] = 'per-device',
  change: Partial<UpstreamConfig & { readonly ca: string }> = {},
): UpstreamConfig & { readonly ca?: string } => ({
  mode,
  deviceMqtt: cloud.urls.deviceMqtt ?? undefined,
  deviceHttp: cloud.urls.deviceHttp ?? undefined,
  ...change,
});
