const quote = 0x22;
const backslash = 0x5c;
const space = (byte: number | undefined) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
/** Longer strings are searched by the machine's own means, which cost something to begin with. */
const shortString = 32;

/** A key of ASCII letters to search for. */
export interface Key {
  readonly text: string;
  readonly bytes: Uint8Array;
}

export const keyOf = (text: string): Key => ({ text, bytes: Buffer.from(text) });

/**
 * Index of the value of a top-level key in the bytes of a JSON object, as `valuesAt` finds it; -1
 * where there is none.
 */
export function valueAt(json: Uint8Array, key: Key): number {
  const found = new Int32Array(1);
  valuesAt(json, [key], found);
  return found[0]!;
}

/**
 * Writes to `found` where the values of some top-level keys begin in the bytes of a JSON object; -1
 * for one that is not there. With a doubled key the last one counts, as it does for JSON.parse.
 * Walks the bytes once, without recursion and without making anything: hostile nesting costs
 * nothing but its length. Of bytes that are no JSON any answer may come.
 */
export function valuesAt(json: Uint8Array, keys: readonly Key[], found: Int32Array): void {
  let depth = 0;
  let expectsKey = false;
  found.fill(-1);
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === quote) {
      const end = endOfString(json, at);
      if (depth === 1 && expectsKey) {
        expectsKey = false;
        for (let index = 0; index < keys.length; index++)
          if (isKey(json, at, end, keys[index]!)) found[index] = afterColon(json, end);
      }
      at = end - 1;
    } else if (byte === 0x7b || byte === 0x5b) {
      depth++;
      if (depth === 1) expectsKey = byte === 0x7b;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === 0x2c && depth === 1) expectsKey = true;
  }
}

/** Index after a number or a word that begins at `start`. */
export function endOfWord(json: Uint8Array, start: number): number {
  let end = start;
  while (end < json.length && json[end] !== 0x2c && json[end] !== 0x7d && !space(json[end])) end++;
  return end;
}

/** Index after the closing quote. */
function endOfString(json: Uint8Array, start: number): number {
  const near = Math.min(json.length, start + shortString);
  let at = start + 1;
  for (; at < near; at++) {
    if (json[at] === backslash) at++;
    else if (json[at] === quote) return at + 1;
  }
  while (at < json.length) {
    const end = json.indexOf(quote, at);
    if (end < 0) break;
    let slashes = 0;
    while (end - 1 - slashes >= at && json[end - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return end + 1;
    at = end + 1;
  }
  return json.length;
}

/** A key may be written with escapes: only the rare one that has any is decoded. */
function isKey(json: Uint8Array, start: number, end: number, { text, bytes }: Key): boolean {
  const length = end - start - 2;
  if (length === bytes.length) {
    for (let index = 0; index < length; index++) if (json[start + 1 + index] !== bytes[index]) return false;
    return true;
  }
  // Six bytes for each escaped letter.
  if (length < bytes.length || length > bytes.length * 6) return false;
  let escaped = false;
  for (let at = start + 1; at < end && !escaped; at++) escaped = json[at] === backslash;
  if (!escaped) return false;
  try {
    return JSON.parse(Buffer.from(json.subarray(start, end)).toString('utf8')) === text;
  } catch {
    return false;
  }
}

function afterColon(json: Uint8Array, from: number): number {
  let at = from;
  while (space(json[at])) at++;
  if (json[at] !== 0x3a) return -1;
  at++;
  while (space(json[at])) at++;
  return at;
}
