import { type Attendance, keptHeads } from '../attendance/index.ts';
import type { Backups, BackupsReport } from '../backups/index.ts';
import { type DevicesStatus, stillRefused } from '../devices/index.ts';
import { alertLanguage } from '../platform/alert-words.ts';
import { countStates, deviceState } from '../platform/device-state.ts';
import { explainRefusal, isBeforeLogin } from '../platform/refusals.ts';
import type { Site } from '../platform/site.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import { programVersion } from '../runtime/version.ts';
import type { Standing } from '../standing/index.ts';
import {
  type Device,
  type DeviceReads,
  type Directory,
  type DirectoryStore,
  type ForwardingReads,
  type GatewayReads,
  type HealthStore,
  peopleDataState,
  type ReadPart,
  type RefusalNote,
  type RememberedReads,
  type RoomReport,
  type Unreadable,
} from '../store/index.ts';
import { described } from '../words/described.ts';
import { type GivenReason, type Reason, whyIn } from '../words/sentences.ts';
import { lastBackupAt } from './backups.ts';
import { roomFields } from './disk.ts';
import { type LineReport, noLine, type OutboxReport, stoppedLine } from './line-report.ts';
import { operation, type Report, resource } from './operation.ts';
import { standingReport } from './standing.ts';
import { boxStatus, type loginRefusal } from './status-shapes.ts';
import { devicesUnread } from './unreadable.ts';
import type { WearReport } from './wear-report.ts';

export type RefusalReport = Report<typeof loginRefusal>;

export type BoxStatus = Report<typeof boxStatus>;

const statusOperations = {
  report: operation({
    method: 'get',
    path: '/status',
    role: 'viewer',
    summary: described('The line, the outbox, the devices, the disk', '线路、等待上传的记录、设备和磁盘'),
    returns: described('The status', '状态'),
    answer: boxStatus,
  }),
};

/** Sources of the status. A stopped store has no clock, so that `room` is told the time. */
type StatusStore = ReadPart<
  ForwardingReads & GatewayReads & Pick<DeviceReads, 'lastConnected' | 'wereHere' | 'malformed'> & RememberedReads
> &
  DirectoryStore &
  HealthStore & { room(now: UnixMs): RoomReport };

/** Parts of the status that only a running box knows. */
export interface LiveParts {
  /** No cloud is configured: nothing waits for one. */
  readonly standsAlone: boolean;
  /** List of what wants a person. */
  standing(): Promise<readonly Standing[]>;
  line(): Promise<{ line: LineReport; outbox: OutboxReport }>;
  deviceLine(device: Device): LineReport | null;
  isOnline(device: Device): boolean;
  devices(): DevicesStatus;
  wear(): WearReport;
  /** Of a small write, until it is on disk; null: not measured. */
  readonly flushMs: number | null;
  readonly attendance: Pick<Attendance, 'status'>;
  /** Null in a region. */
  readonly backups: Pick<Backups, 'report'> | null;
  /** Faults of a region's database. */
  database(): readonly Reason[];
  /** Faults that do not stop it from working, and should not last. */
  warnings(): readonly GivenReason[];
}

const refusalsShown = 5;
const refusedWithinMs = 24 * 3600 * 1000;

/** Of a stopped box what its store tells. `isAlone`: it has no cloud to send to. */
async function statusOf(
  store: StatusStore,
  {
    running,
    isAlone,
    site: { timezone, locale },
    now,
  }: {
    readonly running: LiveParts | null;
    readonly isAlone: boolean;
    readonly site: StatusParts['site'];
    readonly now: number;
  },
): Promise<BoxStatus> {
  const health = store.health();
  const { state, usedBytes, freeBytes, dropped, unreadable, isUnwritable, lagRecords, lagMs, heldBack } = health;
  const refusals = (await store.read.refusals({ limit: 500 })).filter(({ at }) => at > now - refusedWithinMs);
  const [live, kept, standing] = await Promise.all([running?.line(), keptHeads(store), running?.standing()]);
  return {
    running: running !== null,
    version: programVersion,
    timezone,
    standing: standing?.map(one => standingReport(one, alertLanguage(locale))) ?? null,
    ...(live ?? (isAlone ? noLine : await stoppedLine(store))),
    mirror: running?.attendance.status().mirror ?? null,
    devices: {
      ...(running?.devices() ?? (await devicesOfStopped(store, refusals, now))),
      people_data_waits: waitingForPeopleData(store.directory),
      unreadable: await devicesUnread(store),
    },
    disk: {
      ...{ used_bytes: usedBytes, free_bytes: freeBytes, ...roomFields(store.room(now)) },
      ...{ state, ...whyIn(health), flush_ms: running?.flushMs ?? null, dropped },
      unreadable: unreadable && unreadableReport(unreadable),
      unwritable: isUnwritable,
    },
    tables: { behind_records: lagRecords, behind_ms: Math.round(lagMs), held_back: heldBack },
    wear: running?.wear() ?? null,
    database: [...(running?.database() ?? [])],
    warnings: running?.warnings() ?? [],
    statement: kept && { no: kept.head.no, day: kept.head.day, hash: kept.head.hash },
    backup:
      running?.backups === null ? null : await backupStatusOf(store.read, (await running?.backups.report()) ?? null),
    refusals: refusals.slice(0, refusalsShown).map(refusalReport),
  };
}

