/** Files that are brought in place of a CSV or XLSX file, by how they begin, and what to do. */
const others: readonly (readonly [begins: RegExp, reason: string])[] = [
  [/^\xd0\xcf\x11\xe0/, 'an old workbook (XLS), or one with a password: save it as XLSX without one'],
  [/^PK\x03\x04.{26}mimetypeapplication\/vnd\.oasis/s, 'an OpenDocument file (ODS): save it as XLSX, or as CSV'],
  [/^%PDF/, 'a PDF: save the list as XLSX or CSV in the program that made it'],
  [/^\{\\rtf/, 'a text document (RTF): save the list as XLSX or CSV'],
  [/^(\x1f\x8b|7z\xbc\xaf|Rar!)/, 'a packed file: unpack it first'],
  [/^(\x89PNG|\xff\xd8\xff|GIF8|BM.{4}\0\0\0\0)/s, 'a picture: save the list as XLSX or CSV'],
];

/** Programs save web pages and XML under the names of workbooks. */
const marked: readonly (readonly [begins: RegExp, reason: string])[] = [
  [/^(<!doctype html|<html|<table|<meta|<head)/i, 'a web page that is called a workbook: open it and save it as XLSX'],
  [/^<\?xml/i, 'XML, not a workbook: open it in the program that made it and save it as XLSX'],
];

/** Why a file is neither CSV nor XLSX, and what to do; null: it may be one. */
export function otherKind(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.subarray(0, 512)).toString('latin1');
  const known = others.find(([begins]) => begins.test(text));
  if (known) return known[1];
  const plain = text.replaceAll('\0', '').replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*/, '');
  return marked.find(([begins]) => begins.test(plain))?.[1] ?? null;
}

/** Every XLSX file begins as a ZIP archive does. */
export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
