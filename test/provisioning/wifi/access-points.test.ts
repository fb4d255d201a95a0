import { expect, test } from 'vitest';
import { failureOf, outOfBand, securityOf } from '../../../src/provisioning/wifi/access-points.ts';

const tkip = 0x4;
const ccmp = 0x8;
const psk = 0x100;
const enterprise = 0x200;
const sae = 0x400;

test.each([
  ['none', { flags: 0, wpa: 0, rsn: 0 }],
  ['WEP128', { flags: 1, wpa: 0, rsn: 0 }],
  ['WPA-PSK-TKIP', { flags: 1, wpa: psk | tkip, rsn: 0 }],
  ['WPA-PSK-AES', { flags: 1, wpa: psk | ccmp, rsn: 0 }],
  ['WPA2-PSK-TKIP', { flags: 1, wpa: 0, rsn: psk | tkip }],
  ['WPA2-PSK-AES', { flags: 1, wpa: 0, rsn: psk | ccmp }],
  ['WPA2-PSK-AES', { flags: 1, wpa: psk | tkip, rsn: psk | tkip | ccmp }],
  ['WPA2-PSK-AES', { flags: 1, wpa: 0, rsn: psk | sae | ccmp }],
  ['WPA3-SAE', { flags: 1, wpa: 0, rsn: sae | ccmp }],
  ['WPA2-EAP', { flags: 1, wpa: 0, rsn: enterprise | ccmp }],
] as const)('%s is read from what NetworkManager says', (security, flags) => {
  expect(securityOf(flags)).toBe(security);
});

test.each([
  [7, -3],
  [8, -3],
  [10, -3],
  [11, -3],
  [53, -3],
  [5, -2],
  [15, -2],
  [16, -2],
  [17, -2],
  [9, -4],
  [36, -4],
  [999, -4],
])("NetworkManager's reason %i is error %i of SPEC 7.6", (reason, error) => {
  expect(failureOf(reason).error).toBe(error);
});

test('a network that says 5G is out of band for a card that is known not to hear it, and for no other', () => {
  const bandsKnown = 0x100;
  const hears5 = 0x400;
  expect(outOfBand('Office-5G', bandsKnown)?.error).toBe(-5);
  expect(outOfBand('Office-5G', bandsKnown | hears5)).toBe(null);
  expect(outOfBand('Office-5G', 0)).toBe(null);
  expect(outOfBand('Office', bandsKnown)).toBe(null);
});
