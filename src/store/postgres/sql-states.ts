import type { EngineFailure } from '../schema/engine-error.ts';

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
