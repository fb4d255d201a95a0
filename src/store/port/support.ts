import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { DeviceNo, LogRow, Seq } from './journal.ts';

/** Logs from the newest back. */
export interface LogTailQuery {
  /** Only below this seq. */
  readonly before?: Seq | undefined;
  /** Only above this seq. */
  readonly after?: Seq | undefined;
  readonly deviceNo?: DeviceNo | undefined;
  /** Of any of these, such as those of a site. Empty: of none. */
  readonly deviceNos?: ReadonlySet<DeviceNo> | undefined;
  /** In any case, as is `sn`. */
  readonly model?: string | undefined;
  readonly sn?: string | undefined;
  /** Inclusive, by time of receipt. */
  readonly from?: UnixMs | undefined;
  /** Exclusive. */
  readonly to?: UnixMs | undefined;
  /** A substring, in any case. */
  readonly text?: string | undefined;
  readonly limit: number;
}

export interface LogTail {
  /** Newest first. */
  readonly rows: LogRow[];
  /** The cursor of the next page, even if nothing matched so far. Null: there is nothing older. */
  readonly before: Seq | null;
  /** The newest of all logs, matching or not: somebody who follows continues after it. */
  readonly newest: Seq;
}

/**
 * How far somebody has followed what terminals report: an id of check-ins and one of access
 * records.
 */
export interface PunchPlace {
  readonly checkin: number;
  readonly access: number;
}

export interface Punch {
  readonly kind: 'checkin' | 'access';
  readonly at: UnixSeconds;
  readonly receivedAt: UnixMs;
  readonly deviceId: string;
  /** Empty: the organization does not know the person. */
  readonly name: string;
}

/** Reads for people who set up the site and look for faults. */
export interface SupportReads {
  /**
   * Looks at a bounded number of logs, however few match: a rare word in millions of logs takes
   * several pages.
   */
  logTail(query: LogTailQuery): Promise<LogTail>;
  /**
   * Everything that terminals reported after a place, of known and unknown people; without a place,
   * returns the current one.
   */
  punchesSince(after: PunchPlace | null, limit: number): Promise<{ punches: Punch[]; place: PunchPlace }>;
}
