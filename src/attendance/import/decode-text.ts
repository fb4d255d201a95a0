import type { CsvEncoding } from '../../platform/csv-encodings.ts';
import { listErrors } from '../../words/lists.ts';
import type { Reason } from '../../words/sentences.ts';
import { bestGuess } from './encoding-guess.ts';

/** Bytes as text, with how sure the encoding is; or why they are no text. */
type Decoded =
  | { readonly ok: true; readonly text: string; readonly encoding: string; readonly isCertain: boolean }
  | { readonly ok: false; readonly why: Reason };

interface Choice {
  /** Encoding; null for what the bytes say, or the best guess. */
  readonly encoding: CsvEncoding | null;
  /** Language of the site, such as `zh-CN`: between guesses that are as good. */
  readonly locale: string;
  /** Names of columns, of which an encoding that yields one is certain. */
  readonly columns: ReadonlySet<string>;
}

/** Of what is looked at for a guess. */
const lookedAtBytes = 256 << 10;
const utf32 = /^(fffe0000|0000feff)/;

/**
 * Decodes a CSV file. A byte order mark decides, then the choice, then UTF-8 and UTF-16 where the
 * bytes are valid, then a header that only one encoding yields: these are certain. Else the best
 * guess, which somebody has to look at. Bytes that the encoding does not know become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, { encoding, locale, columns }: Choice): Decoded {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  const certain = (name: string): Decoded => decoded(bytes, name, true);
  if (utf32.test(start)) return { ok: false, why: listErrors.say('utf_32') };
  if (start.startsWith('efbbbf')) return certain('utf-8');
  if (start.startsWith('fffe')) return certain('utf-16le');
  if (start.startsWith('feff')) return certain('utf-16be');
  if (encoding !== null) return certain(encoding);
  const utf16 = utf16Of(bytes);
  if (utf16 !== null) return certain(utf16);
  if (isMostlyUtf8(bytes)) return certain('utf-8');
  const end = bytes.lastIndexOf(0x0a, lookedAtBytes);
  const part = bytes.length <= lookedAtBytes || end < 0 ? bytes : bytes.subarray(0, end + 1);
  const guess = bestGuess(part, locale, columns);
  return decoded(bytes, guess.encoding, guess.isCertain);
}

function decoded(bytes: Uint8Array, encoding: string, isCertain: boolean): Decoded {
  const read = new TextDecoder(encoding).decode(bytes);
  // Tones of Vietnamese are characters of their own there.
  const text = encoding === 'windows-1258' ? read.normalize('NFC') : read;
  return text.includes('\0')
    ? { ok: false, why: listErrors.say('nul_characters') }
    : { ok: true, text, encoding, isCertain };
}

/** UTF-16 without a mark: separators and ends of lines are there in one byte order alone. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (!bytes.includes(0) || bytes.length % 2 !== 0) return null;
  const counts = { little: 0, big: 0 };
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const [first, second] = [bytes[at]!, bytes[at + 1]!];
    if (second === 0 && isSeparator(first)) counts.little++;
    if (first === 0 && isSeparator(second)) counts.big++;
  }
  if (counts.little === counts.big) return null;
  return counts.little > counts.big ? 'utf-16le' : 'utf-16be';
}

/** TAB, LF, CR, comma, semicolon. */
const isSeparator = (byte: number): boolean => [0x09, 0x0a, 0x0d, 0x2c, 0x3b].includes(byte);

/** UTF-8, perhaps with a character that a program has cut in two: it becomes U+FFFD. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    const text = new TextDecoder().decode(bytes.subarray(0, lookedAtBytes));
    let whole = 0;
    let broken = 0;
    for (const one of text)
      if (one === '\ufffd') broken++;
      else if (one > '\x7f') whole++;
    return whole > 4 * broken;
  }
}
