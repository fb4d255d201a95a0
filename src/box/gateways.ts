import { BoxBackups } from '../backups/index.ts';
import { type Devices, openDevices, type UpstreamView } from '../devices/index.ts';
import { limits } from '../platform/limits.ts';
import { leavingWithout, openUpstream, type Upstream } from '../upstream/index.ts';
import type { Storage } from './storage.ts';
import { upstreamConfig } from './uplink.ts';

/** The second phase: opens the device gateways, and the uplink that forwards what devices send. */
export interface Gateways {
  readonly devices: Devices;
  readonly upstream: Upstream;
  readonly boxBackups: BoxBackups;
}

/** The config does not say where the cloud's day begins, so it is the platform's time zone. */
const cloudTimeZone = 'Asia/Shanghai';

export async function openGateways(storage: Storage): Promise<Gateways> {
  const { opened } = storage;
  const uplink = new BoundLater(upstreamConfig(storage.config) === null);
  const boxBackups = backupsBelow(storage);
  const devices = opened.use(await openDeviceGateway(storage, uplink, boxBackups));
  const upstream = opened.use(await openUplink(storage, devices));
  uplink.bind(upstream);
  devices.onPresence((deviceNo, online) => upstream.presence(deviceNo, online));
  return { devices, upstream, boxBackups };
}

/**
 * Devices and uplink need each other. Devices are opened first, with this view of an uplink that is
 * down until the real one is bound.
 */
class BoundLater implements UpstreamView {
  readonly standsAlone: boolean;
  #upstream: Upstream | null = null;

  constructor(standsAlone: boolean) {
    this.standsAlone = standsAlone;
  }

  bind(upstream: Upstream): void {
    this.#upstream = upstream;
  }

  isUp(...args: Parameters<UpstreamView['isUp']>): boolean {
    return this.#upstream?.isUp(...args) ?? false;
  }

  async whenUp(...args: Parameters<UpstreamView['whenUp']>): ReturnType<UpstreamView['whenUp']> {
    return this.#upstream?.whenUp(...args) ?? false;
  }

  async tryLogin(...args: Parameters<UpstreamView['tryLogin']>): ReturnType<UpstreamView['tryLogin']> {
    return this.#upstream?.tryLogin(...args) ?? 'unreachable';
  }
}

const backupsBelow = ({ config, files, clock, log }: Storage): BoxBackups =>
  new BoxBackups({
    ...{ place: files, clock, log: log.child({ part: 'backups' }) },
    copiesMax: config.limits.box_backup_copies,
    bytesMax: config.limits.box_backup_bytes,
  });

const openDeviceGateway = (
  { config, store, clock, time, log, actions }: Storage,
  upstream: UpstreamView,
  boxBackups: BoxBackups,
): Promise<Devices> =>
  openDevices({
    store,
    clock,
    time,
    log: log.child({ part: 'devices' }),
    actions,
    site: config.site,
    limits: {
      logPerSecond: config.limits.log_per_second,
      logPerDay: config.limits.log_per_day,
      logBytes: config.limits.log_bytes,
      messageBytes: config.limits.message_bytes,
      inboxMessages: config.limits.inbox_messages,
    },
    strict: config.strict,
    featuresStay: config.features.upstream === 'off',
    unnamedStay: config.upstream?.mode === 'gateway',
    newDevicesPerHour: config.admission.new_devices_per_hour,
    boxProductId: config.box.product_id,
    boxLogsStay: config.upstream?.mode === 'per-device',
    backupsBelow: boxBackups,
    upstream,
  });

function openUplink(
  { config, trust, store, clock, time, random, log, actions }: Storage,
  devices: Devices,
): Promise<Upstream> {
  const { product_id: productId, device_sn: deviceSn, access_key: accessKey } = config.box;
  return openUpstream({
    config: upstreamConfig(config),
    trust,
    box: accessKey === undefined ? null : { productId, deviceSn, accessKey },
    store,
    clock,
    random,
    log: log.child({ part: 'line' }),
    actions,
    trueTime: receivedAt => time.trueTime(receivedAt),
    leaving: config.features.upstream === 'off' ? leavingWithout(actions) : null,
    cloudLimits: {
      logPerSecond: limits.logsPerSecondMax,
      logPerDay: limits.logsPerDayMax,
      timeZone: cloudTimeZone,
    },
    fromCloud: (deviceNo, payload) => devices.fromCloud(deviceNo, payload),
  });
}
