import { readFile } from 'node:fs/promises';
import { BusRefused, BusUnavailable, connectSystemBus, type SystemBus } from '../../bus/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { failureOf, outOfBand, securityOf } from './access-points.ts';
import {
  activeInterface,
  deviceInterface,
  manager,
  managerPath,
  profileInterface,
  settingsInterface,
  settingsPath,
  state,
  wifiDevice,
  wirelessInterface,
} from './networkmanager-names.ts';
import {
  type Joined,
  type NetworkPlace,
  nowhere,
  type Wifi,
  type WifiJoin,
  type WifiNetwork,
  WifiUnavailable,
} from './port.ts';
import { hotspotProfile, joinProfile, type Profile, profileNames } from './profiles.ts';

const scanMs = 12_000;
const scanLookMs = 500;
const hotspotMs = 30_000;
/** NetworkManager may tell an address a moment after it has called the network joined. */
const addressMs = 20_000;
const addressLookMs = 100;
const startUpMs = 60_000;
const startUpLookMs = 1000;
/** Connections that lead anywhere; a bridge of containers or the loopback leads nowhere. */
const networkTypes = new Set(['802-3-ethernet', '802-11-wireless', 'gsm', 'bond', 'vlan']);

interface Device {
  readonly path: string;
  readonly name: string;
}

/**
 * The wifi interface through NetworkManager, over D-Bus. `interfaceName` null: the first that is
 * there.
 */
export function networkManagerWifi(options: {
  readonly interfaceName: string | null;
  /** Whether the machine has a way out that NetworkManager does not manage. */
  readonly otherWay: () => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
}): Wifi {
  return new NetworkManagerWifi(options);
}

class NetworkManagerWifi implements Wifi {
  readonly #interfaceName: string | null;
  readonly #otherWay: () => Promise<boolean>;
  readonly #clock: Clock;
  readonly #log: Log;
  #bus: SystemBus | null = null;

  constructor({ interfaceName, otherWay, clock, log }: Parameters<typeof networkManagerWifi>[0]) {
    this.#interfaceName = interfaceName;
    this.#otherWay = otherWay;
    this.#clock = clock;
    this.#log = log;
  }

  async whyNot() {
    try {
      await this.#device();
      return null;
    } catch (error) {
      if (error instanceof WifiUnavailable) return error.message;
      throw error;
    }
  }

