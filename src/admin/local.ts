import type { Attendance } from '../attendance/index.ts';
import type { Naming } from '../platform/naming.ts';
import { explainSetup } from '../platform/setup-result.ts';
import type { Provisioning, SiteDevices } from '../provisioning/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Services } from '../services/index.ts';
import type { Seq, StoppedStore, Store, StoreReader } from '../store/index.ts';
import { applySite } from './apply-site.ts';
import { attendanceReportOf } from './attendance-report.ts';
import { auditAdmin } from './audit.ts';
import { backedUp, lastBackupAt, makeRecoveryKey, recoveryKeyOf } from './backups.ts';
import { devicePage, namingReport } from './device-list.ts';
import { type Disk, diskAdmin } from './disk.ts';
import { grantAdmin } from './grants.ts';
import type { BoxAdmin } from './port.ts';
import type { ProvisionResultReport } from './provision-port.ts';
import { deviceReportOf, parkedReports, type RunningParts, statusOf } from './reports.ts';
import { exportRows } from './rows.ts';
import { sessionAdmin } from './sessions.ts';
import { setupReportOf, stoppedSetupReport } from './setup-report.ts';
import { tokenAdmin } from './tokens.ts';
import type { UpdateAdmin } from './update-port.ts';
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
    readonly updates: UpdateAdmin;
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
  return {
    ...readingAdmin(store, parts, { clock, naming: () => naming }),
    async *rows(what, filter) {
      await store.catchUp();
      yield* exportRows(store, what, filter);
    },
    ...storeAdmin(store.read, act => act(store.write), clock, siteName),
    apply: input => applySite(store, input, { production, clock, siteName }),
    attendance: () => attendanceReportOf(store, parts.attendance.status(), clock.now()),
    syncOrganization: () => parts.attendance.syncNow(),
    async settleRefusedWrite(id, what) {
      const again = what === 'again';
      const found = await store.write.dismissOrganizationWrite({ id, again, at: clock.now() });
      if (found && again) void parts.attendance.syncNow();
      return found;
    },
    dismissConflict: id => store.write.dismissConflict({ id }),
    services: {
      report: async () => ({ waiting: await parts.services.waiting(), refused_calls: parts.services.refusedCalls() }),
    },
    provision: (run, asks, onEvent, signal) => {
      const { scan, info, verify, setWifi } = parts.siteDevices;
      const runs = { scan, info, verify, wifi: setWifi };
      return runs[run](asks as never, onEvent, signal) as never;
    },
    setup: async () => setupReportOf(parts.provisioning.report()),
    hotspot: () => parts.provisioning.hotspot(),
    resetNetwork: () => parts.provisioning.reset(),
    async resetAll(name) {
      if (name.trim() !== siteName.trim()) return 'wrong_name';
      return (await parts.resetAll()) ? 'starts_anew' : 'at_next_start';
    },
    disk: diskAdmin(parts.disk),
    sendAgain: seq => parts.sendAgain(seq),
    doctor: (what, told, signal) => parts.doctor.run(what, told, signal),
    updates: parts.updates,
    backup: call => backedUp(store, call, clock),
    makeRecoveryKey: () => makeRecoveryKey(store, clock),
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
  return {
    ...readingAdmin(store, null, { clock, naming }),
    async *rows(what, filter) {
      if (store.health().lagRecords === 0) return yield* exportRows(store, what, filter);
      await using owned = await own();
      await owned.catchUp();
      yield* exportRows(owned, what, filter);
    },
    ...storeAdmin(store.read, act => whileOwned(owned => act(owned.write)), clock, ''),
    apply: input =>
      whileOwned(owned => applySite(owned, input, { production: store.environment === 'production', clock })),
    attendance: () => attendanceReportOf(store, null, clock.now()),
    syncOrganization: () => Promise.reject(new Error('the box does not run: the organization is fetched when it does')),
    settleRefusedWrite: (id, what) =>
      whileOwned(owned => owned.write.dismissOrganizationWrite({ id, again: what === 'again', at: clock.now() })),
    dismissConflict: id => whileOwned(owned => owned.write.dismissConflict({ id })),
    provision: () => Promise.reject(new BoxStopped()),
    services: { report: async () => ({ waiting: await store.read.servicesWaiting(), refused_calls: [] }) },
    setup: () => stoppedSetupReport(store),
    hotspot: async () => ({ name: null, key: await store.read.hotspotKey() }),
    resetNetwork: () =>
      whileOwned(owned => owned.write.noteNetworkSetup({ state: 'reset', changedAt: clock.now(), ssid: '' })),
    resetAll: () => Promise.reject(new BoxStopped()),
    disk: { report: whileStopped, free: whileStopped },
    sendAgain: seq => whileOwned(owned => owned.write.sendParkedAgain({ seq: seq as Seq | null })),
    doctor: () => Promise.reject(new BoxStopped()),
    updates: stoppedUpdates,
    backup: call => whileOwned(owned => backedUp(owned, call, clock)),
    makeRecoveryKey: () => whileOwned(owned => makeRecoveryKey(owned, clock)),
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
    status: () => statusOf(store, running, clock.now()),
    device: (deviceId: string, options: { limit: number }) => deviceReportOf(store, running, deviceId, options),
    naming: async () => namingReport(naming(), store.directory),
    devices: async (query: { product?: string; after?: string; limit: number }) => devicePage(store.directory, query),
    site: (options: { withSecrets: boolean }) => store.read.site(options),
    parked: () => parkedReports(store),
    lastBackupAt: () => lastBackupAt(store.read),
    recoveryKey: () => recoveryKeyOf(store.read),
    provisionResults: async (limit: number): Promise<ProvisionResultReport[]> =>
      (await store.read.deviceSetups(limit)).map(({ deviceId, message, ...rest }) => ({
        device_id: deviceId,
        ...rest,
        says: `${explainSetup(rest.status, rest.error)}${message === '' ? '' : `; the device says "${message}"`}`,
      })),
  };
}
