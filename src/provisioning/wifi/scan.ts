import { BusRefused, type SystemBus } from '../../bus/index.ts';
import { readSsid } from '../../platform/ssid.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { securityOf } from './access-points.ts';
import { manager, type WifiDevice, wirelessInterface } from './networkmanager-names.ts';
import type { WifiNetwork } from './port.ts';

const scanMs = 12_000;
const scanLookMs = 500;

/** The networks in range, the strongest first, each name once. Takes up to 12 s. */
export async function scanNetworks(
  bus: SystemBus,
  { path }: WifiDevice,
  { clock, log, signal }: { readonly clock: Clock; readonly log: Log; readonly signal: AbortSignal },
): Promise<WifiNetwork[]> {
  const on = { service: manager, path, interface: wirelessInterface } as const;
  const lastScan = () => bus.property(manager, path, wirelessInterface, 'LastScan').catch(() => -1);
  const before = await lastScan();
  try {
    await bus.call({ ...on, member: 'RequestScan', signature: 'a{sv}', body: [{}] });
    const end = clock.monotonic() + scanMs;
    while ((await lastScan()) === before && clock.monotonic() < end) await clock.sleep(scanLookMs, signal);
  } catch (error) {
    // A refusal means a scan just now or one in progress: the list is fresh enough.
    if (!(error instanceof BusRefused)) throw error;
    log.debug({ error_code: error.code }, 'no_wifi_scan');
  }
  const [paths] = await bus.call({ ...on, member: 'GetAllAccessPoints' });
  const found = await Promise.all((paths as string[]).map(one => accessPoint(bus, one)));
  return strongestOfEach(found.filter(one => one !== null));
}

/** Access point at `path`; null if it has gone in the meantime, or hides its name. */
async function accessPoint(bus: SystemBus, path: string): Promise<WifiNetwork | null> {
  try {
    const on = `${manager}.AccessPoint`;
    const of = (name: string) => bus.property(manager, path, on, name);
    const name = readSsid(Uint8Array.from((await of('Ssid')) as number[]));
    if (name.ssid.replace(/\0/g, '') === '') return null;
    const [flags, wpa, rsn, strength] = await Promise.all([
      of('Flags'),
      of('WpaFlags'),
      of('RsnFlags'),
      of('Strength'),
    ]);
    return {
      ...name,
      security: securityOf({ flags: Number(flags), wpa: Number(wpa), rsn: Number(rsn) }),
      quality: Number(strength),
    };
  } catch (error) {
    if (error instanceof BusRefused) return null;
    throw error;
  }
}

function strongestOfEach(found: readonly WifiNetwork[]): WifiNetwork[] {
  const byName = new Map<string, WifiNetwork>();
  for (const one of found) if ((byName.get(one.ssid)?.quality ?? -1) < one.quality) byName.set(one.ssid, one);
  return [...byName.values()].sort((one, other) => other.quality - one.quality);
}
