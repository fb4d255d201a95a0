import { once } from 'node:events';
import { request } from 'node:http';
import { request as requestTls } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import mqtt, { type MqttClient } from 'mqtt';
import { BoxBackups } from '../../src/backups/index.ts';
import { type Devices, type DevicesOptions, openDevices } from '../../src/devices/index.ts';
import { listenFew, serveByPath } from '../../src/listeners/index.ts';
import { actionTable, defaultActions } from '../../src/platform/actions.ts';
import { mqttPassword } from '../../src/platform/signature.ts';
import { clockEarliest } from '../../src/runtime/clock.ts';
import { KnownTime } from '../../src/runtime/known-time.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { DeviceEvent, SiteData, Store } from '../../src/store/index.ts';
import { HandClock } from './clock.ts';
import { aProduct, applied, aStore, deviceId, type TemporaryStore } from './store.ts';

export const standsAlone: DevicesOptions['upstream'] = {
  standsAlone: true,
  isUp: () => false,
  whenUp: async () => false,
  tryLogin: async () => 'unreachable',
};

export interface Gateway extends AsyncDisposable {
  readonly devices: Devices;
  readonly store: Store;
  readonly opened: TemporaryStore;
  readonly clock: HandClock;
  readonly mqttUrl: string;
  readonly httpUrl: string;
}

/**
 * The device gateways over a real store, at two plain listeners on the loopback, under a clock that
 * is turned by hand.
 */
export async function aGateway(
  change: Partial<DevicesOptions> & { products?: SiteData['products']; opened?: TemporaryStore } = {},
): Promise<Gateway> {
  const { products = [aProduct()], opened = await aStore(), ...options } = change;
  const clock = (options.clock as HandClock | undefined) ?? new HandClock();
  await applied(opened.store, { products });
  const devices = await openDevices({
    store: opened.store,
    clock,
    time: new KnownTime(clock, { programAt: clockEarliest, newestRecordAt: 0 }),
    log: silentLog,
    actions: actionTable(defaultActions),
    site: { timezone: 'Asia/Shanghai' },
    limits: { logPerSecond: 20, logPerDay: 10_000, logBytes: 4096, messageBytes: 1 << 20, inboxMessages: 1000 },
    strict: false,
    featuresStay: false,
    unnamedStay: false,
    newDevicesPerHour: 500,
    upstream: standsAlone,
    boxProductId: 'GATEHOUSE',
    boxLogsStay: false,
    backupsBelow: new BoxBackups({
      ...{ place: { folder: opened.dataDir, process: null }, clock, log: silentLog },
      ...{ copiesMax: 5, bytesMax: 1 << 30 },
    }),
    ...options,
  });
  const mqttServer = createServer(stream => devices.handleMqtt(stream, { address: '127.0.0.1', loggedIn() {} }));
  await once(mqttServer.listen(0, '127.0.0.1'), 'listening');
  const http = await listenFew(
    'http',
    { host: '127.0.0.1', port: 0 },
    { served: serveByPath([{ path: '/', router: () => devices.routes }], devices.direct), clock, slow() {} },
  );
  return {
    devices,
    store: opened.store,
    opened,
    clock,
    mqttUrl: `mqtt://127.0.0.1:${(mqttServer.address() as AddressInfo).port}`,
    httpUrl: `http://${http.address}`,
    async [Symbol.asyncDispose]() {
      await devices[Symbol.asyncDispose]();
      mqttServer.close();
      await http[Symbol.asyncDispose]();
      if (!change.opened) await opened[Symbol.asyncDispose]();
    },
  };
}

/** What happened to a device, the newest first; a second passes, and all of it is on disk. */
export async function eventsOf(gateway: Gateway, id: string, limit = 20): Promise<DeviceEvent[]> {
  await gateway.clock.advance(1_000);
  await gateway.store.write.noteEvents({ events: [] });
  const { deviceNo } = gateway.store.directory.device(deviceId(id))!;
  return gateway.store.read.events(deviceNo, limit);
}

export const passwordOf = (deviceId: string, accessKey = aProduct().product_key) =>
  mqttPassword({ deviceId, productId: deviceId.slice(0, deviceId.indexOf('_')), accessKey });

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
  readonly json: Record<string, unknown>;
}

export const ask = (
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array; ca?: string } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = (url.startsWith('https:') ? requestTls : request)(
      url,
      {
        ca: options.ca,
        method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
        headers: options.headers,
        agent: false,
      },
      response => {
        const chunks: Buffer[] = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('end', () => {
          const body = Buffer.concat(chunks).toString();
          let json: Record<string, unknown> = {};
          try {
            json = JSON.parse(body);
          } catch {
            // An answer without a body.
          }
          resolve({ status: response.statusCode!, headers: response.headers, body, json });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(options.body);
  });

export const connectHttp = (
  gateway: Gateway,
  deviceId: string,
  accessKey?: string,
  keepAliveTime = 30,
): Promise<Answer> =>
  ask(`${gateway.httpUrl}/api/connect/${deviceId}`, {
    body: JSON.stringify({
      clientId: deviceId,
      userName: deviceId.split('_')[0],
      password: passwordOf(deviceId, accessKey),
      keepAliveTime,
    }),
  });

/** An HTTP device that is logged in. */
export async function anHttpDevice(gateway: Gateway, deviceId: string, accessKey?: string) {
  const { headers } = await connectHttp(gateway, deviceId, accessKey);
  const authorization = String(headers.authorization);
  return {
    authorization,
    push: (envelope: object) =>
      ask(`${gateway.httpUrl}/api/push/${deviceId}`, {
        headers: { authorization },
        body: JSON.stringify({ from: deviceId, to: 'system', time: 0, ...envelope }),
      }),
    log: (text: string) =>
      ask(`${gateway.httpUrl}/api/v2.0/log/FT1/${deviceId.split('_')[1]}`, { headers: { authorization }, body: text }),
    pull: (batchSize = 10) =>
      ask(`${gateway.httpUrl}/api/pull/${deviceId}?batchSize=${batchSize}`, { headers: { authorization } }),
  };
}

/** Resolves with the connected client, or with the CONNACK code that refused it. */
export const connectMqtt = (
  gateway: Gateway,
  deviceId: string,
  accessKey?: string,
  options: mqtt.IClientOptions = {},
): Promise<MqttClient | number> =>
  new Promise(resolve => {
    const { hostname, port } = new URL(gateway.mqttUrl);
    const client = mqtt.connect({
      host: hostname,
      port: Number(port),
      clientId: deviceId,
      username: deviceId.split('_')[0]!,
      password: passwordOf(deviceId, accessKey),
      reconnectPeriod: 0,
      protocolVersion: 4,
      ...options,
    });
    client.on('connect', () => resolve(client));
    client.on('error', error => {
      client.end(true);
      resolve((error as unknown as { code: number }).code);
    });
  });
