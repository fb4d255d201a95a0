import type { WifiSecurity } from '../../platform/wifi-security.ts';
import type { Clock } from '../../runtime/clock.ts';
import { joinOutcomes } from '../../words/own-network.ts';
import { type Joined, type NetworkPlace, nowhere, type Wifi, type WifiNetwork } from './port.ts';

/** A network of the config's `simulated_networks`. */
export interface SimulatedNetwork {
  readonly ssid: string;
  readonly key: string;
  readonly anthenc: WifiSecurity;
  readonly quality: string;
}

/** Long enough to be seen as states, short enough for a demo. */
const scanMs = 200;
const joinMs = 500;
const place: NetworkPlace = {
  mac: '02:00:00:00:01:00',
  address: '127.0.0.1',
  mask: '255.0.0.0',
  gateway: '127.0.0.1',
};

/**
 * Wifi for demos and tests: the networks of the config, all on the loopback. A hotspot is nothing
 * but its name.
 */
export function simulatedWifi(networks: readonly SimulatedNetwork[], clock: Clock): Wifi {
  const joined = new Set<'kept' | 'passing'>();
  return {
    whyNot: async () => null,
    hasNetwork: async () => joined.has('kept'),
    async scan(signal) {
      await clock.sleep(scanMs, signal);
      return networks
        .map(({ ssid, anthenc, quality }): WifiNetwork => ({ ssid, security: anthenc, quality: Number(quality) || 0 }))
        .sort((one, other) => other.quality - one.quality);
    },
    openHotspot: async () => {},
    closeHotspot: async () => {},
    async join({ ssid, key }, { keep, signal }): Promise<Joined> {
      await clock.sleep(joinMs, signal);
      const network = networks.find(one => one.ssid === ssid);
      if (!network) return { ok: false, error: -3, why: joinOutcomes.say('join_not_in_reach'), place: nowhere };
      if (network.key !== key)
        return { ok: false, error: -3, why: joinOutcomes.say('join_password_refused'), place: nowhere };
      joined.add(keep ? 'kept' : 'passing');
      return { ok: true, place };
    },
    async forget(which) {
      joined.delete(which);
    },
    reachesInternet: async () => null,
    [Symbol.asyncDispose]: async () => {},
  };
}
