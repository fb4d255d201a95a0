import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { type Config, deviceUrls, hasLine, parseAddress } from '../config/index.ts';
import type { Devices } from '../devices/index.ts';
import { listenFew, serveRouter } from '../listeners/index.ts';
import { parseDeviceId, parseProductId } from '../platform/device-id.ts';
import { mqttPassword } from '../platform/signature.ts';
import {
  bluezRadio,
  type PlatformAbove,
  type Provisioning,
  type ProvisioningOptions,
  type SiteDevicesOptions,
} from '../provisioning/index.ts';
import type { Clock, Random } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { programVersion } from '../runtime/version.ts';
import type { DirectoryStore, ProvisioningStore } from '../store/index.ts';
import type { Upstream } from '../upstream/index.ts';

/** The options of the box's own set-up, from the config. */
export function provisioningParts(
  config: Config,
  {
    store,
    upstream,
    clock,
    log,
    resetAll,
  }: { store: ProvisioningStore & DirectoryStore; upstream: Upstream; clock: Clock; log: Log; resetAll: () => void },
): ProvisioningOptions {
  const { box, provisioning, site } = config;
  const { bluetooth, wifi, button } = provisioning;
  return {
    store,
    clock,
    log,
    device: {
      deviceId: deviceIdOf(config),
      sn: box.device_sn,
      model: box.model,
      version: programVersion,
      vendor: box.vendor,
    },
    keys: () => keysOf(config, store),
    bluetooth:
      bluetooth === 'off' ? null : { adapter: provisioning.bluetooth_adapter ?? null, names: provisioning.gatt },
    wifi:
      wifi === 'off'
        ? null
        : wifi === 'simulated'
          ? { kind: 'simulated', networks: provisioning.simulated_networks }
          : { kind: 'networkmanager', interfaceName: provisioning.wifi_interface ?? null },
    hotspot: {
      address: parseAddress(provisioning.hotspot) ?? null,
      key: provisioning.hotspot_key ?? null,
      open: provisioning.hotspot_open,
    },
    minutes: provisioning.minutes,
    button: button === undefined ? null : { file: button, pressed: provisioning.button_pressed },
    resetAll,
    broadcastTo: parseAddress(provisioning.result_broadcast)!,
    site,
    platformAbove: platformAbove(config, upstream),
    listen: (address, routes) =>
      listenFew('provisioning.hotspot', address, {
        served: serveRouter(() => routes, { answersHead: true }),
        clock,
        slow: () => {},
      }),
  };
}

function deviceIdOf({ box }: Config) {
  const id = parseDeviceId(`${box.product_id}_${box.device_sn}`);
  if (!id.ok) throw new Error(`box.device_sn: ${box.product_id}_${box.device_sn} is no device id`);
  return id.value;
}

/** The keys with which a phone may have protected a wifi password. The first one also signs. */
function keysOf({ box }: Config, { directory }: DirectoryStore): string[] {
  const product = parseProductId(box.product_id);
  const registered = product.ok ? directory.product(product.value)?.productKey : undefined;
  return [...new Set([box.product_key, registered, box.access_key].filter(key => key !== undefined))];
}

/**
 * Platform that a new network has to reach; null if the config has no uplink for devices, so that
 * joining the network is all there is to check (CONTRACT 7).
 */
function platformAbove(config: Config, upstream: Upstream): PlatformAbove | null {
  if (!hasLine(config)) return null;
  const endpoints = deviceUrls(config.upstream).map(url => endpointOf(new URL(url)));
  return { endpoints, login: platformLogin(config, upstream) };
}

/** Logs in as the box and out again; null: the box has no key. */
export function platformLogin(config: Config, upstream: Pick<Upstream, 'tryLogin'>) {
  const { product_id: productId, access_key: accessKey } = config.box;
  if (accessKey === undefined) return null;
  const clientId = deviceIdOf(config);
  const password = mqttPassword({ deviceId: clientId, productId, accessKey });
  return () => upstream.tryLogin({ clientId, userName: productId, password });
}

const usualPorts: Readonly<Record<string, number>> = { 'mqtts:': 8883, 'mqtt:': 1883, 'https:': 443, 'http:': 80 };

const endpointOf = ({ protocol, hostname, port }: URL): { host: string; port: number } => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: port === '' ? (usualPorts[protocol] ?? 443) : Number(port),
});

interface World {
  readonly store: ProvisioningStore & DirectoryStore;
  readonly devices: Pick<Devices, 'isOnline'>;
  readonly provisioning: Provisioning;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Where a device in set-up serves the endpoints of SPEC 4.3 in its own hotspot. */
const deviceHotspot = { host: '10.192.168.1', port: 80 } as const;

/** The options of the set-up of site devices, from the config and the machine. */
export function siteDeviceParts(
  { provisioning, box }: Config,
  { store, devices, provisioning: ownSetUp, clock, random, log }: World,
): SiteDevicesOptions {
  const networks = provisioning.simulated_networks;
  return {
    store,
    clock,
    random,
    log: log.child({ part: 'site devices' }),
    vendor: box.vendor,
    openRadio: provisioning.bluetooth === 'off' ? null : bluezRadio({ adapter: provisioning.bluetooth_adapter, clock }),
    gatt: provisioning.gatt,
    wifi: ownSetUp.wifi,
    radioTaken: () => provisioning.wifi !== 'simulated' && takesRadio.has(ownSetUp.report().mode),
    hotspotAt: ssid => parseAddress(networks.find(one => one.ssid === ssid)?.host ?? '') ?? deviceHotspot,
    hasWire: () => provisioning.wifi === 'simulated' || hasWire(),
    resultListen: parseAddress(provisioning.result_listen) ?? null,
    ownDeviceId: `${box.product_id}_${box.device_sn}`.toUpperCase(),
    isOnline: deviceId => {
      const device = store.directory.device(deviceId);
      return device !== undefined && devices.isOnline(device.deviceNo);
    },
  };
}

/** While the box opens or holds its own hotspot, or joins a network, its radio is busy. */
const takesRadio: ReadonlySet<string> = new Set(['opening', 'open', 'trying']);

/**
 * Whether a wired network interface has an address. Bridges and tunnels do not count: they lead
 * through another interface.
 */
function hasWire(): boolean {
  return Object.entries(networkInterfaces()).some(([name, addresses]) => {
    const folder = `/sys/class/net/${name}`;
    const routable = addresses?.some(({ internal, address }) => !internal && !address.startsWith('fe80'));
    return routable === true && existsSync(`${folder}/device`) && !existsSync(`${folder}/wireless`);
  });
}
