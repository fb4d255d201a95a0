import type { LogCode, LogValues } from '../words/log/messages.ts';

/**
 * Logs a line: facts for programs, the code of its message (`src/words/log/`), and the values that
 * the message names. The text is made only at levels that are logged.
 */
export type LogCall = <Code extends LogCode, Fields extends object>(
  fields: Fields & { readonly code?: never },
  code: Code,
  ...values: LogValues<Code>
) => void;

/** The system log, handed in. Neither fields nor values hold a secret. */
export interface Log {
  readonly debug: LogCall;
  readonly info: LogCall;
  readonly warn: LogCall;
  readonly error: LogCall;
  /** The same log with fields that every line carries, such as `{ part: 'store' }`. */
  child(fields: object): Log;
}

export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
};
