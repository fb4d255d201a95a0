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

/** One number of shared memory: 1 when a reply was posted that nobody has taken yet. */
export const replySignal = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));

/** A reply was posted. */
export function signalReply(signal: Int32Array): void {
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
}

/**
 * Sleeps until a reply was posted, for at most `withinMs`; false: none was. Looks at the number and
 * not at being woken: whoever asks again at once may be woken by the end of the signal before.
 */
export function awaitReply(signal: Int32Array, withinMs: number): boolean {
  const until = performance.now() + withinMs;
  while (Atomics.compareExchange(signal, 0, 1, 0) === 0) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) return false;
    Atomics.wait(signal, 0, 0, leftMs);
  }
  return true;
}
