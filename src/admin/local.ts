import type { HashStrength } from '../accounts/index.ts';
import type { Alerts } from '../alerts/index.ts';
import { type Attendance, type AttendanceResults, type MonthClosings, StatementLog } from '../attendance/index.ts';
import type { Backups } from '../backups/index.ts';
import type { Config } from '../config/index.ts';
import type { Naming } from '../platform/naming.ts';
import type { Site } from '../platform/site.ts';
import type { Provisioning, SiteDevices } from '../provisioning/index.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import type { Services } from '../services/index.ts';
import type {
  AccountReads,
  AccountWrites,
  AlertReads,
  BackupStore,
  CatchUpStore,
  DeviceReads,
  Directory,
  DirectoryStore,
  FleetReads,
  ForwardingReads,
  ForwardingWrites,
  GatewayReads,
  HealthStore,
  JournalStore,
  OrganizationReads,
  OrganizationWrites,
  PeopleReads,
  PeriodReads,
  ProvisioningReads,
  ProvisioningWrites,
  ReadPart,
  RecordReads,
  RoomReport,
  ScheduleReads,
  Seq,
  ServiceReads,
  ServiceWrites,
  SharedStore,
  SiteReads,
  SiteWrites,
  StaffReads,
  StaffWrites,
  StatementReads,
  WritePart,
} from '../store/index.ts';
import type { Updates } from '../updates/index.ts';
import { alertAdmin, stoppedAlerts } from './alerts.ts';
import { applySite } from './apply-site.ts';
import { attendanceAdmin } from './attendance.ts';
import { auditAdmin } from './audit.ts';
import { backupScheduleAdmin } from './backup-schedule.ts';
import { backupAdmin } from './backups.ts';
import { closings } from './closings.ts';
import { deviceReportOf } from './device.ts';
import { type deviceListOperations, devicePageOf } from './device-list.ts';
import { type Disk, diskAdmin } from './disk.ts';
import { type Doctor, doctorAdmin } from './doctor.ts';
import { type Drills, drillAdmin } from './drill.ts';
import { type EventSource, eventAdmin } from './events.ts';
import { type fleetOperations, fleetPageOf } from './fleet.ts';
import { grantAdmin } from './grants.ts';
import { namingReport } from './naming.ts';
import type { Asked } from './operation.ts';
import { parkedAdmin } from './parked.ts';
import type { BoxAdmin } from './port.ts';
import { programAdmin } from './programs.ts';
import { provisionAdmin, provisionResults } from './provision.ts';
import { receiptAdmin } from './receipts.ts';
import { exportRows } from './rows.ts';
import { scheduleResultsAdmin } from './schedule-results.ts';
import { sessionAdmin } from './sessions.ts';
import { setupAdmin, stoppedSetup } from './setup.ts';
import { type Statements, statementAdmin } from './statements.ts';
import { type RunningParts, statusOf } from './status.ts';
import { linesWhileStopped, stoppedDrill, stoppedSchedule, stoppedUpdates, whileStopped } from './stopped.ts';
import { tokenAdmin } from './tokens.ts';
import { updateAdmin } from './updates.ts';
import { userAdmin } from './users.ts';
import { verificationAdmin } from './verification.ts';
import { webhookAdmin } from './webhooks.ts';
import type { Writing } from './writing.ts';

/** Handed down from the composition root. */
interface Given {
  readonly clock: Clock;
  readonly hashStrength: HashStrength;
}

interface Reading {
  naming(): Naming;
  readonly site: Pick<Site, 'timezone'>;
  readonly isAlone: boolean;
}

/** What commands read of a box that runs, and of one that is stopped. */
type ReadStore = ReadPart<
  AccountReads &
    AlertReads &
    DeviceReads &
    FleetReads &
    ForwardingReads &
    GatewayReads &
    OrganizationReads &
    PeopleReads &
    PeriodReads &
    ProvisioningReads &
    RecordReads &
    ScheduleReads &
    ServiceReads &
    SiteReads &
    StaffReads &
    StatementReads
> &
  DirectoryStore &
  HealthStore &
  SharedStore & { room(now: UnixMs): RoomReport };

type Writes = AccountWrites &
  ForwardingWrites &
  OrganizationWrites &
  ProvisioningWrites &
  ServiceWrites &
  SiteWrites &
  StaffWrites;

type OwnedStore = ReadStore & WritePart<Writes> & CatchUpStore & BackupStore & JournalStore;

