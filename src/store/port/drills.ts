import type { DrillResult } from '../../platform/drill.ts';

/** The part of the store's port for what drills found (docs/drill.md). */

export interface DrillWrites {
  /** Adds it, or replaces the one with the same id. The oldest go: twenty are kept. */
  putDrillResult(input: DrillResult): void;
}

export interface DrillReads {
  /** Newest first. */
  drillResults(): Promise<DrillResult[]>;
}
