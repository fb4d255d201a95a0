import { existsSync, readdirSync } from 'node:fs';
import { connectSystemBus, type SystemBus } from '../bus/index.ts';
import type { Clock } from '../runtime/clock.ts';

type FoundRadio = 'no_bus' | 'no_service' | 'no_adapter' | 'ready';

/** Whether the services that hold the radios run, and have one. Asks, and changes nothing. */
export async function lookAtRadios(clock: Clock): Promise<{ bluetooth: FoundRadio; wifi: FoundRadio }> {
  let bus: SystemBus;
  try {
    bus = await connectSystemBus(clock);
  } catch {
    return { bluetooth: 'no_bus', wifi: 'no_bus' };
  }
  using _open = bus;
  const [bluetooth, wifi] = await Promise.all([
    found(bus, 'org.bluez', () => hasBluetoothAdapter(bus)),
    found(bus, 'org.freedesktop.NetworkManager', async () => hasWifiInterface()),
  ]);
  return { bluetooth, wifi };
}

async function found(bus: SystemBus, service: string, hasAdapter: () => Promise<boolean>): Promise<FoundRadio> {
  try {
    if (!(await bus.has(service))) return 'no_service';
    return (await hasAdapter()) ? 'ready' : 'no_adapter';
  } catch {
    return 'no_service';
  }
}

async function hasBluetoothAdapter(bus: SystemBus): Promise<boolean> {
  for (const object of (await bus.objects('org.bluez')).values()) if ('org.bluez.Adapter1' in object) return true;
  return false;
}

const interfacesFolder = '/sys/class/net';

const hasWifiInterface = (): boolean =>
  existsSync(interfacesFolder) &&
  readdirSync(interfacesFolder).some(name => existsSync(`${interfacesFolder}/${name}/wireless`));