/** The answers of a running box: the other end of its socket. */
export function runningAdmin(
  store: OwnedStore,
  parts: RunningParts & {
    sendAgain(seq: number | null): Promise<number>;
    readonly alerts: Alerts;
    readonly backups: Backups;
    readonly attendance: Attendance;
    readonly results: AttendanceResults;
    readonly closings: MonthClosings;
    readonly services: Services;
    readonly siteDevices: SiteDevices;
    readonly provisioning: Provisioning;
    readonly resetAll: () => Promise<boolean>;
    readonly doctor: Doctor;
    readonly updates: Updates;
    readonly disk: Disk;
    readonly statements: Statements;
    readonly drills: Drills;
    readonly events: EventSource;
  },
  {
    production,
    clock,
    hashStrength,
    naming,
    site,
    config,
  }: Given & {
    readonly production: boolean;
    naming(): Naming;
    readonly site: Site;
    readonly config: Pick<Config, 'attendance'>;
  },
): BoxAdmin {
  const writing: Writing<Writes> = act => act(store.write);
  return {
    ...readingAdmin(store, parts, { clock, naming, site, isAlone: false }),
    async *rows(what, filter) {
      await store.catchUp();
      yield* exportRows(store, what, filter);
    },
    ...storeAdmin(store.read, writing, { clock, hashStrength }, site, store.directory),
    apply: input => applySite(store, input, { production, clock, hashStrength, siteName: site.name }),
    attendance: attendanceAdmin(store, writing, parts.attendance, () => clock.now()),
    scheduleResults: scheduleResultsAdmin({ results: parts.results, store, clock, site }),
    closings: closings({ store, config, closings: parts.closings }),
    services: {
      report: async () => ({
        waiting: await parts.services.waiting(),
        refused_calls: parts.services.refusedCalls(),
        marked_calls: parts.services.markedCalls(),
      }),
    },
    provision: provisionAdmin(parts.siteDevices, store.read),
    alerts: alertAdmin(store.read, parts.alerts, clock, site),
    setup: setupAdmin(parts.provisioning, parts.resetAll, site),
    disk: diskAdmin(parts.disk),
    parked: parkedAdmin(store, seq => parts.sendAgain(seq)),
    events: eventAdmin(parts.events),
    programs: programAdmin(store.read, parts.events),
    webhooks: webhookAdmin(() => parts.events.webhooks()),
    statements: statementAdmin(parts.statements, store.directory),
    doctor: doctorAdmin(parts.doctor),
    drill: drillAdmin(parts.drills),
    updates: updateAdmin(parts.updates),
    backups: backupAdmin(store.read, act => act(store), clock, parts.backups, backupScheduleAdmin(parts.backups, site)),
    [Symbol.asyncDispose]: async () => {},
  };
}

/**
 * The same on the store of a stopped box. `own` takes it over for what writes; `naming` reads the
 * config only when it is asked for.
 */
export function stoppedAdmin(
  store: ReadStore & { readonly environment: string } & AsyncDisposable,
  own: () => Promise<OwnedStore & AsyncDisposable>,
  { hashStrength, dataDir, ...reading }: Given & Reading & { readonly dataDir: string },
): BoxAdmin {
  const { clock } = reading;
  const whileOwned = async <T>(act: (owned: OwnedStore) => Promise<T>): Promise<T> => {
    await using owned = await own();
    return await act(owned);
  };
  const writing: Writing<Writes> = act => whileOwned(owned => act(owned.write));
  return {
    ...readingAdmin(store, null, reading),
    async *rows(what, filter) {
      if (store.health().lagRecords === 0) return yield* exportRows(store, what, filter);
      await using owned = await own();
      await owned.catchUp();
      yield* exportRows(owned, what, filter);
    },
    ...storeAdmin(store.read, writing, { clock, hashStrength }, { name: '' }, null),
    apply: input =>
      whileOwned(owned =>
        applySite(owned, input, { production: store.environment === 'production', clock, hashStrength }),
      ),
    attendance: attendanceAdmin(store, writing, null, () => clock.now()),
    scheduleResults: { results: whileStopped },
    closings: { list: whileStopped, close: whileStopped },
    provision: {
      scan: linesWhileStopped,
      info: linesWhileStopped,
      verify: linesWhileStopped,
      wifi: linesWhileStopped,
      results: ({ limit }) => provisionResults(store.read, limit),
    },
    services: {
      report: async () => ({ waiting: await store.read.servicesWaiting(), refused_calls: [], marked_calls: [] }),
    },
    setup: {
      report: () => stoppedSetup(store),
      hotspot: async () => ({ name: null, key: await store.read.hotspotKey() }),
      async resetNetwork() {
        await writing(write => write.noteNetworkSetup({ state: 'reset', changedAt: clock.now(), ssid: '' }));
        return { done: true };
      },
      resetAll: whileStopped,
    },
    alerts: stoppedAlerts(store.read, whileStopped),
    disk: { report: whileStopped, free: whileStopped },
    events: { read: whileStopped },
    programs: programAdmin(store.read, null),
    webhooks: webhookAdmin(() => null),
    statements: statementAdmin({ log: new StatementLog(dataDir, store), today: null }, store.directory),
    parked: parkedAdmin(store, seq => writing(write => write.sendParkedAgain({ seq: seq as Seq | null }))),
    doctor: { run: linesWhileStopped },
    drill: stoppedDrill,
    updates: stoppedUpdates,
    backups: backupAdmin(store.read, whileOwned, clock, null, stoppedSchedule),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** What the store alone knows, of a running box and of a stopped one. */
const storeAdmin = (
  read: AccountReads & StaffReads & Pick<PeopleReads, 'person'>,
  writing: Writing<AccountWrites & StaffWrites>,
  { clock, hashStrength }: Given,
  site: Pick<Site, 'name'>,
  directory: Pick<Directory, 'device'> | null,
) => ({
  users: userAdmin(read, writing, site, hashStrength),
  tokens: tokenAdmin(read, writing, clock),
  audit: auditAdmin(read, directory),
  sessions: sessionAdmin(read, writing),
  grants: grantAdmin(read, writing),
});

function readingAdmin(
  store: ReadStore,
  running: RunningParts | null,
  { clock, naming, site, isAlone }: Reading & Pick<Given, 'clock'>,
) {
  return {
    status: { report: () => statusOf(store, { running, isAlone, timezone: site.timezone, now: clock.now() }) },
    device: {
      report: ({ id, limit }: { id: string; limit: number }) => deviceReportOf(store, running, id, limit),
    },
    naming: { report: async () => namingReport(naming(), site.timezone, store.directory) },
    verification: verificationAdmin(store.directory, clock, store.shared.guesses),
    devices: {
      list: async (query: Asked<typeof deviceListOperations.list>) => devicePageOf(store.directory, query),
    },
    fleet: { list: (query: Asked<typeof fleetOperations.list>) => fleetPageOf(store, query, clock.now()) },
    receipts: receiptAdmin(store),
    site: (options: { withSecrets: boolean }) => store.read.site(options),
  };
}
