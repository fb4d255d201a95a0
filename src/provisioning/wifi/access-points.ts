import type { SetupError } from '../../platform/setup-result.ts';
import type { ScannedSecurity } from '../../platform/wifi-security.ts';
import { joinOutcomes } from '../../words/own-network.ts';
import type { Reason } from '../../words/sentences.ts';

const { say } = joinOutcomes;

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
  readonly why: Reason;
}

/** Why NetworkManager gave up (NMDeviceStateReason), as SPEC 7.6 counts it. */
const reasons: Readonly<Record<number, JoinFailure>> = {
  5: { error: -2, why: say('join_no_address') },
  6: { error: -2, why: say('join_address_lost') },
  7: { error: -3, why: say('join_password_refused') },
  8: { error: -3, why: say('join_ended') },
  9: { error: -4, why: say('join_card_lacks') },
  10: { error: -3, why: say('join_not_let_in') },
  11: { error: -3, why: say('join_no_answer') },
  15: { error: -2, why: say('join_dhcp_not_started') },
  16: { error: -2, why: say('join_dhcp_failed') },
  17: { error: -2, why: say('join_dhcp_no_address') },
  35: { error: -4, why: say('join_firmware_missing') },
  36: { error: -4, why: say('join_card_removed') },
  53: { error: -3, why: say('join_not_in_reach') },
};

export const failureOf = (reason: number): JoinFailure =>
  reasons[reason] ?? { error: -4, why: say('join_failed', { reason }) };

/** NM_WIFI_DEVICE_CAP_FREQ_VALID and _5GHZ. */
const bandsKnown = 0x100;
const has5GHz = 0x400;

/**
 * A network that is not found because the card does not support its band: routers name such
 * networks "…5G".
 */
export function outOfBand(ssid: string, capabilities: number): JoinFailure | null {
  const deaf = (capabilities & bandsKnown) !== 0 && (capabilities & has5GHz) === 0;
  return deaf && /5\s?G(Hz)?\b/i.test(ssid) ? { error: -5, why: say('join_no_5ghz') } : null;
}
