import type { Socket } from 'node:net';
import type { ActionName } from '../../../src/platform/actions.ts';
import { type DeviceId, productOf } from '../../../src/platform/device-id.ts';
import type { Clock, Random } from '../../../src/runtime/clock.ts';
import { type ApiFaultKind, type ApiFaultName, ApiFaults, type ApiName } from './api-faults.ts';
import { Arrivals } from './arrivals.ts';
import { SimAttendance, type SimAttendanceOptions } from './attendance/attendance.ts';
import { Batches } from './batches.ts';
import { type FaultName, FaultSwitches, type Faults } from './faults.ts';
import { type CloudEvent, CloudGateway } from './gateway.ts';
import { HttpGateway } from './http-gateway.ts';
import { openHttpServer } from './http-server.ts';
import { Identities, type SimProduct } from './identities.ts';
import { Listener } from './listener.ts';
import { openMqttGateway } from './mqtt-gateway.ts';
import { SimOAuth, type SimOAuthOptions } from './oauth/oauth.ts';
import { type CloudLimits, cloudLimits, Quotas } from './quotas.ts';
import { SimServices, type SimServicesOptions } from './services/api.ts';
import type { SimMessages } from './services/messages.ts';

export const listenerNames = ['mqtts', 'mqtt', 'https', 'http'] as const;
type ListenerName = (typeof listenerNames)[number];

export interface SimCloudOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly products: readonly SimProduct[];
  /** Device keys that the cloud issued earlier, by device id. */
  readonly deviceKeys?: Readonly<Record<string, string>>;
  /**
   * Product ids whose devices may speak for others, as a box in gateway or batch mode does.
   * Default: GATEHOUSE.
   */
  readonly gateways?: readonly string[];
  /**
   * `host:port`; port 0 picks a free one. Default: free ports of the loopback, the TLS ones where
   * `tls` is given.
   */
  readonly listen?: Partial<Record<ListenerName, string>>;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** The limits of SPEC section 8 by default; `false` lifts them. */
  readonly limits?: Partial<CloudLimits> | false;
  readonly faults?: Partial<Faults>;
  /** A file to which each record is written before it is acknowledged, one JSON object a line. */
  readonly record?: string;
  /** How many records of each device are kept in memory. Default: all. */
  readonly keep?: number;
  /** In which the day of the log limit begins. Default Asia/Shanghai. */
  readonly timeZone?: string;
  readonly actions?: Readonly<Record<ActionName, number>>;
  /** Data of the attendance API from the start, and its callers. */
  readonly attendance?: SimAttendanceOptions;
  readonly services?: SimServicesOptions;
  readonly oauth?: SimOAuthOptions;
  readonly apiFaults?: Partial<Record<ApiFaultName, number>>;
  readonly onEvent?: (event: CloudEvent) => void;
}

interface CloudStats {
  readonly received: number;
  /** Same device, channel and bytes as before; in batches, lines with a seq that had arrived. */
  readonly duplicates: number;
  readonly drops: { readonly rate: number; readonly day: number };
  readonly refused: { readonly malformed: number; readonly unknown_topic: number; readonly foreign: number };
  readonly truncated: number;
  readonly online: readonly string[];
  /** Most log records that one device sent in any 1000 ms. */
  readonly logsPerSecondMax: number;
  readonly faults: Readonly<Record<FaultName, number>>;
  readonly apiFaults: Readonly<Record<string, number>>;
  readonly lineIsUp: boolean;
  readonly attendance: ReturnType<SimAttendance['stats']>;
}

