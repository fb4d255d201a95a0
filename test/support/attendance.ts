import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Attendance, openAttendance, ReportsThread } from '../../src/attendance/index.ts';
import type { AttendanceOptions } from '../../src/attendance/open.ts';
import { actionTable, defaultActions } from '../../src/platform/actions.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { SiteData } from '../../src/store/index.ts';
import { seededRandom } from './clock.ts';
import { aGateway, anHttpDevice, ask, type Gateway } from './gateway.ts';
import { applied } from './store.ts';
import { until } from './until.ts';

export const payroll = { app_key: 'ak1', app_secret: 'as1', name: 'Payroll' };

/** Any parsed JSON. */
type Json = ReturnType<typeof JSON.parse>;

/** MD5 by hand: a third party signs by itself (SPEC 5.7). */
export const signed = (path: string, key: string, secret: string, timestamp: string): Record<string, string> => ({
  'App-Key': key,
  'App-Timestamp': timestamp,
  'App-Sig': createHash('md5').update(`${path}${timestamp}${key}${secret}`).digest('hex'),
});

export interface AttendanceAnswer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly code: number;
  readonly msg: string;
  readonly data: Json;
}

export interface CallOptions {
  readonly command?: string;
  /** Replace the right ones; null leaves one out. */
  readonly headers?: Record<string, string | null>;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array;
}

/** A caller of the attendance API that signs as the specification says. */
export class AttendanceCaller {
  readonly #url: string;
  readonly #now: () => number;
  readonly #key: string;
  readonly #secret: string;
  readonly #tls: { readonly ca?: string };

  constructor(
    url: string,
    now: () => number,
    key = payroll.app_key,
    secret = payroll.app_secret,
    tls: { readonly ca?: string } = {},
  ) {
    this.#tls = tls;
    this.#url = url;
    this.#now = now;
    this.#key = key;
    this.#secret = secret;
  }

  async call(
    path: string,
    body: object = {},
    { command, headers = {}, raw }: CallOptions = {},
  ): Promise<AttendanceAnswer> {
    const all: Record<string, string | null> = {
      'Content-Type': 'application/json; charset=UTF-8',
      ...signed(path.split('?')[0]!, this.#key, this.#secret, String(this.#now())),
      ...(command === undefined ? {} : { 'Api-Module': 'CHECKIN', 'Api-Cmd': command }),
      ...headers,
    };
    const answer = await ask(`${this.#url}${path}`, {
      method: 'POST',
      ...this.#tls,
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as Record<string, string>,
      body: raw ?? JSON.stringify(body),
    });
    return {
      status: answer.status,
      headers: answer.headers,
      ...(answer.json as { code: number; msg: string; data: unknown }),
    };
  }

  run(command: string, body: object = {}, options: CallOptions = {}): Promise<AttendanceAnswer> {
    return this.call('/v2.0/cloudappapi', body, { command, ...options });
  }

  /** Every check-in after a place, page by page until one is empty. */
  async walk(nextId = 0, pageSize = 500): Promise<{ records: Json[]; nextId: number }> {
    const records: Json[] = [];
    let place = nextId;
    for (;;) {
      const { code, msg, data } = await this.run('checkin_query', { next_id: place, page_size: pageSize });
      if (code !== 0) throw new Error(`checkin_query: ${code} ${msg}`);
      if (data.data.length === 0) return { records, nextId: place };
      records.push(...data.data);
      place = data.next_id;
    }
  }
}

export const aSite: SiteData = {
  attendance_callers: [payroll],
  departments: [
    { ext_id: '0', name: 'Plant 4' },
    { ext_id: 'd1', name: 'Assembly', p_ext_id: '0' },
  ],
  employees: [
    {
      ext_id: 'e1',
      name: 'Li Mei',
      mobile: '13800000000',
      employee_num: '1001',
      department: { ext_id: 'd1', title: 'Fitter' },
    },
  ],
  devices: [{ device_id: 'FACE-T1_A0001', name: 'North gate' }, { device_id: 'FACE-T1_A0002' }],
};

export interface AttendanceBox extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly attendance: Attendance;
  readonly url: string;
  readonly caller: AttendanceCaller;
  callerOf(key: string, secret: string): AttendanceCaller;
  /** Reports as a terminal does; resolves when the tables have it. */
  report(data: object, options?: { deviceId?: string; action?: number; mid?: string; time?: number }): Promise<void>;
  punch(extId: string, checkTime?: number): Promise<void>;
  /** A reports thread, which ends with the box. */
  reports(change?: Partial<ConstructorParameters<typeof ReportsThread>[0]>): ReportsThread;
}