  async hasNetwork() {
    const bus = await this.#connected();
    return this.#named(async () => {
      const end = this.#clock.monotonic() + startUpMs;
      while ((await this.#ofManager(bus, 'Startup')) === true && this.#clock.monotonic() < end)
        await this.#clock.sleep(startUpLookMs);
      for (const active of (await this.#ofManager(bus, 'ActiveConnections')) as string[]) {
        const of = (name: string) => bus.property(manager, active, activeInterface, name);
        if ((await of('Id')) === profileNames.hotspot || (await of('State')) !== 2) continue;
        if (networkTypes.has(String(await of('Type')))) return true;
      }
      return this.#otherWay();
    });
  }

  async scan(signal: AbortSignal) {
    const { bus, device } = await this.#device();
    return this.#named(async () => {
      const lastScan = () => bus.property(manager, device.path, wirelessInterface, 'LastScan').catch(() => -1);
      const before = await lastScan();
      try {
        await this.#on(bus, device, wirelessInterface, 'RequestScan', 'a{sv}', [{}]);
        const end = this.#clock.monotonic() + scanMs;
        while ((await lastScan()) === before && this.#clock.monotonic() < end)
          await this.#clock.sleep(scanLookMs, signal);
      } catch (error) {
        // It has just scanned, or is scanning: its list is fresh enough.
        if (!(error instanceof BusRefused)) throw error;
        this.#log.debug({ code: error.code }, 'NetworkManager did not scan');
      }
      const [paths] = await this.#on(bus, device, wirelessInterface, 'GetAllAccessPoints');
      const found = await Promise.all((paths as string[]).map(path => this.#accessPoint(bus, path)));
      return strongestOfEach(found.filter(one => one !== null));
    });
  }

  async openHotspot(hotspot: Parameters<Wifi['openHotspot']>[0], signal: AbortSignal) {
    const { bus, device } = await this.#device();
    return this.#named(async () => {
      await this.#remove(bus, profileNames.hotspot);
      const profile = hotspotProfile(bus.variant, device.name, hotspot);
      const bounded = AbortSignal.any([signal, timeUp(hotspotMs, this.#clock)]);
      const outcome = await this.#activate(bus, device, profile, bounded);
      if (outcome.reached === 'activated') return;
      await this.#remove(bus, profileNames.hotspot);
      signal.throwIfAborted();
      throw new WifiUnavailable(
        `the hotspot could not be opened: ${outcome.reached === 'failed' ? failureOf(outcome.reason).says : 'it took too long'}`,
      );
    });
  }

  async closeHotspot() {
    const bus = await this.#connected();
    await this.#named(() => this.#remove(bus, profileNames.hotspot));
  }

  async join(network: WifiJoin, { keep, signal }: { readonly keep: boolean; readonly signal: AbortSignal }) {
    const { bus, device } = await this.#device();
    return this.#named(async (): Promise<Joined> => {
      const name = keep ? profileNames.kept : profileNames.passing;
      await this.#remove(bus, name);
      const profile = joinProfile(bus.variant, device.name, network, { kept: keep, autoconnect: false });
      const outcome = await this.#activate(bus, device, profile, signal);
      if (outcome.reached === 'activated') {
        if (keep)
          await this.#keep(
            bus,
            outcome.profile,
            joinProfile(bus.variant, device.name, network, { kept: true, autoconnect: true }),
          );
        return { ok: true, place: await this.#placeOnceThere(bus, device) };
      }
      const place = { ...nowhere, mac: await this.#mac(bus, device) };
      await this.#remove(bus, name);
      if (outcome.reached === 'aborted') return { ok: false, error: -6, says: 'it took too long', place };
      const capabilities = Number(await bus.property(manager, device.path, wirelessInterface, 'WirelessCapabilities'));
      return { ok: false, ...(outOfBand(network.ssid, capabilities) ?? failureOf(outcome.reason)), place };
    });
  }

  async forget(which: 'kept' | 'passing') {
    const bus = await this.#connected();
    await this.#named(() => this.#remove(bus, profileNames[which]));
  }

  async reachesInternet() {
    const bus = await this.#connected();
    return this.#named(async () => {
      if ((await this.#ofManager(bus, 'ConnectivityCheckEnabled').catch(() => false)) !== true) return null;
      const [connectivity] = await bus.call({
        service: manager,
        path: managerPath,
        interface: manager,
        member: 'CheckConnectivity',
      });
      return connectivity === 0 ? null : connectivity === 4;
    });
  }

  async [Symbol.asyncDispose]() {
    this.#bus?.[Symbol.dispose]();
    this.#bus = null;
  }

  async #connected(): Promise<SystemBus> {
    if (this.#bus) return this.#bus;
    return this.#named(async () => {
      const bus = await connectSystemBus(this.#clock);
      bus.gone.then(() => {
        if (this.#bus === bus) this.#bus = null;
      });
      this.#bus = bus;
      return bus;
    });
  }

  /** The interface that is meant, switched on and managed. */
  async #device(): Promise<{ bus: SystemBus; device: Device }> {
    const bus = await this.#connected();
    return this.#named(async () => {
      const [paths] = await bus.call({
        service: manager,
        path: managerPath,
        interface: manager,
        member: 'GetDevices',
      });
      const seen: string[] = [];
      for (const path of paths as string[]) {
        const of = (name: string) => bus.property(manager, path, deviceInterface, name);
        if ((await of('DeviceType')) !== wifiDevice) continue;
        const name = String(await of('Interface'));
        seen.push(name);
        if (this.#interfaceName !== null && name !== this.#interfaceName) continue;
        if ((await of('Managed')) !== true)
          throw new WifiUnavailable(`NetworkManager leaves ${name} alone: remove it from its unmanaged devices`);
        await this.#switchOn(bus);
        if (Number(await of('State')) <= state.unavailable)
          throw new WifiUnavailable(`${name} cannot be used: it is switched off (rfkill), or its firmware is missing`);
        return { bus, device: { path, name } };
      }
      if (seen.length > 0)
        throw new WifiUnavailable(`there is no wifi interface ${this.#interfaceName}: there is ${seen.join(', ')}`);
      throw new WifiUnavailable('there is no wifi interface: plug one in, or set provisioning.wifi to off');
    });
  }

