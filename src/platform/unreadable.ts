import { isUtf8 } from 'node:buffer';
import { endOfWord, type Key, valuesAt } from '../runtime/top-level.ts';
import { unreadableWords } from '../words/records.ts';
import { type Why, whyOf } from '../words/sentences.ts';
import { isObject, isSpace, parsedDigitByDigit, textOf, withoutPadding } from './json-bytes.ts';

/** Guesses about a message that is no JSON object (device-json.ts). */

/** Why a message cannot be read, as far as its bytes tell. */
export type UnreadableReason = 'empty' | 'utf16' | 'gbk' | 'encoding' | 'cut_off' | 'number' | 'json' | 'object';

/** Its sentence. */
export const unreadableWhy = (reason: UnreadableReason): Why => whyOf(unreadableWords.say(`unreadable_${reason}`));

/**
 * Legible fields of a message that is no JSON object: decoded as GBK or UTF-16 where that helps,
 * else those of `keys` that stand legibly in front of what is damaged. For the answer to it and for
 * who sent it, never for the tables.
 */
export function guessDeviceJson(bytes: Uint8Array, keys: readonly Key[]): Record<string, unknown> {
  const isShort = bytes.length <= lookedAtMax;
  for (const [label, coded] of [
    ['gb18030', withoutPadding(bytes)],
    ['utf-16le', bytes.subarray(0, bytes.length & ~1)],
    ['utf-16be', bytes.subarray(0, bytes.length & ~1)],
  ] as const) {
    if (!isShort) break;
    try {
      const text = new TextDecoder(label, { fatal: true }).decode(coded);
      let end = text.length;
      while (end > 0 && text.charCodeAt(end - 1) === 0) end--;
      const value: unknown = JSON.parse(text.slice(0, end));
      if (isObject(value)) return value;
    } catch {}
  }
  const found = new Int32Array(keys.length);
  const front = bytes.subarray(0, lookedAtMax);
  valuesAt(front, keys, found);
  return Object.fromEntries(keys.map(({ text }, index) => [text, valueFrom(front, found[index]!)]));
}

/** A string or a number that begins there; undefined where there is none that ends. */
function valueFrom(bytes: Uint8Array, start: number): unknown {
  if (start < 0 || start >= bytes.length) return undefined;
  const end = bytes[start] === 0x22 ? closingQuote(bytes, start) + 1 : endOfWord(bytes, start);
  // A number that is cut off would be another number.
  if (end >= bytes.length || end - start > valueMax) return undefined;
  try {
    const value = parsedDigitByDigit(textOf(bytes.subarray(start, end)));
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The likely reason why bytes are no JSON object, from the bytes alone. */
export function reasonOf(bytes: Uint8Array): UnreadableReason {
  const inner = withoutPadding(bytes);
  if (inner.length === 0) return 'empty';
  if (looksUtf16(bytes)) return 'utf16';
  if (!isUtf8(inner)) return isGbk(inner) ? 'gbk' : 'encoding';
  // A long message is not walked: a device could send many of them.
  if (inner.length > lookedAtMax) return inner.at(-1) === 0x7d ? 'json' : 'cut_off';
  const { isCutOff, hasOddNumber } = shapeOf(inner);
  if (isCutOff) return 'cut_off';
  if (hasOddNumber) return 'number';
  try {
    JSON.parse(textOf(inner));
    return 'object';
  } catch {
    return 'json';
  }
}

/** By a mark in front, or by a brace or bracket beside a NUL. */
export function looksUtf16(bytes: Uint8Array): boolean {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return true;
  const opens = (byte: number | undefined): boolean => byte === 0x7b || byte === 0x5b;
  return (opens(bytes[0]) && bytes[1] === 0) || (bytes[0] === 0 && opens(bytes[1]));
}

function isGbk(bytes: Uint8Array): boolean {
  try {
    // With `stream`, a sign that is cut off at the end is none to complain of.
    new TextDecoder('gb18030', { fatal: true }).decode(bytes.subarray(0, lookedAtMax), { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Of a longer message only so much is looked at, in bytes. */
const lookedAtMax = 64 << 10;
/** Longer values of those keys are not used. */
const valueMax = 1024;
/** Longer words are no numbers that anybody wrote. */
const wordMax = 64;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const meantAsNumber = /^[+-]?(?:\.?\d|nan$|inf)/i;

/** Walks the bytes once: whether it ends within something, and how its numbers are written. */
function shapeOf(bytes: Uint8Array): { isCutOff: boolean; hasOddNumber: boolean } {
  let depth = 0;
  let hasOddNumber = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === 0x22) {
      at = closingQuote(bytes, at);
      if (at === bytes.length) return { isCutOff: true, hasOddNumber };
    } else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (!isSpace(byte) && byte !== 0x2c && byte !== 0x3a) {
      let end = at + 1;
      while (end < bytes.length && !endsWord(bytes[end]!)) end++;
      if (end - at <= wordMax) {
        const word = textOf(bytes.subarray(at, end));
        hasOddNumber ||= meantAsNumber.test(word) && !jsonNumber.test(word);
      }
      at = end - 1;
    }
  }
  return { isCutOff: depth > 0, hasOddNumber };
}

const endsWord = (byte: number): boolean => isSpace(byte) || [0x22, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d].includes(byte);

/** Index of the closing quote; the length where there is none. */
function closingQuote(bytes: Uint8Array, open: number): number {
  let at = open + 1;
  while (at < bytes.length && bytes[at] !== 0x22) at += bytes[at] === 0x5c ? 2 : 1;
  return Math.min(at, bytes.length);
}

const shownBytes = 64;

/** The first bytes of a message in ASCII, what is no printable sign as `\x00`. */
export function firstBytes(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes.subarray(0, shownBytes)) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x5c;
    text += isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return bytes.length > shownBytes ? `${text}…` : text;
}
