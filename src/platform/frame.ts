import { ok, type Parsed, refuse } from './parsed.ts';

/**
 * A frame (SPEC 4.4). An unknown command is decoded as well: the receiver replies with error 0x03.
 */
export const frameCommand = { error: 0x00, deviceInfo: 0x01, signature: 0x02, wifi: 0x03, business: 0xff } as const;

/** Error codes of command 0x00 (SPEC 7.5). */
export const frameError = { parse: 0x01, checksum: 0x02, unknownCommand: 0x03 } as const;

export interface Frame {
  /** One byte. */
  readonly command: number;
  /** At most 65 535 bytes. */
  readonly payload: Uint8Array;
}

export const frameHeader: Uint8Array = Uint8Array.of(0x40, 0x44, 0x4c, 0xfa);
/** Header, command and length precede the payload. */
export const framePrefixBytes = 7;
/** The bytes around a payload: the prefix, and the checksum after it. */
const frameOverheadBytes = framePrefixBytes + 1;
const payloadBytesMax = 0xffff;

/**
 * header 40 44 4C FA · command u8 · N u16 big-endian · payload[N] · low byte of the sum of all
 * before (SPEC 4.4). Throws on a payload that a length of two bytes cannot hold.
 */
export function encodeFrame({ command, payload }: Frame): Uint8Array {
  if (payload.length > payloadBytesMax)
    throw new RangeError(`a frame holds at most ${payloadBytesMax} bytes: ${payload.length} were given`);
  const bytes = new Uint8Array(payload.length + frameOverheadBytes);
  bytes.set(frameHeader);
  bytes[4] = command;
  bytes[5] = payload.length >> 8;
  bytes[6] = payload.length & 0xff;
  bytes.set(payload, framePrefixBytes);
  bytes[bytes.length - 1] = checksum(bytes, 0, bytes.length - 1);
  return bytes;
}

/** The low byte of the sum of the bytes from `start` up to `end`. */
export function checksum(bytes: Uint8Array, start: number, end: number): number {
  let sum = 0;
  for (let index = start; index < end; index++) sum += bytes[index]!;
  return sum & 0xff;
}

/**
 * One whole frame at the start of `bytes`, as in a datagram. Zeros behind the checksum are padding;
 * anything else there is refused.
 */
export function decodeFrame(bytes: Uint8Array): Parsed<Frame> {
  if (!startsWithHeader(bytes)) return refuse('bad_frame', 'it does not begin with 40 44 4c fa');
  if (bytes.length < frameOverheadBytes) return refuse('bad_frame', `${bytes.length} bytes are too few for a frame`);
  const bigEndian = (bytes[5]! << 8) | bytes[6]!;
  const littleEndian = (bytes[6]! << 8) | bytes[5]!;
  const first = frameOfLength(bytes, bigEndian);
  if (first.ok) return first;
  const second = frameOfLength(bytes, littleEndian);
  return second.ok ? second : first;
}

export const startsWithHeader = (bytes: Uint8Array): boolean =>
  bytes.length >= frameHeader.length && frameHeader.every((byte, index) => bytes[index] === byte);

function frameOfLength(bytes: Uint8Array, length: number): Parsed<Frame> {
  const end = framePrefixBytes + length;
  if (end >= bytes.length) return refuse('bad_frame', `it announces ${length} bytes and ends before them`);
  if (checksum(bytes, 0, end) !== bytes[end]) return refuse('bad_checksum');
  if (bytes.subarray(end + 1).some(byte => byte !== 0)) return refuse('bad_frame', 'something stands behind it');
  return ok({ command: bytes[4]!, payload: bytes.subarray(framePrefixBytes, end) });
}