  async #switchOn(bus: SystemBus): Promise<void> {
    if ((await this.#ofManager(bus, 'WirelessEnabled')) === true) return;
    await bus.call({
      service: manager,
      path: managerPath,
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Set',
      signature: 'ssv',
      body: [manager, 'WirelessEnabled', bus.variant('b', true)],
    });
  }

  /** Makes the profile, only in memory, and waits until it is active or NetworkManager gives up. */
  async #activate(
    bus: SystemBus,
    device: Device,
    profile: Profile,
    signal: AbortSignal,
  ): Promise<
    | { readonly reached: 'activated'; readonly profile: string }
    | { readonly reached: 'failed'; readonly reason: number }
    | { readonly reached: 'aborted' }
  > {
    const settled = Promise.withResolvers<{ reached: 'activated' } | { reached: 'failed'; reason: number }>();
    let begun = false;
    const rule = `interface='${deviceInterface}',member='StateChanged',path='${device.path}'`;
    using _ = await bus.signals(manager, rule, ({ body }) => {
      const [now, , reason] = body as number[];
      begun ||= now! >= state.prepare && now! <= state.activated;
      if (!begun) return;
      if (now === state.activated) settled.resolve({ reached: 'activated' });
      if (now === state.failed || now === state.disconnected)
        settled.resolve({ reached: 'failed', reason: reason ?? 0 });
    });
    const [path] = await bus.call({
      service: manager,
      path: settingsPath,
      interface: settingsInterface,
      member: 'AddConnectionUnsaved',
      signature: 'a{sa{sv}}',
      body: [profile],
    });
    await bus.call({
      service: manager,
      path: managerPath,
      interface: manager,
      member: 'ActivateConnection',
      signature: 'ooo',
      body: [path, device.path, '/'],
    });
    const over = new Promise<{ reached: 'aborted' }>(resolve => {
      if (signal.aborted) resolve({ reached: 'aborted' });
      signal.addEventListener('abort', () => resolve({ reached: 'aborted' }), { once: true });
    });
    const gone = bus.gone.then((): never => {
      throw new BusUnavailable("the connection to the system's D-Bus was lost");
    });
    const outcome = await Promise.race([settled.promise, over, gone]);
    return outcome.reached === 'activated' ? { reached: 'activated', profile: String(path) } : outcome;
  }

