/**
 * What one domain needs of the store: its reads, and its writes. A part of the program takes the
 * parts that it uses; a whole `Store` is each of them.
 */
export interface StorePart<Reads, Writes> {
  readonly read: Reads;
  readonly write: Committed<Writes>;
}

/** Writes as callers see them: each resolves after its commit is on the disk. */
export type Committed<Writes> = {
  readonly [K in keyof Writes]: Writes[K] extends (input: infer Input) => infer Value
    ? (input: Input) => Promise<Value>
    : never;
};
