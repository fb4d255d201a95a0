import type { UnixSeconds } from '../runtime/clock.ts';
import { keyOf } from '../runtime/top-level.ts';
import { readDeviceJson } from './device-json.ts';
import { isNoFields } from './json-bytes.ts';
import { limits } from './limits.ts';
import { ok, type Parsed, refuse } from './parsed.ts';
import type { Refusal } from './refusals.ts';
import { guessDeviceJson } from './unreadable.ts';

/** SPEC 2.5. `time` is as it was written; `unixSeconds` reads it. */
export interface Envelope {
  /**
   * At most 128 bytes are kept of it; a number is taken as its text; empty when the device sent
   * none.
   */
  readonly mid: string;
  /** Empty when the device sent none. */
  readonly from: string;
  readonly to: string;
  readonly time: number;
  /** Null when it is no whole number. */
  readonly action: number | null;
  readonly data: Record<string, unknown>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/**
 * Reads a device message (SPEC 2.5), past the padding around it. Refuses as `malformed` what is no
 * UTF-8 JSON object, and as `bad_data` an envelope whose `data` is present but no object. Unknown
 * fields are ignored: the original bytes are stored and forwarded.
 */
export function parseEnvelope(bytes: Uint8Array): Parsed<Envelope> {
  const read = readDeviceJson(bytes);
  if (!read.ok) return read;
  const data = isNoFields(read.value.data) ? {} : (read.value.data ?? {});
  if (!isObject(data)) return refuse('bad_data', 'data: not an object');
  return ok(envelopeOf(read.value, data));
}

const envelopeOf = (value: Record<string, unknown>, data: Envelope['data']): Envelope => ({
  mid: keptMid(text(value.mid)),
  from: text(value.from),
  to: text(value.to),
  time: typeof value.time === 'number' ? value.time : typeof value.time === 'string' ? Number(value.time) : 0,
  action: actionOf(value.action),
  data,
});

const codeMax = 0xffffffff;

/**
 * The action of a message, where nothing else of it has to be known to forward it: its `time` is
 * not 0, which would be stamped (SPEC 2.5). Undefined: its JSON is to be read.
 */
export const codeToForward = ({ action, time }: Envelope): number | undefined =>
  action !== null && action >= 0 && action <= codeMax && time !== 0 ? action : undefined;

const heads = ['mid', 'from', 'to', 'time', 'action'].map(keyOf);

/**
 * The envelope of a message that `parseEnvelope` refused so, with empty data and as far as it can
 * be made out: who sent it can be answered all the same.
 */
export function withoutData(bytes: Uint8Array, { code }: Pick<Refusal, 'code'>): Envelope {
  const read = code === 'malformed' ? null : readDeviceJson(bytes);
  return envelopeOf(read?.ok ? read.value : guessDeviceJson(bytes, heads), {});
}

function actionOf(value: unknown): number | null {
  const code = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof code === 'number' && Number.isSafeInteger(code) ? code : null;
}

function keptMid(mid: string): string {
  if (mid.length * 3 <= limits.midBytesMax) return mid;
  const bytes = Buffer.from(mid);
  if (bytes.length <= limits.midBytesMax) return mid;
  let end = limits.midBytesMax;
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

export function encodeEnvelope(envelope: {
  readonly mid: string;
  readonly from: string;
  readonly to: string;
  readonly time: UnixSeconds;
  readonly action: number | null;
  readonly data: object;
}): Uint8Array {
  const { mid, from, to, time, action, data } = envelope;
  return Buffer.from(JSON.stringify({ mid, from, to, time, action, data }));
}

const millisecondsFrom = 1e11;
const secondsMax = 253_402_300_799; // the last second of the year 9999

/**
 * A device's idea of a moment in seconds: over 10^11 it counted milliseconds; 0, negative or
 * nonsense is none (null).
 */
export function unixSeconds(time: unknown): UnixSeconds | null {
  if (typeof time !== 'number' || !Number.isFinite(time) || time <= 0) return null;
  const seconds = Math.floor(time > millisecondsFrom ? time / 1000 : time);
  return seconds >= 1 && seconds <= secondsMax ? seconds : null;
}
