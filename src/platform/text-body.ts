import { isUtf8 } from 'node:buffer';
import type { MiddlewareHandler } from 'hono';
import { withoutPadding } from './json-bytes.ts';
import { looksUtf16 } from './unreadable.ts';

/**
 * The one reading of what callers of every API send as text: UTF-8, or nothing. A lenient decoder
 * would store U+FFFD in place of each name in another encoding.
 */

/**
 * A body that is not the text it has to be; the message names the likely encoding, or the field.
 * Each API answers it as it answers what cannot be parsed: 400, the attendance API 106 (SPEC 7.3).
 */
export class NotText extends Error {
  /** Hono prints an error that has no answer of its own. */
  getResponse(): Response {
    return new Response(this.message, { status: 400 });
  }
}

/**
 * A body as text, past a byte order mark and NULs behind it. Throws NotText for what is not UTF-8.
 */
function textOfBody(bytes: Uint8Array): string {
  const inner = withoutPadding(bytes);
  if (!isUtf8(inner) || looksUtf16(bytes))
    throw new NotText(`the body is not UTF-8 but ${likelyEncoding(bytes)}: encode it as UTF-8`);
  const { buffer, byteOffset, byteLength } = inner;
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

/** Spellings of a lost character in the text of a JSON document. */
const lostInJson = /\ufffd|\\u(?:fffd|d[89a-f])/i;

/**
 * The same of JSON. Throws NotText also for a field with U+FFFD, or with half of a surrogate pair,
 * which the store would make U+FFFD. What is no JSON is returned as it is.
 */
export function jsonTextOfBody(bytes: Uint8Array): string {
  const text = textOfBody(bytes);
  if (!lostInJson.test(text)) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const place = placeOfLost(value, '');
  if (place !== null) throw new NotText(`${place || 'the body'}: ${lostCharacter}`);
  return text;
}

/** Said behind the name of the field or parameter. */
export const lostCharacter = 'has a character that is none (U+FFFD, or half of a pair): it was lost before it was sent';

export const hasLost = (text: string): boolean => text.includes('\ufffd') || !text.isWellFormed();

/** Where the first text with a lost character is, as `users[0].name`; null: there is none. */
function placeOfLost(value: unknown, place: string): string | null {
  if (typeof value === 'string') return hasLost(value) ? place : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, one] of Object.entries(value)) {
    if (hasLost(name)) return place;
    const below = Array.isArray(value) ? `${place}[${name}]` : place === '' ? name : `${place}.${name}`;
    const found = placeOfLost(one, below);
    if (found !== null) return found;
  }
  return null;
}

/**
 * The fields of a form (application/x-www-form-urlencoded). Throws NotText where the bytes behind
 * their percent signs are not UTF-8, or name U+FFFD.
 */
export function formOfBody(bytes: Uint8Array): URLSearchParams {
  const text = textOfBody(bytes);
  if (!isPercentUtf8(text)) throw new NotText('the form is not UTF-8 behind its percent signs: encode it as UTF-8');
  const form = new URLSearchParams(text);
  for (const [name, value] of form) if (hasLost(name) || hasLost(value)) throw new NotText(`${name}: ${lostCharacter}`);
  return form;
}

/** Whether what is percent-encoded in an address or a form is UTF-8. */
export function isPercentUtf8(text: string): boolean {
  if (!text.includes('%')) return true;
  for (const [escapes] of text.matchAll(/(?:%[0-9a-f]{2})+/gi))
    if (!isUtf8(Buffer.from(escapes.replaceAll('%', ''), 'hex'))) return false;
  return true;
}

/** Refuses a body that is not UTF-8 before a validator of Hono reads it. */
export const readsJson: MiddlewareHandler = async (context, next) => {
  jsonTextOfBody(new Uint8Array(await context.req.arrayBuffer()));
  await next();
};

const magic: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['deflate', [0x78, 0x9c]],
];

/** How many bytes are looked at for a guess. */
const lookedAtMax = 64 << 10;

/** In words, for bytes that are not UTF-8. */
function likelyEncoding(bytes: Uint8Array): string {
  const packed = magic.find(([, start]) => start.every((byte, at) => bytes[at] === byte));
  if (packed) return `packed with ${packed[0]} (and without a Content-Encoding)`;
  if (looksUtf16(bytes)) return 'UTF-16, as it seems';
  let pairs = 0;
  let single = 0;
  const end = Math.min(bytes.length, lookedAtMax);
  for (let at = 0; at < end; at++) {
    if (bytes[at]! < 0x80) continue;
    // Chinese in GBK comes in pairs of high bytes; Western letters stand between those of ASCII.
    if (bytes[at]! >= 0xa1 && (bytes[at + 1] ?? 0) >= 0xa1) {
      pairs++;
      at++;
    } else single++;
  }
  return pairs > single ? 'GBK, as it seems' : 'windows-1252 or the like, as it seems';
}