/**
 * The attendance API over a real store and a real device gateway, at a listener on the loopback,
 * under a clock that is turned by hand.
 */
export async function anAttendanceBox(
  change: Partial<Omit<AttendanceOptions, 'site'>> & { site?: SiteData; gateway?: Parameters<typeof aGateway>[0] } = {},
): Promise<AttendanceBox> {
  const { site = aSite, gateway: gatewayChange, ...options } = change;
  const gateway = await aGateway(gatewayChange);
  const { store, devices, clock } = gateway;
  await applied(store, site);
  const attendance = openAttendance({
    store,
    clock,
    random: seededRandom(1),
    log: silentLog,
    actions: actionTable(defaultActions),
    site: { name: 'My site' },
    featuresStay: false,
    callsPerSecond: 10_000,
    terminals: devices,
    cloud: null,
    ...options,
  });
  const opened = new AsyncDisposableStack();
  const server = createServer(
    getRequestListener((incoming, environment) => attendance.routes.fetch(incoming, environment as never)),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let mid = 0;
  const terminals = new Map<string, Awaited<ReturnType<typeof anHttpDevice>>>();
  const box: AttendanceBox = {
    gateway,
    attendance,
    url,
    caller: new AttendanceCaller(url, () => clock.now()),
    callerOf: (key, secret) => new AttendanceCaller(url, () => clock.now(), key, secret),
    async report(data, { deviceId = 'FACE-T1_A0001', action = 2001, mid: named, time = 0 } = {}) {
      const terminal = terminals.get(deviceId) ?? (await anHttpDevice(gateway, deviceId));
      terminals.set(deviceId, terminal);
      const answer = await terminal.push({ mid: named ?? `m${++mid}`, action, data, time });
      if (answer.json.code !== 0) throw new Error(answer.body);
      await store.catchUp();
    },
    reports: change =>
      opened.use(
        new ReportsThread({
          ...{ store, clock, site: { name: 'My site', timezone: 'Asia/Shanghai', locale: 'en' } },
          rules: { clock: 'as_said', nightOvertime: 'work_date', version: '1.2.3' },
          isOnline: deviceNo => devices.isOnline(deviceNo),
          calendar: async () => new Map(),
          ...change,
        }),
      ),
    punch: (extId, checkTime = Math.floor(clock.now() / 1000)) =>
      box.report({ records: [{ ext_id: extId, check_type: 'fa', check_time: checkTime }] }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await opened.disposeAsync();
      await attendance[Symbol.asyncDispose]();
      await gateway[Symbol.asyncDispose]();
    },
  };
  return box;
}

export interface PersonSync {
  readonly upsert: Record<string, unknown>[];
  readonly remove: string[];
}

/** The people that a terminal gets when it pulls, until it has all of them. */
async function pulledPeople(deviceId: string, device: Awaited<ReturnType<typeof anHttpDevice>>, box: AttendanceBox) {
  const { store, clock } = box.gateway;
  const { deviceNo } = [...store.directory.devices()].find(one => one.deviceId === deviceId)!;
  const found: PersonSync[] = [];
  await until('the terminal knows everybody', async () => {
    await clock.advance(1000);
    await box.attendance.whenIdle();
    const { json } = await device.pull();
    for (const message of json.data as { action: number; data: PersonSync }[])
      if (message.action === 2101) found.push(message.data);
    const inSync = (await store.read.personSyncOf(deviceNo)) === (await store.read.personChangeNo());
    return inSync && (await store.read.inbox(deviceNo, { limit: 1, bytesMax: 1 })).length === 0;
  });
  return found;
}

/** A terminal that pulls over HTTP. `pulled`: the people that it gets, until it has all of them. */
export async function aPullingTerminal(box: AttendanceBox, deviceId = 'FACE-T1_A0001', accessKey?: string) {
  const device = await anHttpDevice(box.gateway, deviceId, accessKey);
  return { pulled: () => pulledPeople(deviceId, device, box), pull: () => device.pull() };
}