/** The platform of SPEC as the cloud runs it: for tests, benches and the demo. */
export interface SimCloud extends AsyncDisposable {
  readonly addresses: Readonly<Partial<Record<ListenerName, string>>>;
  /**
   * `mqtts://…` and `https://…` as an upstream config wants them, the plain ones where there is no
   * TLS.
   */
  readonly urls: { readonly deviceMqtt: string | null; readonly deviceHttp: string | null };
  /** Organization, check-ins and access records: what a test puts there and counts. */
  readonly attendance: SimAttendance;
  /** Messages sent through the public services. */
  readonly messages: Pick<SimMessages, 'taken'>;
  readonly arrivals: Arrivals;
  /** Of the device gateway. */
  readonly faults: FaultSwitches;
  /** Of the other APIs, each by itself. */
  readonly apiFaults: ApiFaults;
  stats(): CloudStats;
  /** Log records of one device that were dropped, by reason. */
  dropped(deviceId: string): { readonly rate: number; readonly day: number };
  isOnline(deviceId: string): boolean;
  /**
   * An envelope for a device: at once where it is connected, at its next connection or pull
   * otherwise.
   */
  send(deviceId: string, envelope: object): 'delivered' | 'waiting';
  /** The same with any bytes, whether they are an envelope or not. */
  sendBytes(deviceId: string, bytes: Uint8Array): 'delivered' | 'waiting';
  /** Cuts the line: closes every port and every connection. */
  cut(): Promise<void>;
  /** Opens the same ports again. */
  restore(): Promise<void>;
  /** Ends all connections; new ones are accepted at once. */
  hangUp(): void;
  /**
   * Records for which this is true are never taken: MQTT closes the connection, HTTP answers code
   * 400.
   */
  refuseForGood(isPoison: ((deviceId: string, topic: string, payload: string) => boolean) | null): void;
  /** The key that was issued to a device. */
  /** The last messages that are no envelopes, as they came. */
  malformed(): readonly { readonly deviceId: string; readonly bytes: Uint8Array }[];
  keyOf(deviceId: string): string | undefined;
  forgetKey(deviceId: string): void;
}

