import type { Attendance } from '../attendance/index.ts';
import type { Naming } from '../platform/naming.ts';
import { explainSetup } from '../platform/setup-result.ts';
import type { Provisioning, SiteDevices } from '../provisioning/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Services } from '../services/index.ts';
import type { Seq, StoppedStore, Store, StoreReader } from '../store/index.ts';
import type { Updates } from '../updates/index.ts';
import { applySite } from './apply-site.ts';
import { attendanceAdmin } from './attendance.ts';
import { auditAdmin } from './audit.ts';
import { backupAdmin } from './backups.ts';
import { deviceReportOf } from './device.ts';
import { devicePage, namingReport } from './device-list.ts';
import { type Disk, diskAdmin } from './disk.ts';
import { grantAdmin } from './grants.ts';
import { parkedAdmin } from './parked.ts';
import type { BoxAdmin } from './port.ts';
import type { ProvisionResultReport } from './provision-port.ts';
import { exportRows } from './rows.ts';
import { sessionAdmin } from './sessions.ts';
import { setupAdmin, stoppedSetup } from './setup.ts';
import { type RunningParts, statusOf } from './status.ts';
import { tokenAdmin } from './tokens.ts';
import { type UpdateAdmin, updateAdmin } from './updates.ts';
import { userAdmin } from './users.ts';
import type { Writing } from './writing.ts';

/** The answers of a running box: the other end of its socket. */
export function runningAdmin(
  store: Store,
  parts: RunningParts & {
    sendAgain(seq: number | null): Promise<number>;
    readonly attendance: Attendance;
    readonly services: Services;
    readonly siteDevices: SiteDevices;
    readonly provisioning: Provisioning;
    readonly resetAll: () => Promise<boolean>;
    readonly doctor: { readonly run: BoxAdmin['doctor'] };
    readonly updates: Updates;
    readonly disk: Disk;
  },
  {
    production,
    clock,
    naming,
    name: siteName,
  }: {
    readonly production: boolean;
    readonly clock: Clock;
    readonly naming: Naming;
    /** Of the site. */
    readonly name: string;
  },
): BoxAdmin {
  const writing: Writing = act => act(store.write);
  return {
    ...readingAdmin(store, parts, { clock, naming: () => naming }),
    async *rows(what, filter) {
      await store.catchUp();
      yield* exportRows(store, what, filter);
    },
    ...storeAdmin(store.read, writing, clock, siteName),
    apply: input => applySite(store, input, { production, clock, siteName }),
    attendance: attendanceAdmin(store, writing, parts.attendance, () => clock.now()),
    services: {
      report: async () => ({ waiting: await parts.services.waiting(), refused_calls: parts.services.refusedCalls() }),
    },
    provision: (run, asks, onEvent, signal) => {
      const { scan, info, verify, setWifi } = parts.siteDevices;
      const runs = { scan, info, verify, wifi: setWifi };
      return runs[run](asks as never, onEvent, signal) as never;
    },
    setup: setupAdmin(parts.provisioning, parts.resetAll, siteName),
    disk: diskAdmin(parts.disk),
    parked: parkedAdmin(store, seq => parts.sendAgain(seq)),
    doctor: (what, told, signal) => parts.doctor.run(what, told, signal),
    updates: updateAdmin(parts.updates),
    backups: backupAdmin(store.read, act => act(store), clock),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** What only a running box can do. */
class BoxStopped extends Error {
  constructor() {
    super('the box does not run: start it with `gatehouse serve`, then try again');
    this.name = 'BoxStopped';
  }
}

const whileStopped = () => Promise.reject(new BoxStopped());
const stoppedUpdates: UpdateAdmin = {
  report: whileStopped,
  inspect: whileStopped,
  start: whileStopped,
  rollBack: whileStopped,
};

/**
 * The same on the store of a stopped box. `own` takes it over for what writes; `naming` reads the
 * config only when it is asked for.
 */
export function stoppedAdmin(
  store: StoppedStore,
  own: () => Promise<Store>,
  { clock, naming }: { readonly clock: Clock; readonly naming: () => Naming },
): BoxAdmin {
  const whileOwned = async <T>(act: (owned: Store) => Promise<T>): Promise<T> => {
    await using owned = await own();
    return await act(owned);
  };
  const writing: Writing = act => whileOwned(owned => act(owned.write));
  return {
    ...readingAdmin(store, null, { clock, naming }),
    async *rows(what, filter) {
      if (store.health().lagRecords === 0) return yield* exportRows(store, what, filter);
      await using owned = await own();
      await owned.catchUp();
      yield* exportRows(owned, what, filter);
    },
    ...storeAdmin(store.read, writing, clock, ''),
    apply: input =>
      whileOwned(owned => applySite(owned, input, { production: store.environment === 'production', clock })),
    attendance: attendanceAdmin(store, writing, null, () => clock.now()),
    provision: () => Promise.reject(new BoxStopped()),
    services: { report: async () => ({ waiting: await store.read.servicesWaiting(), refused_calls: [] }) },
    setup: {
      report: () => stoppedSetup(store),
      hotspot: async () => ({ name: null, key: await store.read.hotspotKey() }),
      async resetNetwork() {
        await writing(write => write.noteNetworkSetup({ state: 'reset', changedAt: clock.now(), ssid: '' }));
        return { done: true };
      },
      resetAll: whileStopped,
    },
    disk: { report: whileStopped, free: whileStopped },
    parked: parkedAdmin(store, seq => writing(write => write.sendParkedAgain({ seq: seq as Seq | null }))),
    doctor: () => Promise.reject(new BoxStopped()),
    updates: stoppedUpdates,
    backups: backupAdmin(store.read, whileOwned, clock),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/**
 * What the store alone knows, of a running box and of a stopped one. `site` is the name of the
 * site.
 */
const storeAdmin = (read: StoreReader, writing: Writing, clock: Clock, site: string) => ({
  users: userAdmin(read, writing, site),
  tokens: tokenAdmin(read, writing, clock),
  audit: auditAdmin(read),
  sessions: sessionAdmin(read, writing),
  grants: grantAdmin(read, writing),
});

function readingAdmin(
  store: Pick<StoppedStore, 'read' | 'directory' | 'health' | 'room'>,
  running: RunningParts | null,
  { clock, naming }: { readonly clock: Clock; readonly naming: () => Naming },
) {
  return {
    status: { report: () => statusOf(store, running, clock.now()) },
    device: {
      report: ({ id, limit }: { id: string; limit: number }) => deviceReportOf(store, running, id, limit),
    },
    naming: async () => namingReport(naming(), store.directory),
    devices: async (query: { product?: string; after?: string; limit: number }) => devicePage(store.directory, query),
    site: (options: { withSecrets: boolean }) => store.read.site(options),
    provisionResults: async (limit: number): Promise<ProvisionResultReport[]> =>
      (await store.read.deviceSetups(limit)).map(({ deviceId, message, ...rest }) => ({
        device_id: deviceId,
        ...rest,
        says: `${explainSetup(rest.status, rest.error)}${message === '' ? '' : `; the device says "${message}"`}`,
      })),
  };
}
