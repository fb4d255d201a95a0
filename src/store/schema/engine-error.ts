/** What a failed statement means for the store. */
export type EngineFailure = 'disk_full' | 'read_only' | 'broken';

/** What an engine other than SQLite answered to a statement. */
export class EngineError extends Error {
  /** The engine's own code; empty when none came, such as for a connection that broke. */
  readonly code: string;
  /** Null: nothing is wrong with the engine, the statement is. */
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
