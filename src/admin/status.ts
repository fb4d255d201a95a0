import { z } from '@hono/zod-openapi';
import { type Attendance, keptHeads } from '../attendance/index.ts';
import type { Backups, BackupsReport } from '../backups/index.ts';
import { type DevicesStatus, stillRefused } from '../devices/index.ts';
import { countStates, type DeviceState, deviceState } from '../platform/device-state.ts';
import { explainRefusal, isBeforeLogin } from '../platform/refusals.ts';
import type { Site } from '../platform/site.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import { programVersion } from '../runtime/version.ts';
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
import { mirrorReport } from './attendance.ts';
import { lastBackupAt } from './backups.ts';
import { roomFields, roomShape } from './disk.ts';
import { type LineReport, line, noLine, type OutboxReport, outbox, stoppedLine } from './line-report.ts';
import { operation, type Report, resource } from './operation.ts';
import { statementHead } from './statements.ts';
import { devicesUnread, unreadableDevices } from './unreadable.ts';
import { type WearReport, wear } from './wear-report.ts';

export const loginRefusal = z.object({
  at: z.number(),
  first_at: z.number(),
  count: z.number(),
  door: z.string(),
  client_id: z.string(),
  address: z.string(),
  code: z.string(),
  detail: z.string().describe('What was refused, such as the name of a topic; never a secret'),
  message: z.string().describe('One sentence: what, why, and what to do'),
});
export type RefusalReport = Report<typeof loginRefusal>;

const deviceStateCounts = z
  .object({
    online: z.number(),
    held_back: z.number(),
    refused: z.number().describe('Known devices that are refused'),
    elsewhere: z.number().describe('Behind a box below, which alone knows whether they are there'),
    silent: z.number().describe('Were here once, and are not connected'),
    never: z.number().describe('Have never been here'),
    blocked: z.number(),
  } satisfies Record<DeviceState, z.ZodNumber>)
  .describe('Each known device is in one state. On a stopped box none is online');

/** CONTRACT 7, `status --json`; times in milliseconds since 1970. */
export const boxStatus = z.object({
  running: z.boolean(),
  version: z.string(),
  timezone: z.string().describe('The time zone of the site, such as Asia/Shanghai'),
  line,
  outbox,
  mirror: mirrorReport.nullable().describe('Null where the box is the authority of its organization, or is stopped'),
  devices: z.object({
    known: z.number(),
    online: z.number(),
    refused: z
      .number()
      .describe('Device ids, known or not, that were refused within the last day and not let in since'),
    held_back: z
      .number()
      .describe('Away because the box takes nothing at the moment, or did not until a quarter of an hour ago'),
    states: deviceStateCounts,
    people_data_waits: z.number().describe("They wait for approval to receive people's data"),
    unreadable: unreadableDevices,
  }),
  disk: z.object({
    used_bytes: z.number(),
    free_bytes: z.number(),
    ...roomShape,
    state: z.string().describe('ok, or why nothing is acknowledged at the moment'),
    why: z.string(),
    dropped: z.record(z.string(), z.number()).describe('Dropped by the disk-full policy, by reason'),
    unreadable: z
      .object({
        segments: z.number().describe('Places of the journal'),
        records: z.number().describe('Records in them, at most'),
        from: z.number().nullable().describe('When the first of them was received; null: not known'),
        to: z.number().nullable().describe('When the last of them was received; null: not known'),
        log_blocks: z.number().describe('Blocks of logs'),
        tables: z.string().describe('Why the tables cannot be filled from the journal; empty: they can'),
      })
      .nullable()
      .describe('What cannot be read from the disk, as far as it was noticed since the start; null: nothing'),
    unwritable: z
      .boolean()
      .describe('The database file cannot be written in places; what is acknowledged is kept in its log, which grows'),
  }),
  tables: z
    .object({
      behind_records: z.number().describe('Records that were acknowledged and that they do not hold yet'),
      behind_ms: z.number().describe('For how long the oldest of them; 0 on a stopped box'),
      held_back: z.boolean().describe('So far behind that devices are not read until they have come nearer'),
    })
    .describe('The tables that are filled from the journal'),
  wear: wear.nullable().describe('Null on a stopped box'),
  database: z
    .array(z.string())
    .describe('What is wrong with the database of a region, a sentence each with what to do; empty on a box'),
  warnings: z
    .array(z.string())
    .describe('What works and should not stay so, a sentence each with what to do; empty on a stopped box'),
  statement: statementHead,
  backup: z
    .object({
      last_at: z.number().nullable().describe('Null: none was made that the box knows of'),
      verified_at: z.number().nullable().describe('When a copy was last read back from a target and found good'),
      restore_tried_at: z.number().nullable().describe('When a restore from a target was last tried, and went well'),
      next_at: z.number().nullable().describe('Null: there is no schedule, or the box is stopped'),
      failures: z.array(z.string()).describe('Of each target that failed at the last run: why, and what to do'),
    })
    .describe('Backups; of a stopped box what its store tells'),
  refusals: z.array(loginRefusal).describe('The last refused logins, newest first'),
});
export type BoxStatus = Report<typeof boxStatus>;

