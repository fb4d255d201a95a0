import type { SetupError } from '../../platform/setup-result.ts';
import type { ScannedSecurity } from '../../platform/wifi-security.ts';

/** The flags of an access point in NetworkManager (NM80211ApFlags, NM80211ApSecurityFlags). */
interface AccessPointFlags {
  readonly flags: number;
  readonly wpa: number;
  readonly rsn: number;
}

const privacy = 0x1;
const pairTkip = 0x4;
const pairCcmp = 0x8;
const psk = 0x100;
const enterprise = 0x200;
const sae = 0x400;

/**
 * In SPEC 4.3's words. A network that offers several is named by the best that SPEC has a word for.
 */
export function securityOf({ flags, wpa, rsn }: AccessPointFlags): ScannedSecurity {
  if (rsn & psk) return rsn & pairTkip && !(rsn & pairCcmp) ? 'WPA2-PSK-TKIP' : 'WPA2-PSK-AES';
  if (wpa & psk) return wpa & pairCcmp ? 'WPA-PSK-AES' : 'WPA-PSK-TKIP';
  if (rsn & sae) return 'WPA3-SAE';
  if ((rsn | wpa) & enterprise) return 'WPA2-EAP';
  return flags & privacy ? 'WEP128' : 'none';
}

interface JoinFailure {
  readonly error: SetupError;
  readonly message: string;
}

/** Why NetworkManager gave up (NMDeviceStateReason), as SPEC 7.6 counts it. */
const reasons: Readonly<Record<number, JoinFailure>> = {
  5: { error: -2, message: 'the router gave no address' },
  6: { error: -2, message: 'the router took the address back' },
  7: { error: -3, message: 'the router does not accept the password' },
  8: { error: -3, message: 'the router ended the connection: the password may be wrong' },
  9: { error: -4, message: 'the wifi card does not support what the network asks for' },
  10: { error: -3, message: 'the router does not let the box in: the password may be wrong' },
  11: { error: -3, message: 'the router did not answer in time: the password may be wrong, or it is too far away' },
  15: { error: -2, message: 'the DHCP client could not be started' },
  16: { error: -2, message: 'the DHCP client failed' },
  17: { error: -2, message: 'the router gave no address by DHCP' },
  35: { error: -4, message: 'the firmware of the wifi card is missing' },
  36: { error: -4, message: 'the wifi card was removed' },
  53: { error: -3, message: 'there is no network of this name in reach' },
};

export const failureOf = (reason: number): JoinFailure =>
  reasons[reason] ?? { error: -4, message: `the network could not be joined (NetworkManager's reason ${reason})` };

/** NM_WIFI_DEVICE_CAP_FREQ_VALID and _5GHZ. */
const bandsKnown = 0x100;
const has5GHz = 0x400;

/**
 * A network that is not found because the card does not support its band: routers name such
 * networks "…5G".
 */
export function outOfBand(ssid: string, capabilities: number): JoinFailure | null {
  const deaf = (capabilities & bandsKnown) !== 0 && (capabilities & has5GHz) === 0;
  return deaf && /5\s?G(Hz)?\b/i.test(ssid)
    ? { error: -5, message: 'the wifi card of the box does not do 5 GHz' }
    : null;
}
