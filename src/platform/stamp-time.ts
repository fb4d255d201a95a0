import type { UnixSeconds } from './clock.ts';

const quote = 0x22;
const backslash = 0x5c;
const space = (byte: number | undefined) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

/**
 * Puts `seconds` in place of a top-level `"time": 0` (SPEC 2.5: a device may send 0) and leaves every other byte as it was. A
 * `time` that is missing or anything but a zero, and bytes that are no JSON object, come back as they are. With a doubled
 * key the last one counts, as it does for JSON.parse.
 */
export function stampTime(json: Uint8Array, seconds: UnixSeconds): Uint8Array {
  const zero = findZeroTime(json);
  if (!zero) return json;
  const digits = Buffer.from(String(seconds));
  const stamped = new Uint8Array(json.length - (zero.end - zero.start) + digits.length);
  stamped.set(json.subarray(0, zero.start));
  stamped.set(digits, zero.start);
  stamped.set(json.subarray(zero.end), zero.start + digits.length);
  return stamped;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Walks the bytes once, without recursion: hostile nesting costs nothing but its length. */
function findZeroTime(json: Uint8Array): Span | null {
  let depth = 0;
  let expectsKey = false;
  let found: Span | null = null;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === quote) {
      const end = endOfString(json, at);
      if (depth === 1 && expectsKey) {
        expectsKey = false;
        if (isTime(json, at, end)) found = zeroAfterColon(json, end);
      }
      at = end - 1;
    } else if (byte === 0x7b || byte === 0x5b) {
      depth++;
      if (depth === 1) expectsKey = byte === 0x7b;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === 0x2c && depth === 1) expectsKey = true;
  }
  return found;
}

/** Index after the closing quote. */
function endOfString(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === backslash) at++;
    else if (json[at] === quote) return at + 1;
  }
  return json.length;
}

/** The key may be written with escapes: only the rare one that has any is decoded. */
function isTime(json: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length === 6)
    return json[start + 1] === 0x74 && json[start + 2] === 0x69 && json[start + 3] === 0x6d && json[start + 4] === 0x65;
  if (length < 6 || length > 26 || json.indexOf(backslash, start) < 0) return false;
  try {
    return JSON.parse(Buffer.from(json.subarray(start, end)).toString('utf8')) === 'time';
  } catch {
    return false;
  }
}

function zeroAfterColon(json: Uint8Array, from: number): Span | null {
  let start = from;
  while (space(json[start])) start++;
  if (json[start] !== 0x3a) return null;
  start++;
  while (space(json[start])) start++;
  let end = start;
  while (end < json.length && json[end] !== 0x2c && json[end] !== 0x7d && !space(json[end])) end++;
  const value = Buffer.from(json.subarray(start, end)).toString('latin1');
  return /^-?0(\.0+)?([eE][+-]?\d+)?$/.test(value) ? { start, end } : null;
}
