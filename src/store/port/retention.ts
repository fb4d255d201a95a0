import type { UnixMs } from '../../runtime/clock.ts';

/** The part of the store's port that removes what has been kept long enough. */

export interface RetireReport {
  readonly segments: number;
  readonly logs: number;
  readonly events: number;
}

export interface RetentionWrites {
  /**
   * One step of retention: removes a bounded number of journal segments and logs that are older
   * than they are kept, and what else has its day. A segment goes only when every cursor has passed
   * it. Nothing goes while the clock is not believed. Call it again while something went.
   */
  retire(input: { now: UnixMs }): RetireReport;
}
