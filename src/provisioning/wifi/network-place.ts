import { readFile } from 'node:fs/promises';
import type { SystemBus } from '../../bus/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { deviceInterface, manager, type WifiDevice, wirelessInterface } from './networkmanager-names.ts';
import { type NetworkPlace, nowhere } from './port.ts';

/** NetworkManager may give an address a moment after it has called the network joined. */
const addressMs = 20_000;
const addressLookMs = 100;

/** The interface's addresses, as soon as it has one; after 20 s what there is. */
export async function placeOnceThere(bus: SystemBus, device: WifiDevice, clock: Clock): Promise<NetworkPlace> {
  const end = clock.monotonic() + addressMs;
  for (;;) {
    const place = await placeOf(bus, device);
    if (place.address !== nowhere.address || clock.monotonic() >= end) return place;
    await clock.sleep(addressLookMs);
  }
}

async function placeOf(bus: SystemBus, device: WifiDevice): Promise<NetworkPlace> {
  const mac = await macOf(bus, device);
  const config = String(await bus.property(manager, device.path, deviceInterface, 'Ip4Config'));
  if (config === '/') return { ...nowhere, mac };
  const of = (name: string) => bus.property(manager, config, `${manager}.IP4Config`, name);
  const [first] = (await of('AddressData')) as { address: string; prefix: number }[];
  if (!first) return { ...nowhere, mac };
  const gateway = String((await of('Gateway')) || nowhere.gateway);
  return { mac, address: first.address, mask: maskOf(first.prefix), gateway };
}

export async function macOf(bus: SystemBus, device: WifiDevice): Promise<string> {
  return String(await bus.property(manager, device.path, wirelessInterface, 'HwAddress')).toLowerCase();
}

function maskOf(prefix: number): string {
  const bits = prefix === 0 ? 0 : (-1 << (32 - prefix)) >>> 0;
  return [24, 16, 8, 0].map(shift => (bits >>> shift) & 0xff).join('.');
}

/** A network that NetworkManager does not manage leaves its trace in the routes. */
export async function hasDefaultRoute(): Promise<boolean> {
  const routes = await readFile('/proc/net/route', 'utf8').catch(() => '');
  return routes.split('\n').some(line => line.split('\t')[1] === '00000000');
}
