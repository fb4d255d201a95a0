import type { DateText } from '../platform/shifts.ts';
import type { UnixMs } from '../runtime/clock.ts';
import type { SegmentReader } from './journal/segment-reader.ts';
import type { LogBlockReader } from './log-blocks/block-reader.ts';
import type { KnownDevices } from './readers/stored-devices.ts';
import type { Connection } from './schema/database.ts';

/** The reads of one domain. */
export interface ReadPart<Reads> {
  readonly read: Reads;
}

/** The writes of one domain. */
export interface WritePart<Writes> {
  readonly write: Committed<Writes>;
}

/**
 * Part of the store that one domain needs: its reads, and its writes. A part of the program takes
 * the parts that it uses; a whole `Store` is each of them.
 */
export interface StorePart<Reads, Writes> extends ReadPart<Reads>, WritePart<Writes> {}

/** Writes as callers see them: each resolves after its commit is on disk. */
export type Committed<Writes> = {
  readonly [K in keyof Writes]: Writes[K] extends (input: infer Input) => infer Value
    ? (input: Input) => Promise<Value>
    : never;
};

/** Replaces some of the operations. */
export const over = <All extends object>(all: All, others: Partial<All>): All =>
  new Proxy(all, { get: (_, name) => others[name as keyof All] ?? all[name as keyof All] });

/** Sources of the reads of a domain. */
export interface Reading {
  readonly connection: Connection;
  readonly journal: SegmentReader;
  readonly devices: KnownDevices;
  readonly logBlocks: LogBlockReader;
  readonly hasCloud: boolean;
}

/** Arguments of a write, in its transaction: the connection, and access to the journal. */
export interface OperationContext extends Connection {
  /** Appends packed records as one segment; the memory is no longer the caller's. */
  appendSegment(packed: Buffer, count: number): void;
  readonly projection: {
    /** Logs that the tables do not hold yet are counted on the days of this zone. */
    countIn(timeZone: string): void;
  };
  /** The site's date at a moment. */
  dateOf(at: UnixMs): DateText;
  /** For operations that add records: throws `too_busy` while the tables are too far behind. */
  refuseWhileBehind(): void;
}

/**
 * The reads of a domain: a domain is an object with `reads`, which makes them for one connection,
 * and `writes`, which the writer thread runs, each in a transaction; empty where it has none.
 */
export type ReadsOf<Domain> = Domain extends { reads(reading: Reading): infer Reads } ? Reads : unknown;

/** The writes of a domain as its callers see them: without the connection. */
export type WritesOf<Domain> = Domain extends { readonly writes: infer Writes }
  ? {
      [Name in keyof Writes]: Writes[Name] extends (context: never, input: infer Input) => infer Value
        ? (input: Input) => Value
        : never;
    }
  : unknown;

/** The part of the store that a caller of one domain takes. */
export type PartOf<Domain> = StorePart<ReadsOf<Domain>, WritesOf<Domain>>;
