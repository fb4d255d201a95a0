import type { Reason } from '../../words/sentences.ts';
import type { Connection } from '../schema/database.ts';
import type { EngineFailure } from '../schema/engine-failures.ts';
import type { WriterTail } from './messages.ts';
import type { Retention } from './retention.ts';

/** Room for what is written. */
export interface RoomKeeper {
  /** Bytes of segments, and as many of rows, in one transaction. */
  readonly biteBytes: number;
  /** Below it records have to be dropped. */
  readonly lowWaterBytes: number;
  readonly low: boolean;
  /** Drops what may be dropped. False: there still is no room. Not inside a transaction. */
  make(projectedSeq: number): boolean;
  /** Takes a sample for the forecast; called once an hour. */
  sample(now: number): void;
}

/** Moves what was committed from a log to where it stays. */
export interface LogKeeper {
  /** Called after each batch of commits. */
  whenDue(): void;
  ofLongLog(): void;
  /** Before the connection is closed. */
  last(): void;
}

interface KeptBy {
  readonly retention: Retention;
  /** Of segments and tables that were written since the start. */
  readonly bytes: () => number;
  /** Told whether what is committed cannot be moved. */
  readonly stuck: (isStuck: boolean) => void;
}

/** A segment that is sealed before its number is known. */
export interface UnnumberedSegment {
  readonly count: number;
  readonly receivedFrom: number;
  readonly receivedTo: number;
  readonly channels: number;
  readonly devices: Uint8Array;
  readonly sealed: Uint8Array;
  /** Place to which its seal is bound. */
  readonly place: string;
}

/** How far a box below has come is kept for each of its stores (CONTRACT 5). */
export interface BoxCursor {
  readonly boxNo: number;
  readonly epoch: string;
}

/** Appends segments by one statement, which is a transaction by itself where none is open. */
export interface SharedJournal {
  /** The places of the next one's segments, by their index. */
  places(): (index: number) => string;
  /** Returns the number of the first record. */
  append(segments: readonly UnnumberedSegment[]): number;
  /** Where these boxes are, held until the commit of the open transaction. */
  holdBoxCursors(boxes: readonly BoxCursor[]): number[];
}

/** Differences between the engines of the store, for the writer. */
export interface WriterEngine {
  readonly connection: Connection;
  /** Why the engine takes no writes, and the remedy, by the error of a statement. */
  whyFailed(failure: EngineFailure, error: unknown): Reason;
  keepers(by: KeptBy): { readonly room: RoomKeeper; readonly log: LogKeeper };
  /** The number of the first of `count` records that are appended now, in the open transaction. */
  place(count: number, lastSeq: number): number;
  /** Where several processes wait for the end of the journal. */
  readonly sharedJournal?: SharedJournal;
  /** Whether this process fills the tables: alone, or as the holder of the lease. */
  mayFillTables(): 'yes' | 'since now' | 'no';
  /** Asks how far other processes are. Null: there are none. */
  tail(): Omit<WriterTail, 'kind'> | null;
  /** Rises with each transaction that changes something. */
  changes(): number;
}
