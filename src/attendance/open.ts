import { createHash } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ActionTable } from '../platform/actions.ts';
import { type CallerUse, CallerUses } from '../platform/caller-uses.ts';
import type { SignedRequest } from '../platform/signed-request.ts';
import type { Site } from '../platform/site.ts';
import type { Clock, Random } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type {
  AuditStore,
  CatchUpStore,
  DeviceNo,
  DirectoryStore,
  LevelStore,
  MirrorStore,
  OrganizationStore,
  RememberedStore,
  SharedStore,
  SignedCallStore,
  Store,
  WholeStore,
} from '../store/index.ts';
import { attendanceApi } from './http/api.ts';
import { AttendanceRequests } from './http/attendance-requests.ts';
import { Callers } from './http/callers.ts';
import type { CallContext } from './http/calls.ts';
import { type ChangeOutcome, changeOrganization, type OrganizationChange } from './http/own-changes.ts';
import { CloudAttendance, type Post } from './mirror/cloud.ts';
import { Mirror, type MirrorStatus } from './mirror/mirror.ts';
import { PersonSync } from './person-sync.ts';

export interface AttendanceOptions {
  readonly store: OrganizationStore &
    MirrorStore &
    RememberedStore &
    AuditStore &
    CatchUpStore &
    LevelStore &
    SignedCallStore &
    WholeStore &
    DirectoryStore &
    SharedStore &
    Pick<Store, 'onPeopleChange'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly actions: ActionTable;
  readonly site: Pick<Site, 'name'>;
  /** Features are not passed on to the cloud, nor fetched from it (`features.upstream: off`). */
  readonly featuresStay: boolean;
  readonly callsPerSecond: number;
  /** The device gateway, as far as people's terminals go. */
  readonly terminals: {
    isOnline(deviceNo: DeviceNo): boolean;
    /** Whether the device has a session of this process. */
    isHere(deviceNo: DeviceNo): boolean;
    /** Its device id in the case that the device itself uses. */
    idAsWritten(deviceNo: DeviceNo): string;
    stamp(): number;
    deliver(deviceNo: DeviceNo, payload: Uint8Array): Promise<boolean>;
    onPresence(listener: (deviceNo: DeviceNo, online: boolean) => void): void;
    onTaken(listener: (deviceNo: DeviceNo) => void): void;
  };
  /** The authority of the organization; null: the box. */
  readonly cloud: {
    readonly post: Post;
    /** Host and port. */
    readonly address: string;
    readonly appKey: string;
    readonly appSecret: string;
    readonly everyMs: number;
  } | null;
}

export interface AttendanceStatus {
  readonly authority: 'cloud' | 'box';
  /** Null where the box is the authority. */
  readonly mirror: MirrorStatus | null;
  /** Rejected before the caller was known, newest first. */
  readonly refusedCalls: readonly SignedRequest[];
}

/**
 * Area E of SPEC on the box: the signed API over its own store, the terminals' people, and the
 * organization's authority.
 */
export interface Attendance extends AsyncDisposable {
  /** To be mounted on the HTTPS listener. */
  readonly routes: OpenAPIHono<{ Bindings: HttpBindings }>;
  status(): AttendanceStatus;
  /** Rejected requests, and accepted ones of the last hour. */
  requests(): SignedRequest[];
  /** The last request of each caller since the start. */
  uses(): ReadonlyMap<string, CallerUse>;
  /**
   * Fetches the organization from the cloud now; null where the box is the authority. Resolves when
   * it was tried.
   */
  syncNow(): Promise<MirrorStatus | null>;
  /**
   * Deletes everybody whom the cloud lists no more, without waiting. `total`: how many the person
   * who asks was shown. Null: another number is missing by now, and nothing was deleted.
   */
  deleteMissing(total: number): Promise<number | null>;
  /** Resolves when every connected terminal knows the current people, or has a message waiting. */
  whenIdle(): Promise<void>;
  /** A change made by `actor`, a person at the box. */
  change(change: OrganizationChange, actor: string): Promise<ChangeOutcome>;
  /** Writes for the cloud were queued: they are sent now. */
  queued(): void;
}

