import { bytesOfSsid } from '../../platform/ssid.ts';
import type { WifiJoin } from './port.ts';
import { dhcpSeconds, profileNames } from './profiles.ts';

/**
 * The name of the file in NetworkManager's folder of connections, and how others of the same
 * profile begin.
 */
export const keyfileName = `${profileNames.kept}.nmconnection`;

/** NetworkManager wants one for each profile; there is one of this name on a box. */
const uuid = '6f0c2f1e-4c0b-4d43-9a55-6761746568f1';

/**
 * The kept network as a file that NetworkManager reads when it starts: the same profile as
 * `joinProfile` makes over D-Bus, on whichever wifi interface there is.
 */
export function keyfileOf(network: WifiJoin): string {
  const { key, security, hidden } = network;
  const open = security === 'none' || (security === undefined && key === '');
  return [
    '[connection]',
    `id=${profileNames.kept}`,
    `uuid=${uuid}`,
    'type=wifi',
    'autoconnect=true',
    '',
    '[wifi]',
    // As numbers: an ssid is bytes, and need not be text.
    `ssid=${[...bytesOfSsid(network)].join(';')};`,
    'mode=infrastructure',
    ...(hidden === true ? ['hidden=true'] : []),
    '',
    ...(open ? [] : ['[wifi-security]', ...securityLines(security, key), '']),
    '[ipv4]',
    'method=auto',
    `dhcp-timeout=${dhcpSeconds}`,
    'may-fail=false',
    '',
    '[ipv6]',
    'method=auto',
    '',
  ].join('\n');
}

function securityLines(security: WifiJoin['security'], key: string): string[] {
  if (security === 'WEP64' || security === 'WEP128')
    return ['key-mgmt=none', 'auth-alg=open', `wep-key0=${escaped(key)}`, 'wep-key-type=1'];
  return [`key-mgmt=${security === 'WPA3-SAE' ? 'sae' : 'wpa-psk'}`, `psk=${escaped(key)}`];
}

/** As GKeyFile reads text; blanks at the ends would be lost. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(' ', '\\s')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
