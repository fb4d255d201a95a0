import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { type Config, parseAddress } from './config/index.ts';
import type { Devices } from './devices/index.ts';
import type { Clock, Random } from './platform/clock.ts';
import type { Log } from './platform/log.ts';
import { bluezRadio, type SiteDevicesOptions, simulatedWifi } from './provisioning/index.ts';
import type { Store } from './store/index.ts';

interface World {
  readonly store: Store;
  readonly devices: Pick<Devices, 'isOnline'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Where the endpoints of SPEC 4.3 are in the hotspot of a device. */
const deviceHotspot = { host: '10.192.168.1', port: 80 } as const;

/** What the set-up of site devices is given from the config and from the machine. */
export function siteDeviceParts(
  { provisioning, box }: Config,
  { store, devices, clock, random, log }: World,
): SiteDevicesOptions {
  const networks = provisioning.simulated_networks;
  return {
    store,
    clock,
    random,
    log,
    vendor: box.vendor,
    openRadio: provisioning.bluetooth === 'off' ? null : bluezRadio({ adapter: provisioning.bluetooth_adapter, clock }),
    gatt: provisioning.gatt,
    wifi: provisioning.wifi === 'simulated' ? simulatedWifi(networks, clock) : null,
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

/** Whether a socket with a cable in it has an address: hardware that is no radio. Bridges and tunnels lead through something else. */
function hasWire(): boolean {
  return Object.entries(networkInterfaces()).some(([name, addresses]) => {
    const folder = `/sys/class/net/${name}`;
    const routable = addresses?.some(({ internal, address }) => !internal && !address.startsWith('fe80'));
    return routable === true && existsSync(`${folder}/device`) && !existsSync(`${folder}/wireless`);
  });
}