  /** From now on it is on disk, and joined by itself after a restart. */
  async #keep(bus: SystemBus, path: string, profile: Profile): Promise<void> {
    await bus.call({
      service: manager,
      path,
      interface: profileInterface,
      member: 'Update',
      signature: 'a{sa{sv}}',
      body: [profile],
    });
  }

  /** Deletes the profiles of this name; one that is in force ends by it. */
  async #remove(bus: SystemBus, name: string): Promise<void> {
    const [paths] = await bus.call({
      service: manager,
      path: settingsPath,
      interface: settingsInterface,
      member: 'ListConnections',
    });
    for (const path of paths as string[]) {
      try {
        const [settings] = await bus.call({
          service: manager,
          path,
          interface: profileInterface,
          member: 'GetSettings',
        });
        if ((settings as { connection?: { id?: unknown } }).connection?.id !== name) continue;
        await bus.call({ service: manager, path, interface: profileInterface, member: 'Delete' });
      } catch (error) {
        // A profile that we may not read, or one that has gone meanwhile.
        if (!(error instanceof BusRefused)) throw error;
      }
    }
  }

  async #placeOnceThere(bus: SystemBus, device: Device): Promise<NetworkPlace> {
    const end = this.#clock.monotonic() + addressMs;
    for (;;) {
      const place = await this.#place(bus, device);
      if (place.address !== nowhere.address || this.#clock.monotonic() >= end) return place;
      await this.#clock.sleep(addressLookMs);
    }
  }

  async #place(bus: SystemBus, device: Device): Promise<NetworkPlace> {
    const mac = await this.#mac(bus, device);
    const config = String(await bus.property(manager, device.path, deviceInterface, 'Ip4Config'));
    if (config === '/') return { ...nowhere, mac };
    const of = (name: string) => bus.property(manager, config, `${manager}.IP4Config`, name);
    const [first] = (await of('AddressData')) as { address: string; prefix: number }[];
    if (!first) return { ...nowhere, mac };
    const gateway = String((await of('Gateway')) || nowhere.gateway);
    return { mac, address: first.address, mask: maskOf(first.prefix), gateway };
  }

  async #mac(bus: SystemBus, device: Device): Promise<string> {
    return String(await bus.property(manager, device.path, wirelessInterface, 'HwAddress')).toLowerCase();
  }

  /** Null: it has gone meanwhile, or hides its name. */
  async #accessPoint(bus: SystemBus, path: string): Promise<WifiNetwork | null> {
    try {
      const on = `${manager}.AccessPoint`;
      const of = (name: string) => bus.property(manager, path, on, name);
      const ssid = Buffer.from((await of('Ssid')) as number[]).toString('utf8');
      if (ssid.replace(/\0/g, '') === '') return null;
      const [flags, wpa, rsn, strength] = await Promise.all([
        of('Flags'),
        of('WpaFlags'),
        of('RsnFlags'),
        of('Strength'),
      ]);
      return {
        ssid,
        security: securityOf({ flags: Number(flags), wpa: Number(wpa), rsn: Number(rsn) }),
        quality: Number(strength),
      };
    } catch (error) {
      if (error instanceof BusRefused) return null;
      throw error;
    }
  }

  #ofManager(bus: SystemBus, name: string): Promise<unknown> {
    return bus.property(manager, managerPath, manager, name);
  }

  #on(bus: SystemBus, { path }: Device, on: string, member: string, signature = '', body: readonly unknown[] = []) {
    return bus.call({ service: manager, path, interface: on, member, signature, body });
  }

  /** Errors of D-Bus or NetworkManager become "no wifi", with their reason. */
  async #named<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof BusUnavailable) throw new WifiUnavailable(`no wifi: ${error.message}`);
      if (error instanceof BusRefused)
        throw new WifiUnavailable(`no wifi: NetworkManager refused with ${error.code}: ${error.message}`);
      throw error;
    }
  }
}

function strongestOfEach(found: readonly WifiNetwork[]): WifiNetwork[] {
  const byName = new Map<string, WifiNetwork>();
  for (const one of found) if ((byName.get(one.ssid)?.quality ?? -1) < one.quality) byName.set(one.ssid, one);
  return [...byName.values()].sort((one, other) => other.quality - one.quality);
}

function maskOf(prefix: number): string {
  const bits = prefix === 0 ? 0 : (-1 << (32 - prefix)) >>> 0;
  return [24, 16, 8, 0].map(shift => (bits >>> shift) & 0xff).join('.');
}

function timeUp(ms: number, clock: Clock): AbortSignal {
  const over = new AbortController();
  clock.sleep(ms).then(() => over.abort());
  return over.signal;
}

/** A network that NetworkManager does not manage leaves its trace in the routes. */
export async function hasDefaultRoute(): Promise<boolean> {
  const routes = await readFile('/proc/net/route', 'utf8').catch(() => '');
  return routes.split('\n').some(line => line.split('\t')[1] === '00000000');
}
