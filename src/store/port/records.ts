import type { ClockBounds } from '../../platform/device-clock.ts';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { CheckInSource, PunchMark } from '../domains/corrections/tables.ts';
import type { OfDevices } from './directory.ts';
import type { Seq } from './journal.ts';
import type { PersonPlace, StoodIn } from './people.ts';

export interface CheckInPage {
  /**
   * JSON of the records in the form of SPEC 2.15 in UTF-8, separated by commas, in a few pieces.
   * Made by the query and sent unchanged.
   */
  readonly records: readonly Uint8Array[];
  readonly count: number;
  /** The `next_id` for the page that follows. */
  readonly next: number;
  /** The `next_id` that was asked for is above all that the tables have given out. */
  readonly isAhead: boolean;
}

/** SPEC 2.15. `checkData` is JSON text, so that a page is built without reading it. */
export interface AccessEntryRecord {
  readonly id: number;
  readonly userId: string;
  readonly extId: string;
  readonly checkType: string;
  readonly checkTime: UnixSeconds;
  readonly checkData: string;
  readonly doorId: string;
  readonly checkResult: number;
  /** Null where there is none, or where it is damaged. */
  readonly captureImg: string | null;
}

/** The fields of SPEC 2.15, and over which device and when it was received. */
export interface CheckInRow {
  /** Rises in the order in which check-ins became visible: the cursor of the next page. */
  readonly place: number;
  /** As callers of the attendance API see it. */
  readonly id: number;
  readonly seq: Seq;
  /** Empty: no device of the site reported it (`source`). */
  readonly deviceId: string;
  readonly receivedAt: UnixMs;
  readonly userId: string;
  readonly extId: string;
  readonly employeeNum: string;
  readonly terminalId: string;
  readonly checkType: string;
  readonly checkTime: UnixSeconds;
  readonly checkData: Record<string, unknown>;
  /** Bounds of its terminal's clock when it came in; null if unknown. */
  readonly clock: ClockBounds | null;
  readonly source: CheckInSource;
  /** Mark of a correction; null if there is none. */
  readonly mark: PunchMark | null;
}

export interface AccessRow {
  readonly id: number;
  readonly seq: Seq;
  /** Empty: only the cloud lists it; no device of the site reported it. */
  readonly deviceId: string;
  readonly receivedAt: UnixMs;
  readonly doorId: string;
  readonly userId: string;
  readonly extId: string;
  readonly checkType: string;
  readonly checkTime: UnixSeconds;
  readonly checkData: Record<string, unknown>;
  readonly checkResult: number;
  /**
   * Base64 without the data-URL prefix, opened from its seal; null when there is none, or when it
   * is damaged.
   */
  readonly captureImg: string | null;
  /** Bounds of its terminal's clock when it came in; null if unknown. */
  readonly clock: ClockBounds | null;
}

/** A row of a report for people. */
export interface ReportRow {
  /** The cursor of the next page among rows of the same check time. */
  readonly place: number;
  /** As callers of the attendance API see it. */
  readonly id: number;
  readonly userId: string;
  readonly extId: string;
  readonly employeeNum: string;
  readonly name: string;
  readonly department: string;
  /** Empty: no device of the site reported it (`source`). */
  readonly deviceId: string;
  /** The place named by a record that only the cloud lists, or empty. */
  readonly deviceName: string;
  readonly terminalId: string;
  readonly checkType: string;
  readonly checkTime: UnixSeconds;
  readonly receivedAt: UnixMs;
  /** Bounds of its terminal's clock when it came in; null if unknown. */
  readonly clock: ClockBounds | null;
  /** Of access records. */
  readonly doorId: string;
  readonly checkResult: number;
  readonly source: CheckInSource;
  /** Mark of a correction; null if there is none, or for an access record. */
  readonly mark: PunchMark | null;
}

/** As the store reads it, with the department of today. */
export interface FoundReportRow extends ReportRow {
  /** Where the person stands today; null: nobody whom the organization knows. */
  readonly stands: PersonPlace | null;
}

/** Person as the rows of a report name them. */
export interface PersonOfReport
  extends Pick<FoundReportRow, 'userId' | 'extId' | 'employeeNum' | 'name' | 'department' | 'stands'> {}

export interface ReportQuery extends OfDevices {
  /** Inclusive, by check time. */
  readonly from?: UnixSeconds | undefined;
  /** Exclusive. */
  readonly to?: UnixSeconds | undefined;
  /** Records of people who stood there on any date of the span, not only on that of the record. */
  readonly stoodIn?: StoodIn | undefined;
  readonly extId?: string | undefined;
  /** Where the last page ended. */
  readonly after?: { readonly time: UnixSeconds; readonly place: number } | undefined;
  readonly limit: number;
  /** People of the pages before, by row, who are not read again. The read adds those of its own. */
  readonly people?: Map<number, PersonOfReport>;
}

/** Check-ins or access records in the order of their ids, which is that of report. */
export interface RecordQuery extends OfDevices {
  readonly after?: number;
  /** Inclusive, by check time. */
  readonly from?: UnixSeconds;
  /** Exclusive. */
  readonly to?: UnixSeconds;
  readonly limit: number;
  /** Ends the search: the caller has gone away. */
  readonly signal?: AbortSignal | undefined;
}

/** Reports of devices, as `export` writes them. */
export interface RecordReads {
  checkins(query: RecordQuery): Promise<CheckInRow[]>;
  accessRecords(query: RecordQuery & { readonly photos?: 'left out' }): Promise<AccessRow[]>;
  /** The place of the newest check-in, and the newest access record and log; 0 for none. */
  newestRecords(): Promise<Readonly<Record<'checkins' | 'access' | 'logs', number>>>;
}
