import type { UnixMs } from '../runtime/clock.ts';
import { type Coded, type GivenReason, SaidError, type Why } from '../words/sentences.ts';

/**
 * `image`: the whole system, into the other slot. `program`: Gatehouse alone, beside the packaged
 * one.
 */
type UpdateKind = 'image' | 'program';

/** A signed bundle, as RAUC read it. */
export interface BundleReport {
  readonly file: string;
  readonly kind: UpdateKind;
  readonly compatible: string;
  readonly version: string;
  /** The maker's notes; may be empty. */
  readonly description: string;
  /** Reason for which this machine does not take the bundle; null if it does. */
  readonly refused: string | null;
  readonly refused_said: Coded | null;
  /**
   * The running version, if the bundle is older than it; else null. Such a bundle is installed only
   * with `allowOlder`.
   */
  readonly olderThan: string | null;
}

/**
 * `installing`: asked for and not done. `installed`: it waits for the restart. `trying`: it runs,
 * and has a minute to show that it works. `good`: it works. `kept`: it does not, and there is
 * nothing to go back to. `rolled-back`: the one before runs again. `failed`: it was not installed.
 * `interrupted`: the power was cut before it was in force, and the one before runs.
 */
export type UpdateOutcome =
  | 'installing'
  | 'installed'
  | 'trying'
  | 'good'
  | 'kept'
  | 'rolled-back'
  | 'failed'
  | 'interrupted';

/** `why`: empty where all went well. */
export interface LastUpdate extends Why {
  readonly kind: UpdateKind;
  /** Empty where it is not known. */
  readonly from: string;
  readonly to: string;
  readonly outcome: UpdateOutcome;
  readonly at: UnixMs;
}

export interface UpdateProgress {
  readonly step: 'backup' | 'installing' | 'restarting';
  readonly percent: number;
  readonly to: string;
}

export interface UpdateReport {
  /** Reason for which this box cannot be updated, with the remedy; null if it can. */
  readonly impossible: string | null;
  readonly impossible_said: Coded | null;
  readonly runs: {
    readonly version: string;
    /** `updated`: a program that an update brought runs. */
    readonly program: 'packaged' | 'updated';
    /** The slot that was booted; null where systems are not updated. */
    readonly slot: string | null;
    /** The version of the system; empty where it is not known. */
    readonly system: string;
  };
  /** Version to which a rollback returns; null if there is none. */
  readonly other: { readonly kind: UpdateKind; readonly version: string } | null;
  /** Progress of the update; null if none is under way. */
  readonly progress: UpdateProgress | null;
  readonly last: LastUpdate | null;
  /** Bundles on sticks, and the one that was sent here last. */
  readonly found: readonly { readonly file: string; readonly name: string; readonly bytes: number }[];
}

/** The update was not started; the message says why and what to do. */
export class UpdateRefused extends SaidError {
  /** Kind of refusal, for the status and the title of an answer. */
  readonly code:
    | 'no_updates'
    | 'busy'
    | 'on_trial'
    | 'unreadable'
    | 'untrusted'
    | 'wrong_machine'
    | 'older'
    | 'no_room'
    | 'nothing_before'
    | 'no_rollback';

  constructor(code: UpdateRefused['code'], said: GivenReason) {
    super(said);
    this.name = 'UpdateRefused';
    this.code = code;
  }
}
