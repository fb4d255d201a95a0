import type { ClockWords } from '../../platform/device-clock.ts';
import type { Numbering } from '../../platform/numbering.ts';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { PunchMark } from './corrections.ts';
import type { DeviceNo, Seq } from './journal.ts';

/** The part of the store's port that daily statements and receipts are made from. */

export interface StatementQuery {
  /** Where the statement before ended; 0: there is none. */
  readonly after: Seq;
  /** First millisecond of the day. */
  readonly from: UnixMs;
  /** First millisecond of the next day. */
  readonly to: UnixMs;
  readonly timeZone: string;
  /** The codes of both reports at this site; null: it is off. */
  readonly codes: { readonly checkin: number | null; readonly access: number | null };
  /** How each device stood at the end of the statement before, by its id. */
  readonly before: Readonly<Record<string, DeviceBefore>>;
  readonly signal?: AbortSignal | undefined;
}

export interface DeviceBefore {
  /** Up to where the cloud had confirmed; null: no cloud. */
  readonly cloudSeq: number | null;
  readonly waiting: number;
  /** The last of its own numbers; null: it does not count. */
  readonly lastNumber: number | null;
}

/** Records of one day, counted for each device. */
export interface StatementFacts {
  /** The last record of the day: where the next statement begins. */
  readonly through: Seq;
  /** Records between both ends that the journal no longer holds. */
  readonly dropped: number;
  /** Segments that cannot be read. */
  readonly damaged: number;
  readonly devices: readonly DeviceFacts[];
}

/**
 * Counts check-ins and access records, not messages. `box` + `refused` is what the device said in
 * messages that arrived; `brought` + `box` = confirmed + parked + `waiting`.
 */
export interface DeviceFacts {
  readonly deviceId: string;
  /** Stored, without repeats. */
  readonly box: number;
  /** In messages that were answered with 400, and the number of these messages. */
  readonly refused: number;
  readonly refusedMessages: number;
  /** Messages that are not JSON. */
  readonly unreadable: number;
  readonly repeats: number;
  /** The first of them: a record of message `seq` was stored before, from message `of`. */
  readonly repeated: readonly { readonly seq: Seq; readonly of: Seq }[];
  readonly numbers: Numbering | null;
  /** The device's own times of the earliest and the latest record. */
  readonly first: UnixSeconds | null;
  readonly last: UnixSeconds | null;
  /** Arrived more than 60 s after they were made, and the longest of these delays in seconds. */
  readonly late: number;
  readonly lateMost: number;
  /** Of earlier days by the device's time: how many of each. */
  readonly earlierDays: Readonly<Record<string, number>>;
  readonly clock: ClockWords;
  /** Figures of the cloud; null if the box has none. */
  readonly cloud: DeviceInCloud | null;
}

interface DeviceInCloud {
  /** Waited at the beginning of the day, as the journal and the ledger tell today. */
  readonly brought: number;
  readonly confirmed: number;
  readonly parked: number;
  /** Waited at the end of the day. */
  readonly waiting: number;
  /** Up to where the cloud had confirmed at the end of the day. */
  readonly upToSeq: Seq;
}

/** Which record a receipt is asked of. */
export type ReceiptQuery = { readonly seq: Seq } | { readonly checkin: number } | { readonly access: number };

/** All that the store knows of the way of one record. */
export interface ReceiptFacts {
  readonly kind: 'checkin' | 'access' | 'message' | 'log';
  /** 0: no device of this site reported it. */
  readonly seq: Seq;
  readonly deviceNo: DeviceNo;
  /** By the device's own clock; null: its message names no time. */
  readonly deviceTime: UnixSeconds | null;
  readonly receivedAt: UnixMs;
  readonly clock: { readonly lowMs: number; readonly highMs: number | null } | null;
  /** Message; null if the journal no longer holds it. */
  readonly message: { readonly mid: string; readonly action: number | null; readonly clamped: boolean } | null;
  /** As the device numbered it; empty: it did not. */
  readonly recordId: string;
  readonly state: 'waiting' | 'confirmed' | 'parked' | 'kept here';
  readonly confirmedAt: UnixMs | null;
  readonly via: string | null;
  readonly parked: {
    readonly at: UnixMs;
    readonly code: number;
    readonly reason: string;
    readonly again: boolean;
  } | null;
  /** Why it stays here; null where it does not. */
  readonly keptBecause: 'no cloud' | 'not JSON' | 'answered here' | 'added here' | null;
  /** The id under which the cloud lists it; null: it has not been seen in its list. */
  readonly cloudId: string | null;
  /** Effect of corrections on a check-in; null if there are none, or for another record. */
  readonly mark: PunchMark | null;
}

export interface StatementReads {
  /** One day. Reads the journal from the end of the statement before, in turns. */
  statementDay(query: StatementQuery): Promise<StatementFacts>;
  /**
   * Where the first statement of a box may begin. `after`: the last record that the journal no
   * longer holds, 0 if it holds all there ever were. `at`: the first record that it holds, or, if
   * none was removed, the first device; null: there is neither.
   */
  journalBegin(): Promise<{ readonly after: Seq; readonly at: UnixMs | null }>;
  /** Receipt; null if there is no such record. */
  receipt(query: ReceiptQuery): Promise<ReceiptFacts | null>;
}
