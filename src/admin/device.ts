import { z } from '@hono/zod-openapi';
import { type DeviceId, parseDeviceId } from '../platform/device-id.ts';
import {
  type Device,
  type DeviceReads,
  type DirectoryStore,
  type ForwardingReads,
  type GatewayReads,
  type LedgerRow,
  peopleDataState,
  type ReadPart,
} from '../store/index.ts';
import { described } from '../words/described.ts';
import { codedIn } from '../words/sentences.ts';
import { clockReport, clockShape } from './clock.ts';
import { line } from './line-report.ts';
import { operation, type Report, resource } from './operation.ts';
import { sentenceShape } from './problem.ts';
import { type LiveParts, type RefusalReport, refusalReport } from './status.ts';
import { loginRefusal } from './status-shapes.ts';
import { unreadable, unreadableOf, unreadableRecord, unreadRecord } from './unreadable.ts';

export const ledgerRow = z.object({
  seq: z.number(),
  channel: z.string(),
  mid: z.string(),
  action: z.number().nullable(),
  device_time: z.number().nullable().describe(described('Seconds, as the device said', '设备所报的秒')),
  received_at: z.number(),
  clamped: z
    .boolean()
    .describe(
      described(
        'The clock that dated it was wrong, of this box or of one below: the time of receipt is not known',
        '记录该时间的时钟（本网关或下级网关）不对，接收时间未知',
      ),
    ),
  state: z
    .string()
    .describe(
      described(
        'waiting, confirmed, parked, kept here',
        'waiting 等待，confirmed 已确认，parked 被拒收，kept here 只在本网关',
      ),
    ),
  confirmed_at: z.number().nullable(),
  via: z.string().nullable(),
  reason: z.string().nullable(),
  ...sentenceShape,
  unreadable: unreadableRecord,
});
export type LedgerReport = Report<typeof ledgerRow>;

export const peopleData = z
  .enum(['allowed', 'waits', 'refused', 'none'])
  .describe(
    described(
      "Whether it receives people's data; none: devices of its product never do",
      '是否接收人员数据；none：其产品的设备从不接收',
    ),
  );

export const deviceReport = z.object({
  device_id: z.string(),
  known: z.boolean(),
  name: z.string(),
  online: z.boolean().nullable().describe(described('Null on a stopped box', '网关停止时为 null')),
  last_seen_at: z.number().nullable(),
  clock: clockShape,
  unreadable,
  blocked: z.boolean(),
  people_data: peopleData,
  key: z
    .enum(['product key', 'device key', 'device key, not yet used', 'verified by the cloud', 'none'])
    .describe(described('Which key it logs in with', '用哪个密钥登录')),
  waiting: z.number(),
  line: line
    .nullable()
    .describe(described('Its own session at the cloud; null: it has none', '它自己在云平台的会话；null：没有')),
  ledger: z.array(ledgerRow),
  refusals: z.array(loginRefusal),
  events: z.array(z.object({ at: z.number(), kind: z.string(), detail: z.string(), ...sentenceShape })),
});
export type DeviceReport = Report<typeof deviceReport>;

const deviceOperations = {
  report: operation({
    method: 'get',
    path: '/devices/{id}',
    role: 'viewer',
    summary: described(
      'Where each record of a device is, and why its logins were refused',
      '一台设备的每条记录在何处，以及其登录被拒的原因',
    ),
    params: z.object({ id: z.string().max(80) }),
    query: z.object({ limit: z.coerce.number<number>().int().min(1).max(1000).default(20) }),
    returns: described('The device', '设备'),
    answer: deviceReport,
  }),
};

/**
 * Where each of its records is, and why its logins were refused. `text`: what somebody wrote as its
 * id.
 */
type DeviceStore = ReadPart<DeviceReads & ForwardingReads & GatewayReads> & DirectoryStore;

async function deviceReportOf(
  store: DeviceStore,
  running: LiveParts | null,
  text: string,
  limit: number,
): Promise<DeviceReport> {
  const id = parseDeviceId(text);
  const device = id.ok ? store.directory.device(id.value) : undefined;
  const refusals = (await store.read.refusals({ clientId: text, limit: 20 })).map(refusalReport);
  if (!device) return unknownDevice(id.ok ? id.value : (text as DeviceId), refusals);
  const { deviceNo } = device;
  const [ledger, events, lastSeen, waiting] = await Promise.all([
    store.read.ledger(deviceNo, { limit }),
    store.read.events(deviceNo, 20),
    store.read.lastSeen(),
    store.read.waiting(),
  ]);
  return {
    device_id: device.deviceId,
    known: true,
    name: device.name,
    online: running ? running.isOnline(device) : null,
    last_seen_at: lastSeen.get(deviceNo)?.at ?? null,
    clock: clockReport(lastSeen.get(deviceNo)),
    unreadable: await unreadableOf(store.read, deviceNo),
    blocked: device.blocked,
    people_data: peopleDataState(device, store.directory.product(device.productId)),
    key: keyOf(device),
    waiting: running?.standsAlone ? 0 : (waiting.byDevice.get(deviceNo) ?? 0),
    line: running?.deviceLine(device) ?? null,
    ledger: ledger.map(row => ledgerReport(row, running?.standsAlone ?? false)),
    refusals,
    events: events.map(happenedReport),
  };
}

type Happened = Awaited<ReturnType<GatewayReads['events']>>[number];

export const happenedReport = ({ at, kind, detail, said }: Happened): DeviceReport['events'][number] => ({
  ...{ at, kind, detail },
  ...said,
});

const unknownDevice = (deviceId: string, refusals: RefusalReport[]): DeviceReport => ({
  device_id: deviceId,
  known: false,
  name: '',
  online: null,
  last_seen_at: null,
  clock: clockReport(null),
  unreadable: null,
  blocked: false,
  people_data: 'none',
  key: 'none',
  waiting: 0,
  line: null,
  ledger: [],
  refusals,
  events: [],
});

export function keyOf(device: Device): DeviceReport['key'] {
  if (device.accessKey !== null) return device.keyConfirmedAt === null ? 'device key, not yet used' : 'device key';
  return device.presentedPassword === null ? 'product key' : 'verified by the cloud';
}

export const ledgerReport = (row: LedgerRow, standsAlone: boolean): LedgerReport => ({
  seq: row.seq,
  channel: row.channel,
  mid: row.mid,
  action: row.action,
  device_time: row.deviceTime,
  received_at: row.receivedAt,
  clamped: row.clamped,
  state: standsAlone && row.state === 'waiting' ? 'kept here' : row.state,
  confirmed_at: row.confirmedAt,
  via: row.via,
  reason: row.reason?.reason ?? null,
  ...(row.reason && codedIn(row.reason)),
  unreadable: unreadRecord(row.unreadable),
});

export const deviceResource = resource(
  deviceOperations,
  ({ store, live }: { readonly store: DeviceStore; readonly live: LiveParts }) => ({
    report: ({ id, limit }) => deviceReportOf(store, live, id, limit),
  }),
  ({ store }: { readonly store: DeviceStore }) => ({
    report: ({ id, limit }) => deviceReportOf(store, null, id, limit),
  }),
);
