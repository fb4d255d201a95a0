/** Meaning of a failed statement for the store. */
export type EngineFailure = 'disk_full' | 'read_only' | 'broken';

/** Answer of an engine other than SQLite to a statement. */
export class EngineError extends Error {
  /** The engine's own code; empty when none came, such as for a connection that broke. */
  readonly code: string;
  /** Failure of the engine; null if only the statement is wrong. */
  readonly failure: EngineFailure | null;
  constructor(message: string, code: string, failure: EngineFailure | null) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
    this.failure = failure;
  }
}

/** Another process fills the tables now. */
export class LeaseLost extends Error {
  constructor() {
    super('another process fills the tables behind the journal');
    this.name = 'LeaseLost';
  }
}
