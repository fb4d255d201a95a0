import { DrizzleQueryError } from 'drizzle-orm/errors';

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
 * Result codes of reading a bad sector: SQLITE_IOERR_CORRUPTFS where the system says EIO, otherwise
 * SQLITE_IOERR_READ or SQLITE_IOERR_SHORT_READ.
 */
const unreadableCodes: ReadonlySet<number> = new Set([8458, 266, 522]);

/**
 * SQLite could not read a page, or what stands there is none: a bad sector, or a damaged file.
 * False for a write or a flush that failed.
 */
export function isReadFailure(error: unknown): boolean {
  const thrown = error instanceof DrizzleQueryError ? error.cause : error;
  const errcode = (thrown as { readonly errcode?: number } | undefined)?.errcode;
  return errcode !== undefined && (unreadableCodes.has(errcode) || resultCodeOf(thrown) === resultCode.corrupt);
}

/**
 * The primary code of what SQLite threw: the low byte, without the details above it. Null for an
 * error that is not SQLite's.
 */
export function resultCodeOf(error: unknown): number | null {
  const errcode = (error as { readonly errcode?: number } | undefined)?.errcode;
  return errcode === undefined ? null : errcode & 0xff;
}
