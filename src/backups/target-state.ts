import type { UnixMs } from '../runtime/clock.ts';
import type { TargetOutcome } from './run.ts';
import type { TargetFailure } from './target-failed.ts';

/** How the last try of a target went. */
export interface TargetState {
  /** The place that it is about. Absent: it was noted by an older version. */
  readonly where?: string;
  readonly lastGoodAt: UnixMs | null;
  /** The last try failed; null: it did not. */
  readonly failure: { readonly at: UnixMs; readonly code: TargetFailure; readonly why: string } | null;
  /** The last restore that was tried; `why`: the reason why it failed, or null. */
  readonly drill: { readonly at: UnixMs; readonly why: string | null } | null;
}

export const untried: TargetState = { lastGoodAt: null, failure: null, drill: null };

const drillEveryMs = 30 * 86_400_000;

export function stateAfter(before: TargetState, { failure, drill }: TargetOutcome, now: UnixMs): TargetState {
  return {
    lastGoodAt: failure ? before.lastGoodAt : now,
    failure: failure && { at: now, code: failure.code, why: failure.message },
    drill: drill ? { at: now, why: drill.failure?.message ?? null } : before.drill,
  };
}

/** With the first copy, then every 30 days; one that failed is tried again with the next copy. */
export const isDrillDue = ({ drill }: TargetState, now: UnixMs): boolean =>
  drill === null || drill.why !== null || now - drill.at >= drillEveryMs;
