import { listErrors } from '../../words/lists.ts';
import type { Reason } from '../../words/sentences.ts';

/** Files that are brought in place of a CSV or XLSX file, by how they begin, and what to do. */
const others: readonly (readonly [begins: RegExp, why: Reason])[] = [
  [/^\xd0\xcf\x11\xe0/, listErrors.say('old_workbook')],
  [/^PK\x03\x04.{26}mimetypeapplication\/vnd\.oasis/s, listErrors.say('open_document')],
  [/^%PDF/, listErrors.say('pdf')],
  [/^\{\\rtf/, listErrors.say('text_document')],
  [/^(\x1f\x8b|7z\xbc\xaf|Rar!)/, listErrors.say('packed_file')],
  [/^(\x89PNG|\xff\xd8\xff|GIF8|BM.{4}\0\0\0\0)/s, listErrors.say('picture')],
];

/** Programs save web pages and XML under the names of workbooks. */
const marked: readonly (readonly [begins: RegExp, why: Reason])[] = [
  [/^(<!doctype html|<html|<table|<meta|<head)/i, listErrors.say('web_page')],
  [/^<\?xml/i, listErrors.say('xml')],
];

/** Why a file is neither CSV nor XLSX, and what to do; null: it may be one. */
export function otherKind(bytes: Uint8Array): Reason | null {
  const text = Buffer.from(bytes.subarray(0, 512)).toString('latin1');
  const known = others.find(([begins]) => begins.test(text));
  if (known) return known[1];
  const plain = text.replaceAll('\0', '').replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*/, '');
  return marked.find(([begins]) => begins.test(plain))?.[1] ?? null;
}

/** Every XLSX file begins as a ZIP archive does. */
export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
