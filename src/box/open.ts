import { join } from 'node:path';
import { type Accounts, openAccounts } from '../accounts/index.ts';
import { type BoxAdmin, Disk, runningAdmin, wearReport } from '../admin/index.ts';
import { type Attendance, openAttendance } from '../attendance/index.ts';
import { type Config, namingOf, ownCertificate, parseAddress, rememberConfig } from '../config/index.ts';
import { type Devices, openDevices } from '../devices/index.ts';
import { legacySuitesWarning, listenSocket, type Served, serve, serveRouter } from '../listeners/index.ts';
import { openCertificates } from '../operations/index.ts';
import { actionTable } from '../platform/actions.ts';
import { limits } from '../platform/limits.ts';
import { explainRefusal } from '../platform/refusals.ts';
import { openProvisioning, openSiteDevices, type Provisioning } from '../provisioning/index.ts';
import type { Clock, Random } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { RecentLines } from '../runtime/recent-lines.ts';
import { openServices } from '../services/index.ts';
import { openStore, type Seq, type Store } from '../store/index.ts';
import { leavingWithout, openUpstream, trustOf, type Upstream } from '../upstream/index.ts';
import { Doctor } from './doctor.ts';
import { every } from './every.ts';
import { type ListenerName, openDoors } from './listeners.ts';
import { metricsRoutes } from './metrics.ts';
import { addressFor, type BoundAddresses, namesOf } from './names.ts';
import { provisioningParts, siteDeviceParts } from './provisioning.ts';
import { noteReset, resetter } from './reset.ts';
import { cloudOAuth, serviceParts } from './services.ts';
import { openSigns, type Signs } from './signs.ts';
import { socketRoutes, staffSide } from './staff-api.ts';
import { boxUpdates, type Restart } from './updates.ts';
import { attendanceCloud, deviceLineReport, lineReport, upstreamConfig } from './uplink.ts';

