import type { UnixMs } from '../../runtime/clock.ts';

/** The part of the store's port that removes what has been kept long enough. */

export interface RetireReport {
  readonly segments: number;
  readonly logs: number;
  readonly events: number;
  /** False: the clock has jumped ahead, and nothing was removed for its age. */
  readonly isClockTrusted: boolean;
}

export interface RetentionWrites {
  /**
   * One step of retention: removes a bounded number of journal segments, logs and other rows that
   * have been kept long enough. A segment is removed only when every cursor has passed it, and
   * nothing while the clock is not trusted. Call it again while something was removed.
   */
  retire(input: { now: UnixMs }): RetireReport;
}
