import type { DateText } from '../../platform/shifts.ts';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { DeviceNo } from './journal.ts';
import type { StorePart } from './part.ts';

/** The part of the store's port for corrections of check-ins. */

/** The device of check-ins that a correction added: no device reported them. */
export const addedDeviceNo = -1 as DeviceNo;

/** How many check-ins one correction may be about. */
export const correctionItemsMax = 500;

export type CorrectionKind = 'add' | 'set_aside' | 'move_to' | 'undo';
/** Only an approved one counts. */
export type CorrectionState = 'asked' | 'approved' | 'refused' | 'withdrawn';

/** One check-in of a correction; those of a correction of many share its `id`. */
export interface Correction {
  readonly id: number;
  readonly itemId: number;
  readonly extId: string;
  /** Empty: nobody has this ext id now. */
  readonly name: string;
  readonly kind: CorrectionKind;
  /** As callers of the attendance API see it. Null: an `add` that is not approved. */
  readonly checkInId: number | null;
  /** Of the check-in. */
  readonly at: UnixSeconds;
  /** Of a `move_to`: the date that the check-in belongs to. Else null. */
  readonly workDate: DateText | null;
  readonly reason: string;
  /** An account, or `command`. */
  readonly askedBy: string;
  readonly askedAt: UnixMs;
  readonly decidedBy: string | null;
  readonly decidedAt: UnixMs | null;
  readonly state: CorrectionState;
  /** Of an undo: the correction that it reverses. */
  readonly reverses: number | null;
  /** An approved undo reverses it. */
  readonly undone: boolean;
}

/** How the box came by a check-in; `imported`: from the cloud alone. */
export type CheckInSource = 'device' | 'added' | 'imported';

/** Effect of corrections on a check-in. */
export interface PunchMark {
  readonly setAside: boolean;
  /** The date to which it was moved; null: it was not. */
  readonly workDate: DateText | null;
  /** Why it was set aside, else why it was moved, else why it was added. */
  readonly reason: string;
  /** The correction that set it aside, else the one that moved it, else the one that added it. */
  readonly correctionId: number;
}

/** Reasons for which a correction is refused; nothing was changed. */
export type CorrectionRefusal =
  | 'unknown_person'
  | 'unknown_punch'
  /** Already so, or somebody has asked for it. */
  | 'already'
  /** On no date: cannot be moved to another. */
  | 'set_aside'
  | 'unknown_correction'
  /** Decided before. */
  | 'decided'
  | 'not_approved'
  /** Approval by the person who asked. */
  | 'same_person'
  /** Only who asked may withdraw. */
  | 'not_asker';

export type CorrectionOutcome =
  | {
      readonly ok: true;
      readonly id: number;
      readonly state: CorrectionState;
      readonly items: readonly CorrectedItem[];
    }
  | { readonly ok: false; readonly why: CorrectionRefusal; readonly extId: string };

/** For the audit log. */
export interface CorrectedItem {
  readonly extId: string;
  readonly at: UnixSeconds;
  /** Of a `move_to`. */
  readonly workDate: DateText | null;
}

interface Asked {
  readonly reason: string;
  /** An account, or `command`. */
  readonly by: string;
  readonly at: UnixMs;
  /** Approves it at once: nobody else has to. */
  readonly approve: boolean;
}

export interface CorrectionWrites {
  /**
   * Adds missing check-ins, sets wrong ones aside, or moves them to another date; at most
   * `correctionItemsMax` of them. All or none: the refusal names the first person whose check-in
   * cannot be corrected so.
   */
  askCorrection(
    input: Asked &
      (
        | { readonly kind: 'add'; readonly items: readonly { readonly extId: string; readonly at: UnixSeconds }[] }
        | {
            readonly kind: 'set_aside';
            /** `checkInId`: as callers of the attendance API see it. */
            readonly items: readonly { readonly extId: string; readonly checkInId: number }[];
          }
        | {
            readonly kind: 'move_to';
            readonly items: readonly {
              readonly extId: string;
              readonly checkInId: number;
              readonly workDate: DateText;
            }[];
          }
      ),
  ): CorrectionOutcome;
  /** Reverses an approved correction with everything that it is about. */
  undoCorrection(input: Asked & { readonly id: number }): CorrectionOutcome;
  /** `twoPersons`: who asked may not approve. */
  decideCorrection(input: {
    readonly id: number;
    readonly state: Exclude<CorrectionState, 'asked'>;
    readonly by: string;
    readonly at: UnixMs;
    readonly twoPersons: boolean;
  }): CorrectionOutcome;
}

export interface CorrectionReads {
  /** Newest first, a row for each check-in. */
  corrections(query: {
    readonly id?: number | undefined;
    /** Absent: of everybody. */
    readonly extIds?: readonly string[] | undefined;
    /** By the time of the check-in; inclusive. */
    readonly from?: UnixSeconds | undefined;
    /** Exclusive. */
    readonly to?: UnixSeconds | undefined;
    readonly state?: CorrectionState | undefined;
    /** An `itemId`, where the last page ended. */
    readonly before?: number | undefined;
    readonly limit: number;
  }): Promise<Correction[]>;
}

export type CorrectionStore = StorePart<CorrectionReads, CorrectionWrites>;
