import type { UnixMs } from '../runtime/clock.ts';
import { noWhy, type Why, whyOf } from '../words/sentences.ts';
import type { TargetOutcome } from './run.ts';

/** How the last try of a target went. */
export interface TargetState {
  /** The place that it is about. Absent: nothing was tried. */
  readonly where?: string;
  readonly lastGoodAt: UnixMs | null;
  /** The last try failed; null: it did not. */
  readonly failure: (Why & { readonly at: UnixMs }) | null;
  /** The last restore that was tried, and why it failed; no reason: it did not. */
  readonly drill: (Why & { readonly at: UnixMs }) | null;
}

export const untried: TargetState = { lastGoodAt: null, failure: null, drill: null };

const drillEveryMs = 30 * 86_400_000;

export function stateAfter(before: TargetState, { failure, drill }: TargetOutcome, now: UnixMs): TargetState {
  return {
    lastGoodAt: failure ? before.lastGoodAt : now,
    failure: failure && { at: now, ...whyOf(failure.said) },
    drill: drill ? { at: now, ...(drill.failure ? whyOf(drill.failure.said) : noWhy) } : before.drill,
  };
}

/** With the first copy, then every 30 days; one that failed is tried again with the next copy. */
export const isDrillDue = ({ drill }: TargetState, now: UnixMs): boolean =>
  drill === null || drill.why !== '' || now - drill.at >= drillEveryMs;
