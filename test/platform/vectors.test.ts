import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { broadcastName, namesDevice, readBroadcastName } from '../../src/platform/broadcast-name.ts';
import { type DeviceId, parseDeviceId, productOf } from '../../src/platform/device-id.ts';
import { signatureForm, signatureNumber, signatureText } from '../../src/platform/device-signature.ts';
import { decodeFrame, encodeFrame } from '../../src/platform/frame.ts';
import { makeQrContent, parseQrContent } from '../../src/platform/qr-content.ts';
import {
  decodeDeviceInfo,
  decodeFrameError,
  decodeSignatureReply,
  decodeSignatureRequest,
  decodeWifiRequest,
  encodeDeviceInfo,
  encodeFrameError,
  encodeSignatureReply,
  encodeWifiRequest,
} from '../../src/platform/setup-payloads.ts';
import { decodeSetupDatagram, encodeSetupDatagram, type SetupResult } from '../../src/platform/setup-result.ts';
import { openPassword, protectPassword } from '../../src/platform/wifi-password.ts';

/**
 * docs/provisioning-vectors.json was computed from the words of the specification, not by the code
 * that it checks here.
 */
const vectors = JSON.parse(readFileSync(new URL('../../docs/provisioning-vectors.json', import.meta.url), 'utf8'));

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
const hex = (value: Uint8Array): string => Buffer.from(value).toString('hex');
const text = (value: Uint8Array): string => Buffer.from(value).toString('utf8');
const ok = (value: unknown) => ({ ok: true, value });

interface Vector {
  readonly about: string;
  readonly command: number;
  readonly payload: string;
  readonly frame: string;
  readonly bytes: string;
  readonly refusal: string;
  readonly datagram: string;
  readonly result: SetupResult;
  readonly meaning: Readonly<Record<string, never>>;
}

describe('frames', () => {
  test.each<Vector>(vectors.frames)('$about', ({ command, payload, frame, meaning }) => {
    expect(hex(encodeFrame({ command, payload: bytes(payload) }))).toBe(frame);
    const read = decodeFrame(bytes(frame));
    expect(read.ok && { command: read.value.command, payload: hex(read.value.payload) }).toEqual({ command, payload });
    const [[kind, value]] = Object.entries(meaning) as [[string, never]];
    const inside = bytes(payload);
    const wifi = ({ ssid, protectedPassword }: { ssid: string; protectedPassword: string }) => ({
      ssid: Buffer.from(ssid),
      protectedPassword: bytes(protectedPassword),
    });
    const codecs: Readonly<Record<string, () => void>> = {
      error: () => {
        expect(decodeFrameError(inside)).toEqual(ok(value));
        expect(hex(encodeFrameError(value))).toBe(payload);
      },
      deviceInfo: () => {
        expect(decodeDeviceInfo(inside)).toEqual(ok(value));
        expect(hex(encodeDeviceInfo(value))).toBe(payload);
      },
      signatureRequest: () => {
        const random = decodeSignatureRequest(inside);
        expect(random.ok && text(random.value)).toBe(value);
      },
      signatureReply: () => {
        const reply = decodeSignatureReply(inside);
        expect(reply.ok && { ...reply.value, signature: text(reply.value.signature) }).toEqual(value);
        const { signature } = value as { signature: string };
        expect(hex(encodeSignatureReply({ ...(value as object), signature: Buffer.from(signature) } as never))).toBe(
          payload,
        );
      },
      wifiRequest: () => {
        const request = decodeWifiRequest(inside);
        expect(
          request.ok && { ssid: text(request.value.ssid), protectedPassword: hex(request.value.protectedPassword) },
        ).toEqual(value);
        expect(hex(encodeWifiRequest(wifi(value)))).toBe(payload);
      },
    };
    codecs[kind]?.();
  });

  test.each<Vector>(vectors.framesRead)('are read with $about', ({ bytes: written, command, payload }) => {
    const read = decodeFrame(bytes(written));
    expect(read.ok && { command: read.value.command, payload: hex(read.value.payload) }).toEqual({ command, payload });
  });

  test.each<Vector>(vectors.framesRefused)('are refused with $about', ({ bytes: written, refusal }) => {
    expect(decodeFrame(bytes(written))).toMatchObject({ ok: false, refusal: { code: refusal } });
  });
});

