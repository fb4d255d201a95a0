import type { MessagePort } from 'node:worker_threads';

/** Value of a row or a parameter, as in `node:sqlite`. */
export type Value = null | number | bigint | string | Uint8Array;

/** Without `values` it may be several statements, and has no rows. */
export interface Call {
  readonly text: string;
  readonly values?: readonly Value[];
}

export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** Rows that were inserted, changed, deleted or found. */
  readonly count: number;
}

/** Of calls that were sent together. */
export interface Answers {
  readonly answers: readonly Answer[];
  /** A transaction is open, or waits to be rolled back. */
  readonly isTransaction: boolean;
  /** Warnings of the server meanwhile. */
  readonly warnings: readonly string[];
}

interface Failed {
  readonly message: string;
  /** SQLSTATE; empty when the connection broke. */
  readonly state: string;
  readonly isTransaction: boolean;
}

export type Reply = Answers | { readonly failed: Failed };

export interface BridgeData {
  readonly url: string;
  readonly port: MessagePort;
  readonly signal: Int32Array;
}
