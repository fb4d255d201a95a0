import type { CardSpeed, CardStep, CutFound, DiskDevice } from '../../platform/drill.ts';
import type { UnixMs } from '../../runtime/clock.ts';

/** A drill of the card that is under way, as it survives a power cut. */
export interface CardState {
  readonly version: 1;
  readonly id: string;
  readonly begunAt: UnixMs;
  readonly step: CardStep;
  /** Which cut is prepared or proved, from 1. */
  readonly cut: number;
  /** Of the boot of the machine in which it counts: another one follows a power cut. */
  readonly bootId: string;
  /** The box was stopped in order: what follows is no power cut. */
  readonly isStopped: boolean;
  readonly device: DiskDevice;
  readonly speed: CardSpeed | null;
  readonly cuts: readonly CutFound[];
}

const dayMs = 24 * 3600_000;

export const isExpired = ({ begunAt }: CardState, now: UnixMs): boolean => now - begunAt > dayMs;

/**
 * The state with which a box goes on after a start. A machine that was not booted since, or was
 * shut down in order, had no power cut: it goes on counting.
 */
export function startedAgain(state: CardState, bootId: string): CardState {
  const wasCut = state.step === 'counting' && state.bootId !== bootId && !state.isStopped;
  return { ...state, bootId, isStopped: false, step: wasCut ? 'proving' : state.step };
}

/** The state after a cut at which nothing was missing; null: it was the last one. */
export function afterCut(state: CardState, found: CutFound, cuts: number): CardState | null {
  if (state.cut >= cuts) return null;
  return { ...state, cut: state.cut + 1, step: 'counting', cuts: [...state.cuts, found] };
}
