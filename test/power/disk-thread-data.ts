import type { MessagePort } from 'node:worker_threads';

/** What the thread of a `FuseDisk` is given. */
export interface DiskThreadData {
  readonly image: string;
  readonly log: string | null;
  /** Where the file `disk` shall appear. */
  readonly folder: string;
  /** Seen by both threads; its words are those of `shared`. */
  readonly shared: SharedArrayBuffer;
  /** Brings the faults. */
  readonly faults: MessagePort;
}

export const shared = { position: 0, changes: 1, reads: 2, writes: 3, flushes: 4, waiting: 5 } as const;
export const sharedBytes = 6 * Int32Array.BYTES_PER_ELEMENT;