/** Resolves when every listener is up. */
export async function startSimCloud(options: SimCloudOptions): Promise<SimCloud> {
  const { clock, random } = options;
  const limits = limitsOf(options.limits);
  const identities = new Identities(options.products, options.deviceKeys ?? {}, random);
  const arrivals = new Arrivals({ keep: options.keep, file: options.record });
  const quotas = new Quotas(clock, limits, options.timeZone ?? 'Asia/Shanghai');
  const faults = new FaultSwitches(random, options.faults);
  const tell = options.onEvent ?? (() => {});
  const gateways = new Set((options.gateways ?? ['GATEHOUSE']).map(id => id.toUpperCase()));
  const attendance = new SimAttendance(options.attendance ?? {}, {
    clock,
    isOnline: deviceId => gateway.session(deviceId) !== undefined,
  });
  const gateway: CloudGateway = new CloudGateway({
    clock,
    identities,
    arrivals,
    quotas,
    limits,
    gateways,
    actions: options.actions,
    tell,
    forgets: () => faults.strikes('forget'),
    met: deviceId => {
      // A box is not a terminal of the organization.
      if (!gateways.has(productOf(deviceId))) attendance.meet(deviceId);
    },
    reported: (deviceId, action, envelope) => attendance.take(deviceId, action, envelope),
  });
  let isPoison: ((deviceId: string, topic: string, payload: string) => boolean) | null = null;
  const poison = (deviceId: string, topic: string, payload: Uint8Array) =>
    isPoison?.(deviceId, topic, Buffer.from(payload).toString('utf8')) ?? false;
  const batches = new Batches(gateway);
  const mqtt = await openMqttGateway({
    gateway,
    identities,
    faults,
    poison,
    tellRefused: (deviceId, why, kicked) => tell({ kind: kicked ? 'kicked' : 'refused', deviceId, via: 'mqtt', why }),
  });
  const devices = new HttpGateway({
    clock,
    random,
    gateway,
    batches,
    identities,
    faults,
    poison,
    tellRefused: (deviceId, why) => tell({ kind: 'refused', deviceId, via: 'http', why }),
  });
  const apiFaults = new ApiFaults(random, clock);
  for (const [name, chance] of Object.entries(options.apiFaults ?? {})) {
    const [api, kind] = name.split('.') as [ApiName, ApiFaultKind];
    apiFaults.set(api, kind, chance);
  }
  const timeZone = options.timeZone ?? 'Asia/Shanghai';
  const services = new SimServices(options.services ?? {}, { clock, random, timeZone });
  const oauth = new SimOAuth(options.oauth ?? {}, { clock, random });
  const http = openHttpServer([devices, attendance.api, services, oauth], apiFaults);
  const listeners = new Map<ListenerName, Listener>();
  const listen = options.listen ?? defaultListen(options.tls !== undefined);
  for (const name of listenerNames) {
    const address = listen[name];
    if (address === undefined) continue;
    const secure = name.endsWith('s');
    if (secure && !options.tls) throw new TypeError(`${name} needs a certificate`);
    const serve = (socket: Socket) => (name.startsWith('mqtt') ? mqtt.handle(socket) : http.handle(socket));
    listeners.set(name, new Listener(address, secure ? options.tls! : null, serve));
  }
  let up = false;
  const restore = async () => {
    for (const listener of listeners.values()) await listener.open();
    up = true;
  };
  const cut = async () => {
    up = false;
    await Promise.all([...listeners.values()].map(listener => listener.close()));
  };
  await restore();
  const addresses = Object.fromEntries([...listeners].map(([name, { address }]) => [name, address]));

  return {
    addresses,
    urls: {
      deviceMqtt: urlOf(addresses, 'mqtts', 'mqtt'),
      deviceHttp: urlOf(addresses, 'https', 'http'),
    },
    attendance,
    messages: services.messages,
    arrivals,
    faults,
    apiFaults,
    stats: () => {
      const { offeredPerSecondMax, ...drops } = quotas.totals();
      return {
        received: arrivals.received,
        duplicates: arrivals.repeats + batches.repeats,
        drops,
        refused: { ...gateway.refused },
        truncated: gateway.truncated,
        online: gateway.online(),
        logsPerSecondMax: offeredPerSecondMax,
        faults: { ...faults.struck },
        apiFaults: apiFaults.struck(),
        lineIsUp: up,
        attendance: attendance.stats(),
      };
    },
    dropped: deviceId => quotas.dropped(deviceId),
    isOnline: deviceId => gateway.session(deviceId.toUpperCase() as DeviceId) !== undefined,
    send: (deviceId, envelope) =>
      gateway.send(deviceId.toUpperCase() as DeviceId, Buffer.from(JSON.stringify(envelope))),
    sendBytes: (deviceId, bytes) => gateway.send(deviceId.toUpperCase() as DeviceId, bytes),
    cut,
    restore,
    hangUp: () => {
      for (const listener of listeners.values()) listener.hangUp();
    },
    refuseForGood: predicate => {
      isPoison = predicate;
    },
    malformed: () => gateway.malformed,
    keyOf: deviceId => identities.keyOf(deviceId),
    forgetKey: deviceId => identities.forget(deviceId),
    [Symbol.asyncDispose]: async () => {
      await cut();
      http.close();
      await mqtt.close();
      arrivals.close();
      attendance.close();
      services.close();
    },
  };
}

const unlimited: CloudLimits = {
  logPerSecond: Number.POSITIVE_INFINITY,
  logPerDay: Number.POSITIVE_INFINITY,
  logBytes: cloudLimits.logBytes,
};

const limitsOf = (asked: SimCloudOptions['limits']): CloudLimits =>
  asked === false ? unlimited : { ...cloudLimits, ...asked };

const defaultListen = (tls: boolean): Partial<Record<ListenerName, string>> => ({
  mqtt: '127.0.0.1:0',
  http: '127.0.0.1:0',
  ...(tls ? { mqtts: '127.0.0.1:0', https: '127.0.0.1:0' } : {}),
});

function urlOf(addresses: Partial<Record<string, string>>, secure: string, plain: string): string | null {
  const scheme = addresses[secure] === undefined ? plain : secure;
  return addresses[scheme] === undefined ? null : `${scheme}://${addresses[scheme]}`;
}