/** With the secrets of so many callers a wrong signature is tried. */
const otherCallersMax = 50;

export function openAttendance(options: AttendanceOptions): Attendance {
  const { store, clock, log, actions, terminals } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const uses = new CallerUses(clock, use => store.write.seeAttendanceCaller(use));
  const requests = new AttendanceRequests({
    clock,
    others: async () =>
      (await store.read.attendanceCallers(otherCallersMax)).map(({ appKey, secret }) => ({ id: appKey, secret })),
    used: (appKey, use) => uses.note(appKey, use),
  });
  const sync = new PersonSync({
    store,
    clock,
    log,
    actions,
    // In a region whoever has a terminal sends people to it.
    isOnline: deviceNo => terminals.isHere(deviceNo),
    idAsWritten: deviceNo => terminals.idAsWritten(deviceNo),
    stamp: () => terminals.stamp(),
    deliver: (deviceNo, payload) => terminals.deliver(deviceNo, payload),
  });
  terminals.onPresence((deviceNo, online) => online && sync.device(deviceNo));
  terminals.onTaken(deviceNo => sync.device(deviceNo));
  const mirror = options.cloud && mirrorOf(options, options.cloud, signal);
  const shown = mirror ? null : showMissing(store);
  const counts = store.shared.guesses;
  const callers = new Callers({ read: store.read, clock, callsPerSecond: options.callsPerSecond, requests, counts });
  const context: CallContext = {
    store,
    now: () => clock.now(),
    sleep: ms => clock.sleep(ms),
    isOnline: deviceNo => terminals.isOnline(deviceNo as DeviceNo),
    site: options.site,
    featuresStay: options.featuresStay,
    cloudIsAuthority: mirror !== null,
    mirroredAt: list => mirror?.mirroredAt(list) ?? null,
    queued: () => mirror?.poke(),
    bringFeatures: async (extId, kind) => mirror?.features.bring(extId, kind) ?? true,
    cloudDevices: async () => (mirror ? mirror.devices.all() : []),
  };
  const routes = attendanceApi(callers, requests, context);
  return {
    routes,
    status: () => ({
      authority: mirror ? 'cloud' : 'box',
      mirror: mirror?.status() ?? null,
      refusedCalls: requests.refused(),
    }),
    requests: () => requests.list(),
    uses: () => uses.all,
    whenIdle: () => sync.whenIdle(),
    change: (change, actor) => changeOrganization(context, change, actor),
    queued: () => mirror?.poke(),
    syncNow: async () => mirror?.now() ?? null,
    async deleteMissing(total) {
      // Records that have arrived enter the tables first, so that all of them are deleted.
      await store.catchUp();
      const deleted = await store.write.deleteMissingAtCloud({ total, at: clock.now() });
      await mirror?.readStatus();
      return deleted;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await shown;
      await mirror?.close();
      await sync.close();
    },
  };
}

/** Without a cloud nobody is hidden. A store that cannot be read says so elsewhere. */
async function showMissing({ read, write }: MirrorStore): Promise<void> {
  try {
    const { hidden, held } = await read.missingAtCloud(0);
    if (hidden + held > 0) await write.showMissingAtCloud({});
  } catch {}
}

function mirrorOf(
  { store, clock, random, log, featuresStay }: AttendanceOptions,
  { post, address, appKey, appSecret, everyMs }: NonNullable<AttendanceOptions['cloud']>,
  signal: AbortSignal,
): Mirror {
  const cloud = new CloudAttendance({ post, clock, appKey, appSecret, signal });
  const source = { address, appKeyHash: createHash('sha256').update(appKey).digest('hex') };
  return new Mirror({ store, featuresStay, cloud, source, clock, random, log, everyMs, signal });
}
