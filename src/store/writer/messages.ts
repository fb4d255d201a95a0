import type { ActionSettings } from '../../platform/actions.ts';
import type { Why } from '../../words/sentences.ts';
import type { LagBound } from '../journal/lag.ts';
import type { SeqRange } from '../journal/unreadable-places.ts';
import type { StoreErrorCode } from '../port/journal.ts';
import type { StoreWrites } from '../port/store.ts';
import type { WriteCounts } from './wear.ts';

/** The messages between the main thread and the writer thread. */

export interface WriterData {
  readonly dataDir: string;
  readonly sealKey: Uint8Array;
  readonly actions: ActionSettings;
  readonly timeZone: string;
  /** An upstream is configured: what it has not confirmed is not dropped as forwarded. */
  readonly upstream: boolean;
  readonly lagBound: LagBound;
  /** How long the tables rest while nobody asks for them (thread.ts). */
  readonly tablesRestMs: number;
  /** Where the store is a server's. */
  readonly answers?: Int32Array;
}

/**
 * Shared memory of a thread that asks a server: how often it was answered, and the longest wait for
 * an answer, in ms, since somebody looked.
 */
export const answerCounts = (): Int32Array => new Int32Array(new SharedArrayBuffer(8));

/** In the thread that asked. */
export function noteAnswer(answers: Int32Array, waitedMs: number): void {
  Atomics.add(answers, 0, 1);
  if (waitedMs > Atomics.load(answers, 1)) Atomics.store(answers, 1, Math.round(waitedMs));
}

export interface PackedChunk {
  readonly memory: SharedArrayBuffer;
  readonly length: number;
  readonly count: number;
}

export type Request =
  | { readonly kind: 'append'; readonly id: number; readonly chunks: readonly PackedChunk[] }
  | { readonly kind: 'operation'; readonly id: number; readonly name: keyof StoreWrites; readonly input: unknown }
  /** Somebody waits for the tables; there is no reply. */
  | { readonly kind: 'hurry'; readonly id: number }
  | { readonly kind: 'close'; readonly id: number };

export type Reply =
  | {
      readonly kind: 'appended';
      readonly id: number;
      readonly lastSeq: number;
      readonly memories: readonly SharedArrayBuffer[];
      readonly written: WriteCounts;
    }
  | {
      readonly kind: 'done';
      readonly id: number;
      readonly value: unknown;
      readonly lastSeq: number;
      readonly written: WriteCounts;
    }
  | { readonly kind: 'failed'; readonly id: number; readonly code: StoreErrorCode; readonly message: string }
  | WriterState
  | WriterTail
  | WriterLease;

/** The store is open. */
export interface WriterReady {
  readonly kind: 'ready';
  readonly lastSeq: number;
  readonly projectedSeq: number;
}

/** How far things are where several processes write; sent when others have moved them. */
export interface WriterTail {
  readonly kind: 'tail';
  readonly lastSeq: number;
  readonly projectedSeq: number;
  /** Rises with every change of products, devices and boxes below. */
  readonly directoryNo: number;
}

/** Holder of a lease of a region; sent when it is taken, renewed or lost. */
export interface WriterLease {
  readonly kind: 'lease';
  readonly name: 'forwarding' | 'once';
  /** Until when it is this process's (`RowLease.look`); null: another's. */
  readonly until: number | null;
  readonly isUpElsewhere: boolean;
}

/** Sent when it changes. */
export interface WriterState extends Why {
  readonly kind: 'state';
  readonly health: 'ok' | 'disk_full' | 'read_only' | 'broken';
  readonly projectedSeq: number;
  /** Number of the newest change of a person or feature. */
  readonly personChangeNo: number;
  readonly dropped: Readonly<Record<string, number>>;
  /** Of the journal, where the tables or retention could not read it. */
  readonly unreadable: readonly SeqRange[];
  /** Why the tables cannot be filled; empty: they can. */
  readonly tablesStuck: string;
  /** The database file takes no writes in places: what is committed stays in its log. */
  readonly logStuck: boolean;
}
