import { setupResults } from '../words/setup-results.ts';
import { decodeFrame, encodeFrame, frameCommand, startsWithHeader } from './frame.ts';
import { FieldReader, fieldText, lengthPrefixed, textBytes } from './length-prefixed.ts';
import { ok, type Parsed, refuse } from './parsed.ts';

/** How far a network configuration got (SPEC 3.4). */
export type SetupStatus = -2 | -1 | 0 | 1;

/** Status that comes with each error (SPEC 7.6). */
export const setupStatusOf = {
  ...{ '-6': -2, '-5': -2, '-4': -2, '-3': -2, '-2': -1, '-1': -1 },
  ...{ '1': -1, '2': 1, '3': 1 },
} as const satisfies Record<string, SetupStatus>;
export type SetupError = -6 | -5 | -4 | -3 | -2 | -1 | 1 | 2 | 3;

export interface SetupResult {
  readonly deviceId: string;
  readonly model: string;
  /** One of SPEC 3.4; a device may send another number. */
  readonly status: number;
  /** One of SPEC 7.6; null with status 0. */
  readonly error: number | null;
  /** Not in SPEC's fields, though its length is: what some devices add. */
  readonly message: string;
  /** `02:00:00:00:01:00` */
  readonly mac: string;
  /** Dotted IPv4; 0.0.0.0 where there is none. */
  readonly address: string;
  readonly mask: string;
  readonly gateway: string;
}

const networkBytes = 6 + 4 + 4 + 4;

/**
 * id length (1) · id · model length (1) · model · status (1, signed) · error message length (1) ·
 * error code (1, signed) · MAC (6) · address (4) · mask (4) · gateway (4), as SPEC 4.5 lists them.
 * With status 0 the length is 0 and no code follows; else it is 1 (DESIGN 5).
 */
export function encodeSetupResult(result: SetupResult): Uint8Array {
  const outcome = result.status === 0 ? [0, 0] : [result.status & 0xff, 1, (result.error ?? 0) & 0xff];
  return Buffer.concat([
    lengthPrefixed(textBytes(result.deviceId), textBytes(result.model)),
    Uint8Array.from(outcome),
    Buffer.from(result.mac.replaceAll(':', ''), 'hex'),
    ipv4Bytes(result.address),
    ipv4Bytes(result.mask),
    ipv4Bytes(result.gateway),
  ]);
}

/** The datagram of SPEC 4.5: a whole frame of command 0x03. */
export const encodeSetupDatagram = (result: SetupResult): Uint8Array =>
  encodeFrame({ command: frameCommand.wifi, payload: encodeSetupResult(result) });

/** A datagram may be a frame or its bare payload: both are read. */
export function decodeSetupDatagram(bytes: Uint8Array): Parsed<SetupResult> {
  if (!startsWithHeader(bytes)) return decodeSetupResult(bytes);
  const frame = decodeFrame(bytes);
  if (!frame.ok) return frame;
  if (frame.value.command !== frameCommand.wifi)
    return refuse('bad_payload', `command 0x${frame.value.command.toString(16)} is no result of a configuration`);
  return decodeSetupResult(frame.value.payload);
}

/**
 * Reads every layout that the words of SPEC 4.5 allow: the code within the length, beside it, or
 * with text behind it.
 */
export function decodeSetupResult(payload: Uint8Array): Parsed<SetupResult> {
  const reader = new FieldReader(payload);
  const deviceId = reader.field();
  const model = deviceId && reader.field();
  const status = model && reader.byte();
  if (!deviceId || !model || status === null) return refuse('bad_payload', 'the result ends in the middle of a field');
  const read = layoutOf(reader.rest(), status === 0);
  if (!read) return refuse('bad_payload', 'the result has no room for MAC, address, mask and gateway');
  const { network, error, message } = read;
  return ok({
    deviceId: fieldText(deviceId),
    model: fieldText(model),
    status: signed(status!),
    error: status === 0 ? null : error,
    message,
    mac: [...network.subarray(0, 6)].map(byte => byte.toString(16).padStart(2, '0')).join(':'),
    address: ipv4Text(network.subarray(6, 10)),
    mask: ipv4Text(network.subarray(10, 14)),
    gateway: ipv4Text(network.subarray(14, 18)),
  });
}

interface Layout {
  readonly error: number;
  readonly message: string;
  readonly network: Uint8Array;
  /** Zeros may follow it; anything else means another form. */
  readonly behind: Uint8Array;
}

/**
 * The reading that fits to the last byte, then one with padding; among equals the one whose subnet
 * mask is one.
 */
function layoutOf(rest: Uint8Array, connected: boolean): Layout | null {
  const length = rest[0];
  if (length === undefined) return null;
  const within = cut(rest, 1 + length, length === 0 ? 0 : signed(rest[1] ?? 0), 2);
  const beside = cut(rest, 2 + length, signed(rest[1] ?? 0), 2);
  // A failure always has a code: with length 0 it follows.
  const readings = (length === 0 && !connected ? [beside, within] : [within, beside]).filter(one => one !== null);
  const fitting = readings.filter(one => one.behind.length === 0);
  const padded = readings.filter(one => one.behind.every(byte => byte === 0));
  const candidates = [...fitting, ...padded];
  return candidates.find(one => isMask(one.network.subarray(10, 14))) ?? candidates[0] ?? null;
}

function cut(rest: Uint8Array, start: number, error: number, textStart: number): Layout | null {
  const end = start + networkBytes;
  if (rest.length < end) return null;
  return {
    error,
    message: fieldText(rest.subarray(Math.min(textStart, start), start)),
    network: rest.subarray(start, end),
    behind: rest.subarray(end),
  };
}

const signed = (byte: number): number => (byte << 24) >> 24;

function isMask(bytes: Uint8Array): boolean {
  const inverted = ~new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) >>> 0;
  return bytes[0] !== 0 && (inverted & (inverted + 1)) === 0;
}

const ipv4Text = (bytes: Uint8Array): string => bytes.join('.');

function ipv4Bytes(text: string): Uint8Array {
  const parts = text.split('.').map(Number);
  if (parts.length !== 4 || parts.some(part => !Number.isInteger(part) || part < 0 || part > 255))
    throw new RangeError(`"${text}" is no IPv4 address`);
  return Uint8Array.from(parts);
}

/** One sentence for a person; unknown codes appear as numbers. */
export const explainSetup = (status: number, error: number | null): string =>
  setupResults.say('setup_result', { status, error: error ?? '' }).reason;