describe('results of a configuration', () => {
  test.each<Vector>(vectors.results)('$about', ({ datagram, result }) => {
    expect(hex(encodeSetupDatagram(result))).toBe(datagram);
    expect(decodeSetupDatagram(bytes(datagram))).toEqual(ok(result));
  });
  test.each<Vector>(vectors.resultsRead)('are read with $about', ({ datagram, result }) => {
    expect(decodeSetupDatagram(bytes(datagram))).toEqual(ok(result));
  });
});

interface SignatureVector {
  readonly deviceId: string;
  readonly random: string;
  readonly key: string;
  readonly signed: string;
  readonly number: number;
  readonly text: string;
  readonly alsoRead: Readonly<Record<string, readonly string[]>>;
}

test.each<SignatureVector>(vectors.signatures)(
  'the signature of $signed',
  ({ deviceId, random, key, number, text: written, alsoRead }) => {
    const made = signatureNumber(deviceId, Buffer.from(random), key);
    expect(made).toBe(number);
    expect(signatureText(made)).toBe(written);
    expect(signatureForm(Buffer.from(written), made)).toBe('hex');
    for (const [form, spellings] of Object.entries(alsoRead))
      for (const one of spellings) {
        const sent = one.startsWith('#') ? bytes(one.slice(1)) : Buffer.from(one);
        expect([one, signatureForm(sent, made)]).toEqual([one, form]);
        expect(signatureForm(sent, (made ^ 1) >>> 0)).toBeNull();
      }
  },
);

interface PasswordVector {
  readonly marker: string;
  readonly key: string;
  readonly password: string;
  readonly fold: string;
  readonly repeat: string;
  readonly foldAsText?: string;
}

test.each<PasswordVector>(vectors.wifiPasswords)('the wifi password $password under $key', vector => {
  const { marker, key, password } = vector;
  for (const form of ['fold', 'repeat'] as const) {
    expect(hex(protectPassword(password, { marker, key, form }))).toBe(vector[form]);
    const opened = openPassword(bytes(vector[form]), { marker, keys: [key] });
    expect(opened).toMatchObject({ password, key });
  }
  if (vector.foldAsText !== undefined) expect(text(bytes(vector.fold))).toBe(vector.foldAsText);
});

interface NameVector {
  readonly about: string;
  readonly vendor: string;
  readonly deviceId: string;
  readonly name: string;
}

const idOf = (written: string): DeviceId => {
  const parsed = parseDeviceId(written);
  if (!parsed.ok) throw new Error(`${written} is no device id`);
  return parsed.value;
};

test.each<NameVector>(vectors.broadcastNames)('the broadcast name of $about', ({ vendor, deviceId, name }) => {
  const id = idOf(deviceId);
  expect(broadcastName({ vendor, deviceId: id })).toBe(name);
  const read = readBroadcastName(name, { vendor, products: [{ productId: productOf(id), model: 'X' }] });
  expect(read && namesDevice(read, id)).toBe(true);
});

interface QrVector {
  readonly about: string;
  readonly base: string;
  readonly form: '1' | 'legacy-path' | 'legacy-query';
  readonly deviceId: string;
  readonly productId: string;
  readonly model: string;
  readonly appType: string | null;
  readonly appId: string | null;
  readonly funcType: string;
  readonly status: -1 | 0 | 1 | null;
  readonly content: string;
}

test.each<QrVector>(vectors.qrContents)('the QR content of $about', vector => {
  const { base, form, model, funcType, status, content } = vector;
  const deviceId = idOf(vector.deviceId);
  const code =
    form === '1'
      ? {
          form,
          appType: vector.appType!,
          appId: vector.appId!,
          deviceId,
          funcType,
          productId: productOf(deviceId),
          status,
        }
      : { form, deviceId, model, status };
  expect(makeQrContent(base, code)).toBe(content);
  const read = parseQrContent(content);
  expect(read.ok && read.value).toMatchObject({
    form,
    deviceId: vector.deviceId,
    productId: vector.productId,
    appType: vector.appType,
    appId: vector.appId,
    funcType,
    status,
  });
});
