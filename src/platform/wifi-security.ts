import type { Reason } from '../words/sentences.ts';
import { wifiKeyProblems } from '../words/wifi-keys.ts';

/** Values of `anthenc` and `authenc` (SPEC 4.3). */
export const wifiSecurities = [
  'none',
  'WEP64',
  'WEP128',
  'WPA-PSK-TKIP',
  'WPA-PSK-AES',
  'WPA2-PSK-TKIP',
  'WPA2-PSK-AES',
] as const;
export type WifiSecurity = (typeof wifiSecurities)[number];

/** Security that a scan may find beyond SPEC's values; shown as such. */
export type ScannedSecurity = WifiSecurity | 'WPA3-SAE' | 'WPA2-EAP';

/** In any case, with `_` for `-`; undefined where the word is none of SPEC's. */
export function readWifiSecurity(text: string): ScannedSecurity | undefined {
  const word = text.trim().replaceAll('_', '-').toUpperCase();
  if (word === 'OPEN' || word === 'NONE') return 'none';
  if (word === 'WPA3-SAE') return 'WPA3-SAE';
  return wifiSecurities.find(one => one.toUpperCase() === word);
}

/**
 * Why the key does not fit the network; null: it does. WPA: 8 to 63 characters or 64 hex digits;
 * WEP: 5 or 13, or 10 or 26 hex digits.
 */
export function keyProblem(security: ScannedSecurity | undefined, key: string): Reason | null {
  if (security === 'none' || (security === undefined && key === '')) return null;
  if (security === 'WPA2-EAP') return wifiKeyProblems.say('wifi_asks_user_name');
  const bytes = Buffer.byteLength(key);
  if (security === 'WEP64' || security === 'WEP128') {
    const fits = bytes === 5 || bytes === 13 || ((key.length === 10 || key.length === 26) && isHex(key));
    return fits ? null : wifiKeyProblems.say('wep_key_length');
  }
  if ((bytes >= 8 && bytes <= 63) || (key.length === 64 && isHex(key))) return null;
  return wifiKeyProblems.say('wifi_password_length');
}

const isHex = (text: string): boolean => /^[0-9a-f]*$/i.test(text);

/**
 * Signal strength in percent: as percent, as up to five bars, or in dBm; null where it is none of
 * them.
 */
export function qualityPercent(text: string): number | null {
  const value = Number(text.trim().replace(/(dBm|%)$/i, ''));
  if (text.trim() === '' || !Number.isFinite(value) || value > 100) return null;
  if (value < 0) return Math.min(100, Math.max(0, Math.round(2 * (value + 100))));
  const bars = value <= 5 && Number.isInteger(value) && !text.includes('%');
  return bars ? value * 20 : Math.round(value);
}
