import { FieldReader, fieldText, lengthPrefixed, textBytes } from './length-prefixed.ts';
import { ok, type Parsed, refuse } from './parsed.ts';
import { ssidBytesMax } from './ssid.ts';

/**
 * The payloads of the Bluetooth frames 0x00 to 0x03 (SPEC 4.4). Bytes after the last field are
 * padding and are not read.
 */

interface FrameErrorPayload {
  readonly code: number;
  /** English, may be empty. */
  readonly message: string;
}

/** 0x00: code (1) · description. */
export const encodeFrameError = ({ code, message }: FrameErrorPayload): Uint8Array =>
  Buffer.concat([Uint8Array.of(code), textBytes(message)]);

export function decodeFrameError(payload: Uint8Array): Parsed<FrameErrorPayload> {
  if (payload.length === 0) return refuse('bad_payload', 'the error has no code');
  return ok({ code: payload[0]!, message: fieldText(payload.subarray(1)) });
}

export interface DeviceInfo {
  /** As the device writes it: letters keep their case, nothing is checked. */
  readonly deviceId: string;
  readonly model: string;
}

/**
 * 0x01, the reply: device id length (1) · device id · model length (1) · model. The request is
 * empty.
 */
export const encodeDeviceInfo = ({ deviceId, model }: DeviceInfo): Uint8Array =>
  lengthPrefixed(textBytes(deviceId), textBytes(model));

export function decodeDeviceInfo(payload: Uint8Array): Parsed<DeviceInfo> {
  const reader = new FieldReader(payload);
  const deviceId = reader.field();
  const model = deviceId && reader.field();
  if (!deviceId || !model) return refuse('bad_payload', 'the device info ends in the middle of a field');
  return ok({ deviceId: fieldText(deviceId), model: fieldText(model) });
}

export interface SignatureReply extends DeviceInfo {
  /** As sent: text or four bytes (device-signature.ts). */
  readonly signature: Uint8Array;
}

/**
 * 0x02, the reply: signature length (1) · signature · device id length (1) · device id · model
 * length (1) · model.
 */
export const encodeSignatureReply = ({ signature, deviceId, model }: SignatureReply): Uint8Array =>
  lengthPrefixed(signature, textBytes(deviceId), textBytes(model));

export function decodeSignatureReply(payload: Uint8Array): Parsed<SignatureReply> {
  const reader = new FieldReader(payload);
  const signature = reader.field();
  const deviceId = signature && reader.field();
  const model = deviceId && reader.field();
  if (!signature || !deviceId || !model) return refuse('bad_payload', 'the signature ends in the middle of a field');
  return ok({ signature, deviceId: fieldText(deviceId), model: fieldText(model) });
}

/** Bytes of a random string that are read (decision: docs/decisions/provisioning.md). */
export const randomBytesMax = 200;

/**
 * 0x02, the request: the random string and nothing else; zeros at its end are padding. 1 to 200
 * bytes.
 */
export function decodeSignatureRequest(payload: Uint8Array): Parsed<Uint8Array> {
  let end = payload.length;
  while (end > 0 && payload[end - 1] === 0) end--;
  if (end === 0) return refuse('bad_payload', 'the random string is empty');
  if (end > randomBytesMax) return refuse('bad_payload', `the random string has over ${randomBytesMax} bytes`);
  return ok(payload.subarray(0, end));
}

export interface WifiRequest {
  /** 1 to 32 bytes, of no certain encoding (IEEE 802.11). */
  readonly ssid: Uint8Array;
  /** Empty: an open network. Otherwise as wifi-password.ts protects it. */
  readonly protectedPassword: Uint8Array;
}

/**
 * 0x03 from the app: SSID length (1) · SSID · encrypted password length (1) · encrypted password.
 */
export const encodeWifiRequest = ({ ssid, protectedPassword }: WifiRequest): Uint8Array =>
  lengthPrefixed(ssid, protectedPassword);

export function decodeWifiRequest(payload: Uint8Array): Parsed<WifiRequest> {
  const reader = new FieldReader(payload);
  const ssid = reader.field();
  const protectedPassword = ssid && reader.field();
  if (!ssid || !protectedPassword) return refuse('bad_payload', 'the wifi settings end in the middle of a field');
  if (ssid.length === 0 || ssid.length > ssidBytesMax)
    return refuse('bad_payload', `an SSID has 1 to ${ssidBytesMax} bytes: this has ${ssid.length}`);
  return ok({ ssid, protectedPassword });
}
