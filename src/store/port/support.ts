import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { DeviceNo, LogRow, Seq } from './journal.ts';

/** Logs from the newest back. */
export interface LogTailQuery {
  /** Only below this seq. */
  readonly before?: Seq | undefined;
  /** Only above this seq. */
  readonly after?: Seq | undefined;
  readonly deviceNo?: DeviceNo | undefined;
  /** Without case, as is `sn`. */
  readonly model?: string | undefined;
  readonly sn?: string | undefined;
  /** Inclusive, by time of receipt. */
  readonly from?: UnixMs | undefined;
  /** Exclusive. */
  readonly to?: UnixMs | undefined;
  /** Contained anywhere, without case. */
  readonly text?: string | undefined;
  readonly limit: number;
}

export interface LogTail {
  /** Newest first. */
  readonly rows: LogRow[];
  /**
   * Where the next page goes on; it may be that nothing fitted so far. Null: there is nothing
   * further back.
   */
  readonly before: Seq | null;
  /** Of all logs, whether they fit or not: who follows goes on after it. */
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
  /** Empty: nobody whom the organization knows. */
  readonly name: string;
}

/** What those read who set the site up, and who look for what went wrong there. */
export interface SupportReads {
  /**
   * Looks at a bounded number of logs, whatever fits: a rare word in millions of logs takes several
   * pages.
   */
  logTail(query: LogTailQuery): Promise<LogTail>;
  /**
   * Everything that terminals reported after a place, of people who are known here and of those who
   * are not; without one, the place that is now.
   */
  punchesSince(after: PunchPlace | null, limit: number): Promise<{ punches: Punch[]; place: PunchPlace }>;
}
