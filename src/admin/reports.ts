import { type DeviceId, parseDeviceId } from '../platform/device-id.ts';
import { explainRefusal } from '../platform/refusals.ts';
import { programVersion } from '../runtime/version.ts';
import {
  type Device,
  type Directory,
  type LedgerRow,
  peopleDataState,
  type RefusalNote,
  type StoppedStore,
} from '../store/index.ts';
import { roomFields } from './disk.ts';
import type { DeviceReport, LedgerReport, ParkedReport } from './port.ts';
import type { BoxStatus, LineReport, OutboxReport, RefusalReport, WearReport } from './status-report.ts';

type Readable = Pick<StoppedStore, 'read' | 'directory' | 'health' | 'room'>;

/** What only a running box knows. */
export interface RunningParts {
  /** No cloud is configured: nothing waits for one. */
  readonly standsAlone: boolean;
  line(): Promise<{ line: LineReport; outbox: OutboxReport }>;
  deviceLine(device: Device): LineReport | null;
  isOnline(device: Device): boolean;
  devices(): Omit<BoxStatus['devices'], 'people_data_waits'>;
  wear(): WearReport;
  /** What works and should not stay so. */
  warnings(): readonly string[];
}

const stoppedLine: LineReport = { state: 'down', since: null, why: 'the box is not running', next_try_at: null };
const refusalsShown = 5;
const refusedWithinMs = 24 * 3600 * 1000;

/** CONTRACT 7, `status --json`; of a stopped box what its store tells. */
export async function statusOf(store: Readable, running: RunningParts | null, now: number): Promise<BoxStatus> {
  const { state, why, usedBytes, freeBytes, dropped, lagRecords, lagMs, heldBack } = store.health();
  const refusals = (await store.read.refusals({ limit: 500 })).filter(({ at }) => at > now - refusedWithinMs);
  const live = await running?.line();
  return {
    running: running !== null,
    version: programVersion,
    line: live?.line ?? stoppedLine,
    outbox: live?.outbox ?? (await outboxOf(store)),
    devices: {
      ...(running?.devices() ?? {
        known: [...store.directory.devices()].length,
        online: 0,
        held_back: 0,
        refused: new Set(refusals.map(({ clientId }) => clientId.toUpperCase())).size,
      }),
      people_data_waits: waitingForPeopleData(store.directory),
    },
    disk: { used_bytes: usedBytes, free_bytes: freeBytes, ...roomFields(store.room(now)), state, why, dropped },
    tables: { behind_records: lagRecords, behind_ms: Math.round(lagMs), held_back: heldBack },
    wear: running?.wear() ?? null,
    warnings: running?.warnings() ?? [],
    refusals: refusals.slice(0, refusalsShown).map(refusalReport),
  };
}

/**
 * How many devices wait for approval to receive people's data; one that is blocked waits for
 * nothing.
 */
export function waitingForPeopleData(directory: Directory): number {
  let count = 0;
  for (const device of directory.devices())
    if (!device.blocked && peopleDataState(device, directory.product(device.productId)) === 'waits') count++;
  return count;
}

async function outboxOf({ read }: Readable): Promise<OutboxReport> {
  const { total, oldestAt } = await read.waiting();
  const parked = await read.parkedCount();
  return {
    waiting: total,
    oldest_at: oldestAt,
    parked,
    per_second: 0,
    catch_up_s: total === 0 ? 0 : null,
  };
}

/** Where each of its records is, and why its logins were refused. */
export async function deviceReportOf(
  store: Readable,
  running: RunningParts | null,
  text: string,
  { limit }: { limit: number },
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
    clock_skew_s: lastSeen.get(deviceNo)?.clockSkewSeconds ?? null,
    blocked: device.blocked,
    people_data: peopleDataState(device, store.directory.product(device.productId)),
    key: keyOf(device),
    waiting: running?.standsAlone ? 0 : (waiting.byDevice.get(deviceNo) ?? 0),
    line: running?.deviceLine(device) ?? null,
    ledger: ledger.map(row => ledgerReport(row, running?.standsAlone ?? false)),
    refusals,
    events: events.map(({ at, kind, detail }) => ({ at, kind, detail })),
  };
}

const unknownDevice = (deviceId: string, refusals: RefusalReport[]): DeviceReport => ({
  device_id: deviceId,
  known: false,
  name: '',
  online: null,
  last_seen_at: null,
  clock_skew_s: null,
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
  reason: row.reason,
});

export const refusalReport = (note: RefusalNote & { count: number; firstAt: number }): RefusalReport => ({
  at: note.at,
  first_at: note.firstAt,
  count: note.count,
  door: note.door,
  client_id: note.clientId,
  address: note.address,
  code: note.code,
  says: explainRefusal({ code: note.code, detail: note.detail }),
});

export async function parkedReports({ read, directory }: Readable): Promise<ParkedReport[]> {
  return (await read.parked({ limit: 100_000 })).map(({ seq, deviceNo, parkedAt, code, reason, sendAgain }) => ({
    seq,
    device_id: directory.deviceByNo(deviceNo)?.deviceId ?? `#${deviceNo}`,
    parked_at: parkedAt,
    code,
    reason,
    send_again: sendAgain,
  }));
}