const statusOperations = {
  report: operation({
    method: 'get',
    path: '/status',
    role: 'viewer',
    summary: 'The line, the outbox, the devices, the disk',
    returns: 'The status',
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
  line(): Promise<{ line: LineReport; outbox: OutboxReport }>;
  deviceLine(device: Device): LineReport | null;
  isOnline(device: Device): boolean;
  devices(): DevicesStatus;
  wear(): WearReport;
  readonly attendance: Pick<Attendance, 'status'>;
  readonly backups: Pick<Backups, 'report'>;
  /** Faults of a region's database. */
  database(): readonly string[];
  /** Faults that do not stop it from working, and should not last. */
  warnings(): readonly string[];
}

const refusalsShown = 5;
const refusedWithinMs = 24 * 3600 * 1000;

/** Of a stopped box what its store tells. `isAlone`: it has no cloud to send to. */
async function statusOf(
  store: StatusStore,
  {
    running,
    isAlone,
    timezone,
    now,
  }: {
    readonly running: LiveParts | null;
    readonly isAlone: boolean;
    readonly timezone: string;
    readonly now: number;
  },
): Promise<BoxStatus> {
  const { state, why, usedBytes, freeBytes, dropped, unreadable, isUnwritable, lagRecords, lagMs, heldBack } =
    store.health();
  const refusals = (await store.read.refusals({ limit: 500 })).filter(({ at }) => at > now - refusedWithinMs);
  const [live, kept] = await Promise.all([running?.line(), keptHeads(store)]);
  return {
    running: running !== null,
    version: programVersion,
    timezone,
    ...(live ?? (isAlone ? noLine : await stoppedLine(store))),
    mirror: running?.attendance.status().mirror ?? null,
    devices: {
      ...(running?.devices() ?? (await devicesOfStopped(store, refusals, now))),
      people_data_waits: waitingForPeopleData(store.directory),
      unreadable: await devicesUnread(store),
    },
    disk: {
      ...{ used_bytes: usedBytes, free_bytes: freeBytes, ...roomFields(store.room(now)), state, why, dropped },
      unreadable: unreadable && unreadableReport(unreadable),
      unwritable: isUnwritable,
    },
    tables: { behind_records: lagRecords, behind_ms: Math.round(lagMs), held_back: heldBack },
    wear: running?.wear() ?? null,
    database: [...(running?.database() ?? [])],
    warnings: running?.warnings() ?? [],
    statement: kept && { no: kept.head.no, day: kept.head.day, hash: kept.head.hash },
    backup: await backupStatusOf(store.read, running && (await running.backups.report())),
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
    ...(drill?.why === null ? [drill.at] : []),
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
  for (const device of directory.devices())
    if (!device.blocked && peopleDataState(device, directory.product(device.productId)) === 'waits') count++;
  return count;
}

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
  ...{ code: note.code, detail: note.detail, message: explainRefusal({ code: note.code, detail: note.detail }) },
});

interface StatusParts {
  readonly store: StatusStore;
  readonly clock: Clock;
  readonly site: Pick<Site, 'timezone'>;
}

export const statusResource = resource(
  statusOperations,
  ({ store, live, clock, site }: StatusParts & { readonly live: LiveParts }) => ({
    report: () => statusOf(store, { running: live, isAlone: false, timezone: site.timezone, now: clock.now() }),
  }),
  ({ store, isAlone, clock, site }: StatusParts & { readonly isAlone: boolean }) => ({
    report: () => statusOf(store, { running: null, isAlone, timezone: site.timezone, now: clock.now() }),
  }),
);
