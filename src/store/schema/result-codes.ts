/**
 * Primary result codes of SQLite (sqlite.org/rescode.html), for which `node:sqlite` has no names.
 */
export const resultCode = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/**
 * The primary code of what SQLite threw: the low byte, without the details above it. Null for an
 * error that is not SQLite's.
 */
export function resultCodeOf(error: unknown): number | null {
  const errcode = (error as { readonly errcode?: number } | undefined)?.errcode;
  return errcode === undefined ? null : errcode & 0xff;
}
