/** Milliseconds since 1970 by the wall clock: for stamps. May jump when the clock is set. */
export type UnixMs = number;
/** Seconds since 1970, as SPEC 2.5 counts envelope `time` and SPEC 2.15 counts `check_time`. */
export type UnixSeconds = number;

/** No box ran before this: an earlier time comes from a clock that was not set. */
export const clockEarliest: UnixMs = Date.UTC(2025, 0, 1);

/** Time, handed in, so that a test can turn it by hand. */
export interface Clock {
  /** Wall clock: for stamps that people and other machines read. */
  now(): UnixMs;
  /** Monotonic milliseconds, for waits, rates and time-outs. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A number in [0, 1), handed in like time. */
export type Random = () => number;
