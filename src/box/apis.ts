import { type Accounts, openAccounts } from '../accounts/index.ts';
import { type BoxAdmin, backedUp, wrongClockNames } from '../admin/index.ts';
import type { Alerts } from '../alerts/index.ts';
import {
  type Attendance,
  AttendanceResults,
  MonthClosings,
  openAttendance,
  ReportsThread,
  takeOffTerminals,
} from '../attendance/index.ts';
import type { Backups } from '../backups/index.ts';
import { clockSynchronized } from '../operations/index.ts';
import {
  AddressChanges,
  NetworkManagerAddress,
  openProvisioning,
  openSiteDevices,
  type Provisioning,
  type SiteDevices,
} from '../provisioning/index.ts';
import { programVersion } from '../runtime/version.ts';
import { openServices, type Services } from '../services/index.ts';
import type { DeviceNo } from '../store/index.ts';
import type { Updates } from '../updates/index.ts';
import { openAdmin } from './admin.ts';
import { openBoxAlerts } from './alerts.ts';
import { backupFacts, openBoxBackups } from './backups.ts';
import { watchClock } from './clock-steps.ts';
import { BoxDailyReports } from './daily-reports.ts';
import { Doctor } from './doctor.ts';
import { openDrills } from './drill.ts';
import { BoxEvents } from './event-source.ts';
import type { Gateways } from './gateways.ts';
import { openHistory } from './history.ts';
import { holidaysOf } from './holidays.ts';
import { OwnAddress } from './own-address.ts';
import { provisioningParts, siteDeviceParts } from './provisioning.ts';
import { reportOf } from './report.ts';
import { resetter } from './reset.ts';
import { RestartHook } from './restart.ts';
import { retireRegularly } from './retention.ts';
import { cloudOAuth, serviceParts } from './services.ts';
import { openStatements } from './statements.ts';
import type { Storage } from './storage.ts';
import { openBoxUpdates } from './updates.ts';
import { attendanceCloud } from './uplink.ts';

/**
 * The third phase: opens the APIs that apps, payroll systems, staff and commands call. Nothing
 * listens yet.
 */
export interface Apis {
  readonly attendance: Attendance;
  /** Results of people's work by their schedules. */
  readonly results: AttendanceResults;
  readonly reports: ReportsThread;
  readonly closings: MonthClosings;
  readonly accounts: Accounts;
  readonly services: Services;
  readonly provisioning: Provisioning;
  readonly siteDevices: SiteDevices;
  readonly addressChanges: AddressChanges;
  readonly updates: Updates;
  readonly alerts: Alerts;
  /** Null in a region. */
  readonly backups: Backups | null;
  readonly dailyReports: BoxDailyReports;
  readonly events: BoxEvents;
  readonly doctor: Doctor;
  readonly admin: BoxAdmin;
  readonly ownAddress: OwnAddress;
  readonly restart: RestartHook;
  /** Resolves to false if nothing can restart the box; the reset is then done at the next start. */
  resetAll(): Promise<boolean>;
}