export interface World {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** The listeners, and the hotspot's door where a phone may set the box up. */
export type Addresses = Readonly<Record<ListenerName, string | null>> & { readonly hotspot?: string };

/**
 * A box that runs: disposing it stops accepting, commits what is in flight, and closes everything
 * in reverse order.
 */
export interface Box extends AsyncDisposable {
  /** Where each listener stands, with the port that was picked; null where it is off. */
  readonly addresses: Addresses;
  readonly store: Store;
  readonly devices: Devices;
  readonly upstream: Upstream;
  readonly attendance: Attendance;
  readonly provisioning: Provisioning;
  readonly accounts: Accounts;
  /** What the commands ask, without going through the socket. */
  readonly admin: BoxAdmin;
  readonly caPem: string;
  readonly signs: Pick<Signs, 'read' | 'updating'>;
  /**
   * What each HTTP listener serves, and the socket of the commands: the tests go through all of it.
   */
  readonly served: Readonly<Record<'https' | 'http' | 'metrics' | 'socket', Served>> & { readonly hotspot?: Served };
  /**
   * Whoever can close the box and open it anew says so here: then the web UI can restore a backup,
   * and install an update.
   */
  onRestartAsked(restart: (how: Restart) => void): void;
}

/** Where the cloud's day turns: nothing tells it, so it is where the platform is. */
const cloudTimeZone = 'Asia/Shanghai';
const retentionEveryMs = 10 * 60 * 1000;
/**
 * Of 200 records or segments each: what erasing has not got through by then goes on the next time.
 */
const eraseTurns = 500;

/**
 * The composition root: makes the parts from the config, in order; a start that fails closes what
 * it had opened. `prepare` is given the box before it listens: a site is loaded there, so that no
 * device is refused for want of it.
 */
export async function openBox(
  config: Config,
  { clock, random, log: given }: World,
  prepare: (admin: BoxAdmin) => Promise<void> = async () => {},
): Promise<Box> {
  await using parts = new AsyncDisposableStack();
  const systemLog = new RecentLines(clock);
  const log = systemLog.beside(given);
  const codes = config.actions;
  const actions = actionTable(codes);
  const timeZone = config.site.timezone;
  const line = upstreamConfig(config);
  const featuresStay = config.features.upstream === 'off';
  const trust = trustOf(config.upstream?.ca);
  const signs = parts.use(openSigns(config, { clock, log }));

  const store = parts.use(
    await openStore({
      dataDir: config.data_dir,
      environment: config.environment,
      timeZone,
      actions: codes,
      upstream: line !== null,
      clock,
      log: log.child({ part: 'store' }),
    }),
  );
  remember(config, log);
  for (const warning of warningsOf(config)) log.warn({}, warning);
  await noteReset(store, config.data_dir, clock);
  const certificates = parts.use(
    await openCertificates({
      dir: join(config.data_dir, 'tls'),
      ...namesOf(config),
      clock,
      log: log.child({ part: 'certificates' }),
      ...ownCertificate(config),
    }),
  );

  // Devices and the line each need the other: both are told by functions that look when they are
  // called.
  let upstream: Upstream | undefined;
  const devices = parts.use(
    await openDevices({
      store,
      clock,
      log: log.child({ part: 'devices' }),
      actions,
      timeZone,
      limits: {
        logPerSecond: config.limits.log_per_second,
        logPerDay: config.limits.log_per_day,
        logBytes: config.limits.log_bytes,
        messageBytes: config.limits.message_bytes,
        inboxMessages: config.limits.inbox_messages,
      },
      strict: config.strict,
      featuresStay,
      mqttFraming: config.listen.mqtt_framing === 'on',
      newDevicesPerHour: config.admission.new_devices_per_hour,
      boxProductId: config.box.product_id,
      upstream: {
        standsAlone: line === null,
        isUp: deviceNo => upstream?.isUp(deviceNo) ?? false,
        tryLogin: async credentials => upstream?.tryLogin(credentials) ?? 'unreachable',
      },
    }),
  );
  upstream = parts.use(
    await openUpstream({
      config: line,
      trust,
      box:
        config.box.access_key === undefined
          ? null
          : {
              productId: config.box.product_id,
              deviceSn: config.box.device_sn,
              accessKey: config.box.access_key,
            },
      store,
      clock,
      random,
      log: log.child({ part: 'line' }),
      actions,
      leaving: featuresStay ? leavingWithout(actions) : null,
      cloudLimits: {
        logPerSecond: limits.logsPerSecondMax,
        logPerDay: limits.logsPerDayMax,
        timeZone: cloudTimeZone,
      },
      fromCloud: (deviceNo, payload) => devices.fromCloud(deviceNo, payload),
    }),
  );
  const running = upstream;
  devices.onPresence((deviceNo, online) => running.presence(deviceNo, online));
  const attendance = parts.use(
    openAttendance({
      store,
      clock,
      random,
      log: log.child({ part: 'attendance' }),
      actions,
      siteName: config.site.name,
      featuresStay,
      callsPerSecond: config.limits.attendance_calls_per_second,
      terminals: devices,
      cloud: attendanceCloud(config, trust, parts),
    }),
  );

  let bound: BoundAddresses | undefined;
  const accounts = openAccounts({
    store,
    clock,
    locale: config.site.locale,
    siteName: config.site.name,
    timeZone,
    log: log.child({ part: 'accounts' }),
    cloud: cloudOAuth(config, trust, parts),
    tlsPort: () => parseAddress(bound?.https ?? '')?.port ?? null,
    ...(config.box.setup_code === undefined ? {} : { setupCode: config.box.setup_code }),
  });
  const services = parts.use(
    await openServices({
      store,
      clock,
      random,
      log: log.child({ part: 'services' }),
      dataDir: config.data_dir,
      addressOf: (host, overHttps) => addressFor(config, bound, host, overHttps),
      ...serviceParts(config, trust, clock, parts),
    }),
  );

  let restart: ((how: Restart) => void) | null = null;
  const resetAll = resetter({ dataDir: config.data_dir, clock, log, restarter: () => restart });
  const provisioning = parts.use(
    await openProvisioning(
      provisioningParts(config, {
        store,
        upstream: running,
        clock,
        log: log.child({ part: 'provisioning' }),
        resetAll,
      }),
    ),
  );
  const siteDevices = parts.use(
    await openSiteDevices(siteDeviceParts(config, { store, devices, provisioning, clock, random, log })),
  );

  const backup = (file: string) => admin.backup({ to: { file }, beforeUpdate: true });
  const updates = await boxUpdates(config, {
    ...{ store, clock, log, backup },
    restarter: () => restart,
    underWay: on => signs.updating(on),
  });
  const admin = runningAdmin(
    store,
    {
      standsAlone: line === null,
      line: async () => lineReport(await running.status()),
      deviceLine: device => deviceLineReport(running.deviceUplink(device.deviceNo)),
      isOnline: device => devices.isOnline(device.deviceNo),
      devices: () => devices.status(),
      warnings: () => [...warningsOf(config), ...newDevicesInWords(devices.newDevices())],
      wear: () => wearReport(store.wear(), config.storage.endurance_tb),
      sendAgain: seq => running.sendAgain(seq as Seq | null),
      attendance,
      services,
      siteDevices,
      provisioning,
      updates,
      disk: new Disk({
        store,
        clock,
        dataDir: config.data_dir,
        removeFiles: before => services.removeOldFiles(before),
      }),
      resetAll,
      doctor: new Doctor(config, clock, () => certificates.current().cert, { upstream: running, health: store.health }),
    },
    { production: config.environment === 'production', clock, naming: namingOf(config), name: config.site.name },
  );
  parts.use(every(retentionEveryMs, clock, () => retire(store, [accounts, services], clock, log)));

  await prepare(admin);
  const staff = parts.use(
    staffSide(
      {
        admin,
        store,
        devices,
        upstream,
        attendance,
        services,
        provisioning,
        updates,
        config,
        certificates,
        accounts,
        restarter: () => restart,
        clock,
        log: log.child({ part: 'pages' }),
        systemLog,
        isOnline: device => devices.isOnline(device.deviceNo),
      },
      accounts,
    ),
  );
  const { addresses, listeners, served } = await openDoors(config, {
    staff,
    devices,
    attendance,
    accounts,
    services,
    certificates,
    metrics: metricsRoutes({ store, devices, upstream, clock }),
    clock,
    log: log.child({ part: 'listeners' }),
    opened: parts,
  });
  bound = addresses;
  certificates.onRenewed(() => {
    for (const listener of listeners) listener.renew(certificates.current());
  });
  let commands: ReturnType<typeof socketRoutes> | undefined;
  const forCommands = () => (commands ??= socketRoutes(admin, accounts));
  const socket = serve(
    (request, environment) => forCommands().fetch(request, environment),
    () => [forCommands()],
  );
  parts.use(await listenSocket(config.data_dir, socket, clock));

  // A simulated radio takes no time: whoever reads the ready line finds the door there.
  if (config.provisioning.wifi === 'simulated') await provisioning.settled;

  parts.use(signs.follow({ store, devices, upstream, provisioning }));
  const opened = parts.move();
  return {
    addresses: withHotspot(addresses, provisioning.report().hotspot),
    store,
    devices,
    upstream,
    attendance,
    provisioning,
    accounts,
    admin,
    caPem: certificates.caPem,
    signs,
    served: { ...served, socket, ...(provisioning.routes && { hotspot: serveRouter(provisioning.routes) }) },
    onRestartAsked(act) {
      restart = act;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

const newDevicesInWords = (products: ReturnType<Devices['newDevices']>): string[] =>
  products.map(({ productId, refused, openUntil }) =>
    openUntil === null
      ? `${productId}: ${refused} logins of new devices were refused in the last hour. ${explainRefusal({ code: 'too_many_new_devices', detail: '' })}`
      : `${productId}: new devices are let in without a limit until ${new Date(openUntil).toISOString()}`,
  );

function warningsOf({ tls }: Config): string[] {
  return tls?.legacy_suites === 'on' ? [`${legacySuitesWarning.says}: ${legacySuitesWarning.remedy}`] : [];
}

const withHotspot = (addresses: Record<ListenerName, string | null>, hotspot: string | null): Addresses =>
  hotspot === null ? addresses : { ...addresses, hotspot };

/** A full or read-only disk does not keep the box from starting: it says what it can. */
function remember(config: Config, log: Log): void {
  try {
    rememberConfig(config);
  } catch (error) {
    log.warn({ error: (error as Error).message }, 'the config in force could not be noted in the data directory');
  }
}

async function retire(
  store: Store,
  others: readonly { retire(): Promise<void> }[],
  clock: Clock,
  log: Log,
): Promise<void> {
  try {
    await store.write.retire({ now: clock.now() });
    for (let turn = 0; turn < eraseTurns; turn++) if (!(await store.write.eraseStep({ now: clock.now() })).more) break;
    for (const one of others) await one.retire();
  } catch (error) {
    log.warn({ error: (error as Error).message }, 'old records could not be removed; it is tried again in 10 minutes');
  }
}
