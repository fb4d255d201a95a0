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

/** Meaning of a failed statement for the store. */
export type EngineFailure = 'disk_full' | 'read_only' | 'broken';

/** Answer of an engine other than SQLite to a statement. */
export class EngineError extends Error {
  /** The engine's own code; empty when none came, such as for a connection that broke. */
  readonly code: string;
  /** Failure of the engine; null if only the statement is wrong. */
  readonly failure: EngineFailure | null;
  constructor(message: string, code: string, failure: EngineFailure | null) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
    this.failure = failure;
  }
}

/** Another process fills the tables now. */
export class LeaseLost extends Error {
  constructor() {
    super('another process fills the tables behind the journal');
    this.name = 'LeaseLost';
  }
}

/**
 * Meaning of a SQLSTATE for the store (appendix A of PostgreSQL's documentation); null if the
 * statement itself is wrong. An empty state means that the connection broke, and the fate of the
 * statement is unknown.
 */
export function failureOfState(state: string): EngineFailure | null {
  if (state === '53100') return 'disk_full';
  if (state === '25006') return 'read_only';
  return state === '' || isOfServer.test(state) ? 'broken' : null;
}

/** Connection, resources, a server that stops or starts, the system below it, damaged data. */
const isOfServer = /^(08|53|57P|58|XX)/;

/**
 * The SQLSTATE of what the server refused; none: it did not answer. Names of the system's errors
 * may look like one (`EPIPE`), but only the server says how severe its error is.
 */
export function stateOf(error: unknown): string {
  const { code, severity } = error as { readonly code?: unknown; readonly severity?: unknown };
  return typeof code === 'string' && severity !== undefined ? code : '';
}