export async function openApis(storage: Storage, gateways: Gateways): Promise<Apis> {
  const { config, store, clock, time, random, log, certificates, opened } = storage;
  const { devices, upstream } = gateways;
  const ownAddress = new OwnAddress(config);
  const restart = new RestartHook();
  const resetAll = resetter({ dataDir: config.data_dir, clock, log, restart });

  const attendance = opened.use(openAttendanceApi(storage, gateways));
  const accounts = openAccountsApi(storage, ownAddress);
  const services = opened.use(await openPublicServices(storage, ownAddress));
  const resultParts = resultPartsOf(storage, gateways, services);
  const results = new AttendanceResults(resultParts);
  const reports = opened.use(new ReportsThread(resultParts));
  const closings = opened.use(openClosings(storage, reports));
  const provisioning = opened.use(
    await openProvisioning(
      provisioningParts(config, { store, upstream, clock, log: log.child({ part: 'provisioning' }), resetAll }),
    ),
  );
  const siteDevices = opened.use(
    await openSiteDevices(siteDeviceParts(config, { store, devices, provisioning, clock, random, log })),
  );
  const addressChanges = opened.use(
    new AddressChanges(new NetworkManagerAddress(clock), { clock, log: log.child({ part: 'provisioning' }) }),
  );
  const updates = await openBoxUpdates(storage, restart, file =>
    backedUp(store, { to: { file }, beforeUpdate: true }, clock),
  );
  const backups = await openBoxBackups(storage, gateways);
  if (backups !== null) opened.use(backups);
  // A region tells none: boxes do.
  if (storage.config.store.engine === 'sqlite') upstream.reportsAbove?.bind(reportOf(storage, gateways, updates));
  const alerts = opened.use(
    await openBoxAlerts(storage, gateways, { attendance, services, updates, backups, ownAddress }),
  );
  const dailyReports = opened.use(new BoxDailyReports(storage, { alerts, reports, services, ownAddress }));
  await dailyReports.openWhereAny();
  const statements = openStatements(storage);
  const drills = await openDrills(storage, gateways, statements);
  const events = opened.use(new BoxEvents(storage));
  const doctor = new Doctor(config, clock, () => certificates.current().cert, {
    ...{ upstream, devices, health: store.health },
    backups: backups && (() => backupFacts(backups, store.read, config.site)),
  });
  const apis = { attendance, results, reports, closings, accounts, services, provisioning, siteDevices };
  const parts = {
    ...apis,
    updates,
    alerts,
    dailyReports,
    backups,
    statements,
    drills,
    events,
    doctor,
    addressChanges,
    ownAddress,
    restart,
    resetAll,
  };
  const admin = openAdmin(storage, gateways, parts);
  opened.use(takeOffTerminals(store, config.site, { clock, log }));
  opened.use(retireRegularly(store, [accounts, services, statements, closings], { clock, log }));
  opened.use(watchClock(store, { clock, time, log, isSynchronized: clockSynchronized }));
  opened.use(openHistory(storage, gateways));
  return { ...parts, admin };
}

const openAttendanceApi = (
  { config, store, clock, random, log, actions, trust, opened }: Storage,
  { devices }: Gateways,
): Attendance =>
  openAttendance({
    store,
    clock,
    random,
    log: log.child({ part: 'attendance' }),
    actions,
    site: config.site,
    featuresStay: config.features.upstream === 'off',
    callsPerSecond: config.limits.attendance_calls_per_second,
    terminals: devices,
    cloud: attendanceCloud(config, trust, opened),
  });

const resultPartsOf = ({ config, store, clock }: Storage, { devices }: Gateways, services: Services) => ({
  store,
  clock,
  site: config.site,
  rules: {
    ...{ clock: config.attendance.hours.clock, nightOvertime: config.attendance.hours.holidays },
    version: programVersion,
  },
  isOnline: (deviceNo: DeviceNo) => devices.isOnline(deviceNo),
  calendar: holidaysOf(services, config.site),
});

const openClosings = ({ config, store, clock, log }: Storage, work: ReportsThread): MonthClosings =>
  new MonthClosings({
    ...{ work, store, clock, isRegion: config.store.engine === 'postgres' },
    ...{ site: config.site, log: log.child({ part: 'attendance' }) },
    wrongClocks: () => wrongClockNames(store),
  });

const openAccountsApi = (
  { config, settings, store, clock, hashStrength, log, trust, browsers, opened }: Storage,
  ownAddress: OwnAddress,
): Accounts =>
  openAccounts({
    cameFrom: address => browsers.came(address),
    store,
    clock,
    hashStrength,
    site: config.site,
    chooseLanguage: locale => settings.chooseLanguage(locale),
    log: log.child({ part: 'accounts' }),
    cloud: cloudOAuth(config, trust, opened),
    tlsPort: () => ownAddress.httpsPort,
    ...(config.box.setup_code === undefined ? {} : { setupCode: config.box.setup_code }),
  });

const openPublicServices = (
  { config, store, files, clock, random, log, trust, opened }: Storage,
  ownAddress: OwnAddress,
): Promise<Services> =>
  openServices({
    store,
    clock,
    random,
    log: log.child({ part: 'services' }),
    filePlace: files,
    processes: store.processes,
    fileBytesMax: config.limits.file_bytes,
    addressOf: (host, overHttps) => ownAddress.for(host, overHttps),
    ...serviceParts(config, trust, clock, opened),
  });
