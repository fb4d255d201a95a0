import { bytesOfSsid } from '../../platform/ssid.ts';
import type { Hotspot, WifiJoin } from './port.ts';

/** A value with its D-Bus type. */
type Typed = (signature: string, value: unknown) => unknown;
/** Settings of a connection as NetworkManager takes them: `a{sa{sv}}`. */
export type Profile = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Names of our profiles in NetworkManager, by which they are found again. */
export const profileNames = {
  hotspot: 'gatehouse-hotspot',
  kept: 'gatehouse-wifi',
  passing: 'gatehouse-passing',
} as const;

/** The router has to give an address within this (decision 84). */
export const dhcpSeconds = 15;

/** The box's own hotspot: NetworkManager serves DHCP and DNS there (`shared`). */
export function hotspotProfile(typed: Typed, interfaceName: string, { name, key, address }: Hotspot): Profile {
  const [ip, bits] = address.split('/');
  return {
    connection: {
      id: typed('s', profileNames.hotspot),
      type: typed('s', '802-11-wireless'),
      'interface-name': typed('s', interfaceName),
      autoconnect: typed('b', false),
    },
    '802-11-wireless': {
      ssid: typed('ay', Buffer.from(name, 'utf8')),
      mode: typed('s', 'ap'),
      band: typed('s', 'bg'),
    },
    ...(key === null
      ? {}
      : {
          '802-11-wireless-security': {
            'key-mgmt': typed('s', 'wpa-psk'),
            psk: typed('s', key),
            proto: typed('as', ['rsn']),
            pairwise: typed('as', ['ccmp']),
            group: typed('as', ['ccmp']),
          },
        }),
    ipv4: {
      method: typed('s', 'shared'),
      'address-data': typed('aa{sv}', [{ address: typed('s', ip), prefix: typed('u', Number(bits)) }]),
    },
    ipv6: { method: typed('s', 'disabled') },
  };
}

export function joinProfile(
  typed: Typed,
  interfaceName: string,
  network: WifiJoin,
  { kept, autoconnect }: { readonly kept: boolean; readonly autoconnect: boolean },
): Profile {
  const security = securityProfile(typed, network);
  return {
    connection: {
      id: typed('s', kept ? profileNames.kept : profileNames.passing),
      type: typed('s', '802-11-wireless'),
      'interface-name': typed('s', interfaceName),
      autoconnect: typed('b', autoconnect),
    },
    '802-11-wireless': {
      ssid: typed('ay', Buffer.from(bytesOfSsid(network))),
      mode: typed('s', 'infrastructure'),
      hidden: typed('b', network.hidden === true),
    },
    ...(security ? { '802-11-wireless-security': security } : {}),
    ipv4: {
      method: typed('s', 'auto'),
      'dhcp-timeout': typed('i', dhcpSeconds),
      // Without it an address of IPv6 alone would count as joined.
      'may-fail': typed('b', false),
    },
    ipv6: { method: typed('s', 'auto') },
  };
}

/**
 * The values of SPEC 4.3. WPA and WPA2, TKIP and AES are left to the radio and the router, which
 * know better than what was typed.
 */
function securityProfile(typed: Typed, { security, key }: WifiJoin): Profile[string] | null {
  if (security === 'none' || (security === undefined && key === '')) return null;
  if (security === 'WEP64' || security === 'WEP128')
    return {
      'key-mgmt': typed('s', 'none'),
      'auth-alg': typed('s', 'open'),
      'wep-key0': typed('s', key),
      'wep-key-type': typed('u', 1),
    };
  return { 'key-mgmt': typed('s', security === 'WPA3-SAE' ? 'sae' : 'wpa-psk'), psk: typed('s', key) };
}
