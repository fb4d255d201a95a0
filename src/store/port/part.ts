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
