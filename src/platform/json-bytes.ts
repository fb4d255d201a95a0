/**
 * The bytes of a JSON text without what firmware puts around it: a byte order mark in front, NULs
 * and white space behind. The usual message comes back as it is, not copied.
 */
export function withoutPadding(bytes: Uint8Array): Uint8Array {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let end = bytes.length;
  while (end > start && isPadding(bytes[end - 1]!)) end--;
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}

const isPadding = (byte: number): boolean => byte === 0 || isSpace(byte);

export const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

export const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Whether JSON stands for an object without fields: `{}` in PHP is encoded as `[]`, a nil map of Go
 * as `null`.
 */
export const isNoFields = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** Perhaps a number that JavaScript would round. */
const longNumber = /(?:^|[:,[]\s{0,8})-?\d{16}/;

/**
 * A whole number over 2^53 as the text of its digits: a `mid`, the id of a record or of a person
 * that was rounded would be another one.
 */
const digitByDigit = (_key: string, value: unknown, { source }: { source?: string } = {}): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
    ? source
    : value;

/** As JSON.parse, but for whole numbers over 2^53, each of which is the text of its digits. */
export const parsedDigitByDigit = (text: string): unknown =>
  longNumber.test(text) ? JSON.parse(text, digitByDigit) : JSON.parse(text);
