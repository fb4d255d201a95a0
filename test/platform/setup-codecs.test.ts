import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signatureForm, signatureNumber, signatureText } from '../../src/platform/device-signature.ts';
import { decodeFrame, encodeFrame } from '../../src/platform/frame.ts';
import {
  decodeDeviceInfo,
  decodeSignatureReply,
  decodeSignatureRequest,
  decodeWifiRequest,
  encodeDeviceInfo,
  encodeSignatureReply,
  encodeWifiRequest,
} from '../../src/platform/setup-payloads.ts';
import {
  decodeSetupDatagram,
  encodeSetupDatagram,
  encodeSetupResult,
  explainSetup,
  setupStatusOf,
} from '../../src/platform/setup-result.ts';
import { openPassword, passwordForms, protectPassword } from '../../src/platform/wifi-password.ts';
import { keyProblem, qualityPercent, readWifiSecurity, wifiSecurities } from '../../src/platform/wifi-security.ts';

const bytes = (maxLength: number, minLength = 0) => fc.uint8Array({ minLength, maxLength });
/** What a field holds: no zeros at its end, which are padding. */
const field = fc.string({ maxLength: 60 }).filter(one => !one.endsWith('\0'));
const same = (value: unknown) => ({ ok: true, value });

describe('what is written is read again', () => {
  test('a frame of any command and payload, with padding behind it', () => {
    fc.assert(
      fc.property(fc.nat(255), bytes(2000), fc.nat(19), (command, payload, zeros) => {
        const padded = Buffer.concat([encodeFrame({ command, payload }), new Uint8Array(zeros)]);
        const read = decodeFrame(padded);
        expect(read.ok && [read.value.command, [...read.value.payload]]).toEqual([command, [...payload]]);
      }),
    );
    expect(() => encodeFrame({ command: 1, payload: new Uint8Array(65_536) })).toThrow('at most 65535 bytes');
  });

  test('device info, signatures and wifi settings', () => {
    fc.assert(
      fc.property(field, field, bytes(255), bytes(32, 1), (deviceId, model, some, ssid) => {
        expect(decodeDeviceInfo(encodeDeviceInfo({ deviceId, model }))).toEqual(same({ deviceId, model }));
        const reply = decodeSignatureReply(encodeSignatureReply({ signature: some, deviceId, model }));
        expect(reply.ok && { ...reply.value, signature: [...reply.value.signature] }).toEqual({
          signature: [...some],
          deviceId,
          model,
        });
        const wifi = decodeWifiRequest(encodeWifiRequest({ ssid, protectedPassword: some }));
        expect(wifi.ok && [[...wifi.value.ssid], [...wifi.value.protectedPassword]]).toEqual([[...ssid], [...some]]);
      }),
    );
  });

  test('a result of every status and error', () => {
    const ipv4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map(parts => parts.join('.'));
    const mask = fc.integer({ min: 1, max: 32 }).map(bits => {
      const word = (0xffff_ffff << (32 - bits)) >>> 0;
      return [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255].join('.');
    });
    const outcome = fc.constantFrom(
      { status: 0, error: null },
      ...Object.entries(setupStatusOf).map(([error, status]) => ({ status, error: Number(error) })),
    );
    fc.assert(
      fc.property(
        field,
        field,
        outcome,
        ipv4,
        mask,
        ipv4,
        (deviceId, model, { status, error }, address, subnet, gateway) => {
          const result = {
            deviceId,
            model,
            status,
            error,
            message: '',
            mac: '02:00:00:00:01:00',
            address,
            mask: subnet,
            gateway,
          };
          expect(decodeSetupDatagram(encodeSetupDatagram(result))).toEqual(same(result));
        },
      ),
    );
  });

  test('a wifi password in either form, under whatever key', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 63 }),
        fc.string({ minLength: 1, maxLength: 40 }),
        (password, key) => {
          fc.pre(!password.endsWith('\0') && password.isWellFormed() && key.isWellFormed());
          for (const form of passwordForms) {
            const opened = openPassword(protectPassword(password, { marker: 'VENDOR@', key, form }), {
              marker: 'VENDOR@',
              keys: [key],
            });
            expect(opened?.password).toBe(password);
          }
        },
      ),
    );
    expect(protectPassword('', { marker: 'VENDOR@', key: 'k', form: 'fold' })).toHaveLength(0);
    expect(() => protectPassword('x', { marker: 'VENDOR@', key: '', form: 'fold' })).toThrow('product_key is empty');
    expect(openPassword(Buffer.from('nothing of it'), { marker: 'VENDOR@', keys: ['k'] })).toBeNull();
  });

  test('a signature in each form in which devices write it', () => {
    fc.assert(
      fc.property(field, bytes(200, 1), field, (id, random, key) => {
        const number = signatureNumber(id, random, key);
        expect(signatureForm(Buffer.from(signatureText(number)), number)).toBe('hex');
        expect(signatureForm(Buffer.from(`0x${number.toString(16).toUpperCase()}\0\0`), number)).toBe('hex');
        expect(signatureForm(Buffer.from(String(number | 0)), number)).toMatch(/decimal|hex/);
      }),
    );
  });
});

