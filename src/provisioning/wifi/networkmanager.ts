import { busFault, connectSystemBus, type SystemBus } from '../../bus/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { joinOutcomes, radioFaults } from '../../words/own-network.ts';
import { whyOf, withWhy } from '../../words/sentences.ts';
import { failureOf, outOfBand } from './access-points.ts';
import { activateProfile, removeProfiles, updateProfile } from './connections.ts';
import { macOf, placeOnceThere } from './network-place.ts';
import {
  activeInterface,
  deviceInterface,
  manager,
  managerPath,
  state,
  type WifiDevice,
  wifiDeviceType,
  wirelessInterface,
} from './networkmanager-names.ts';
import { type Joined, nowhere, type Wifi, type WifiJoin, WifiUnavailable } from './port.ts';
import { hotspotProfile, joinProfile, profileNames } from './profiles.ts';
import { scanNetworks } from './scan.ts';

const hotspotMs = 30_000;
const startUpMs = 60_000;
const startUpLookMs = 1000;
/** Connections that lead anywhere; a bridge of containers or the loopback leads nowhere. */
const networkTypes = new Set(['802-3-ethernet', '802-11-wireless', 'gsm', 'bond', 'vlan']);

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
      if (error instanceof WifiUnavailable) return error.said;
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
    return this.#named(() => scanNetworks(bus, device, { clock: this.#clock, log: this.#log, signal }));
  }

  async openHotspot(hotspot: Parameters<Wifi['openHotspot']>[0], signal: AbortSignal) {
    const { bus, device } = await this.#device();
    return this.#named(async () => {
      await removeProfiles(bus, profileNames.hotspot);
      const profile = hotspotProfile(bus.variant, device.name, hotspot);
      const bounded = AbortSignal.any([signal, timeUp(hotspotMs, this.#clock)]);
      const outcome = await activateProfile(bus, device, profile, bounded);
      if (outcome.reached === 'activated') return;
      await removeProfiles(bus, profileNames.hotspot);
      signal.throwIfAborted();
      const why = outcome.reached === 'failed' ? failureOf(outcome.reason).why : joinOutcomes.say('join_too_long');
      throw new WifiUnavailable(radioFaults.say('own_hotspot_not_opened', withWhy(whyOf(why))));
    });
  }

  async closeHotspot() {
    const bus = await this.#connected();
    await this.#named(() => removeProfiles(bus, profileNames.hotspot));
  }

  async join(network: WifiJoin, { keep, signal }: { readonly keep: boolean; readonly signal: AbortSignal }) {
    const { bus, device } = await this.#device();
    return this.#named(async (): Promise<Joined> => {
      const name = keep ? profileNames.kept : profileNames.passing;
      await removeProfiles(bus, name);
      const profile = joinProfile(bus.variant, device.name, network, { kept: keep, autoconnect: false });
      const outcome = await activateProfile(bus, device, profile, signal);
      if (outcome.reached === 'activated') {
        if (keep)
          await updateProfile(
            bus,
            outcome.profile,
            joinProfile(bus.variant, device.name, network, { kept: true, autoconnect: true }),
          );
        return { ok: true, place: await placeOnceThere(bus, device, this.#clock) };
      }
      const place = { ...nowhere, mac: await macOf(bus, device) };
      await removeProfiles(bus, name);
      if (outcome.reached === 'aborted') return { ok: false, error: -6, why: joinOutcomes.say('join_too_long'), place };
      const capabilities = Number(await bus.property(manager, device.path, wirelessInterface, 'WirelessCapabilities'));
      return { ok: false, ...(outOfBand(network.ssid, capabilities) ?? failureOf(outcome.reason)), place };
    });
  }

  async forget(which: 'kept' | 'passing') {
    const bus = await this.#connected();
    await this.#named(() => removeProfiles(bus, profileNames[which]));
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
  async #device(): Promise<{ bus: SystemBus; device: WifiDevice }> {
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
        if ((await of('DeviceType')) !== wifiDeviceType) continue;
        const name = String(await of('Interface'));
        seen.push(name);
        if (this.#interfaceName !== null && name !== this.#interfaceName) continue;
        if ((await of('Managed')) !== true) throw new WifiUnavailable(radioFaults.say('wifi_unmanaged', { name }));
        await this.#switchOn(bus);
        if (Number(await of('State')) <= state.unavailable)
          throw new WifiUnavailable(radioFaults.say('wifi_unusable', { name }));
        return { bus, device: { path, name } };
      }
      throw new WifiUnavailable(
        seen.length > 0
          ? radioFaults.say('wifi_interface_missing', { name: this.#interfaceName!, others: seen.join(', ') })
          : radioFaults.say('wifi_interface_none'),
      );
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

  #ofManager(bus: SystemBus, name: string): Promise<unknown> {
    return bus.property(manager, managerPath, manager, name);
  }

  /** Errors of D-Bus or NetworkManager become `WifiUnavailable`, with their reason. */
  async #named<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      const fault = busFault('NetworkManager', error);
      throw fault === null ? error : new WifiUnavailable(fault);
    }
  }
}

function timeUp(ms: number, clock: Clock): AbortSignal {
  const over = new AbortController();
  clock.sleep(ms).then(() => over.abort());
  return over.signal;
}