const unreadableReport = ({ logBlocks, ...unreadable }: Unreadable): BoxStatus['disk']['unreadable'] => ({
  ...unreadable,
  log_blocks: logBlocks,
});

async function backupStatusOf(read: RememberedReads, report: BackupsReport | null) {
  // The copy that was restored may have been deleted since, because a newer one stays.
  const tried = (report?.targets ?? []).flatMap(({ drill, copies }) => [
    ...(drill?.why === '' ? [drill.at] : []),
    ...copies.flatMap(copy => copy.restoreTriedAt ?? []),
  ]);
  return {
    last_at: await lastBackupAt(read),
    verified_at: report?.lastGoodAt ?? null,
    restore_tried_at: tried.length === 0 ? null : Math.max(...tried),
    next_at: report?.nextAt ?? null,
    failures: (report?.targets ?? []).flatMap(({ failure }) => failure?.why ?? []),
  };
}

/**
 * How many devices wait for approval to receive people's data; one that is blocked waits for
 * nothing.
 */
export function waitingForPeopleData(directory: Directory): number {
  let count = 0;
  for (const device of directory.devices()) if (waitsForPeopleData(device, directory)) count++;
  return count;
}

export const waitsForPeopleData = (device: Device, directory: Directory): boolean =>
  !device.blocked && peopleDataState(device, directory.product(device.productId)) === 'waits';

/** By the rules of a running box, as far as its store tells: nothing is online. */
async function devicesOfStopped(
  { directory, read }: StatusStore,
  refusals: readonly RefusalNote[],
  now: UnixMs,
): Promise<DevicesStatus> {
  const refused = new Set(
    refusals
      .filter(note => !isBeforeLogin(note.code) && stillRefused(note, directory, now))
      .map(({ clientId }) => clientId.toUpperCase()),
  );
  const wereHere = await read.wereHere();
  const devices = [...directory.devices()];
  for (const { deviceId, deviceNo } of devices) {
    if (!refused.has(deviceId)) continue;
    const last = Math.max(...refusals.filter(one => one.clientId.toUpperCase() === deviceId).map(({ at }) => at));
    if (((await read.lastConnected(deviceNo)) ?? 0) > last) refused.delete(deviceId);
  }
  const states = countStates(
    devices.map(({ deviceId, deviceNo, blocked, belongsTo }) =>
      deviceState({
        isBlocked: blocked,
        isOnline: false,
        isHeldBack: false,
        isRefused: refused.has(deviceId),
        isElsewhere: belongsTo !== null && belongsTo !== 'here',
        wasHere: wereHere.has(deviceNo),
      }),
    ),
  );
  return { known: devices.length, online: 0, held_back: 0, refused: refused.size, states };
}

export const refusalReport = (note: RefusalNote & { count: number; firstAt: number }): RefusalReport => ({
  ...{ at: note.at, first_at: note.firstAt, count: note.count },
  ...{ door: note.door, client_id: note.clientId, address: note.address },
  ...{ code: note.code, detail: note.detail, message: explainRefusal({ code: note.code, detail: note.detail }).reason },
});

interface StatusParts {
  readonly store: StatusStore;
  readonly clock: Clock;
  readonly site: Pick<Site, 'timezone' | 'locale'>;
}

export const statusResource = resource(
  statusOperations,
  ({ store, live, clock, site }: StatusParts & { readonly live: LiveParts }) => ({
    report: () => statusOf(store, { running: live, isAlone: false, site, now: clock.now() }),
  }),
  ({ store, isAlone, clock, site }: StatusParts & { readonly isAlone: boolean }) => ({
    report: () => statusOf(store, { running: null, isAlone, site, now: clock.now() }),
  }),
);