describe('what is refused says why', () => {
  test.each([
    ['a field that ends too early', decodeDeviceInfo(Uint8Array.of(5, 65)), /ends in the middle/],
    ['an SSID of no bytes', decodeWifiRequest(Uint8Array.of(0, 0)), /1 to 32 bytes/],
    ['an SSID of 33 bytes', decodeWifiRequest(Uint8Array.of(33, ...new Uint8Array(33), 0)), /1 to 32 bytes/],
    ['an empty random string', decodeSignatureRequest(new Uint8Array(16)), /empty/],
    ['a random string of 201 bytes', decodeSignatureRequest(new Uint8Array(201).fill(65)), /over 200/],
    ['a result without its addresses', decodeSetupDatagram(Uint8Array.of(1, 65, 1, 66, 0, 0, 1, 2)), /no room/],
    [
      'a frame of another command',
      decodeSetupDatagram(encodeFrame({ command: 1, payload: new Uint8Array() })),
      /0x1 is no result/,
    ],
  ])('%s', (_name, read, why) => {
    expect(read.ok ? '' : read.refusal.detail).toMatch(why);
  });
});

test('wifi securities are read in any case and with underscores', () => {
  for (const one of wifiSecurities) expect(readWifiSecurity(` ${one.toLowerCase().replaceAll('-', '_')} `)).toBe(one);
  expect([readWifiSecurity('open'), readWifiSecurity('WPA3-SAE'), readWifiSecurity('tin foil')]).toEqual([
    'none',
    'WPA3-SAE',
    undefined,
  ]);
});

test('a key fits its network, or it is said which would', () => {
  expect([
    keyProblem('WPA2-PSK-AES', '12345678'),
    keyProblem('WPA2-PSK-AES', 'a'.repeat(64)),
    keyProblem('WEP64', '12345'),
  ]).toEqual([null, null, null]);
  expect([keyProblem('none', ''), keyProblem(undefined, '')]).toEqual([null, null]);
  expect(keyProblem('WPA2-PSK-AES', 'short')?.reason).toMatch(/8 to 63/);
  expect(keyProblem('WPA2-PSK-AES', 'z'.repeat(64))?.reason).toMatch(/64 hex/);
  expect(keyProblem('WEP128', '123456')?.reason).toMatch(/5 or 13 characters/);
  expect(keyProblem('WPA2-EAP', 'password')?.reason).toMatch(/enterprise/);
});

test.each([
  ['80', 80],
  ['100%', 100],
  ['5', 100],
  ['3', 60],
  ['5%', 5],
  ['-61', 78],
  ['-100 dBm', 0],
  ['-20', 100],
  ['', null],
  ['good', null],
  ['101', null],
])('a quality of "%s" is %s percent', (text, percent) => {
  expect(qualityPercent(text)).toBe(percent);
});

test('the code of a failure is read behind a length of 0 too, without a network and with padding', () => {
  const none = { address: '0.0.0.0', mask: '0.0.0.0', gateway: '0.0.0.0' };
  const failed = { deviceId: 'FACE-T1_A0001', model: 'FT1', status: -2, error: -3, message: '', ...none };
  const result = { ...failed, mac: '02:00:00:00:01:00' };
  const written = Buffer.from(encodeSetupResult(result));
  const networkBytes = 18;
  written[written.length - networkBytes - 2] = 0;
  for (const padding of [0, 4])
    expect(decodeSetupDatagram(Buffer.concat([written, Buffer.alloc(padding)]))).toEqual(same(result));
});

test('what SPEC does not know is said as a number', () => {
  expect(explainSetup(-2, -3)).toBe(
    'the router connection failed: wrong wifi SSID or password (start the configuration again)',
  );
  expect(explainSetup(7, -99)).toBe('status 7: error -99');
  expect(explainSetup(0, null)).toBe('configured, and connected to the platform');
});
