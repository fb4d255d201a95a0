import type { AttendanceCodeName } from '../../platform/attendance.ts';
import type { ProductId } from '../../platform/device-id.ts';
import type { DateText } from '../../platform/shifts.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { StorePart } from '../domain.ts';
import type { Alias, SaidId } from '../people/aliases.ts';
import type { OfDevices } from './directory.ts';
import type { DeviceNo } from './journal.ts';
import type { ErasureWrites } from './people.ts';
import type { AccessEntryRecord, CheckInPage, FoundReportRow, ReportQuery } from './records.ts';

/**
 * The part of the store's port that serves attendance: the organization, its people, their records
 * and features.
 */

/**
 * A rule of SPEC 4.8 that a write would break. `field` is the name of the wrong field in the
 * request.
 */
export interface OrganizationRefusal {
  readonly code: AttendanceCodeName;
  readonly field: string;
  readonly reason: string;
}

export type OrganizationOutcome<T = null> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: OrganizationRefusal };

/**
 * With the cloud as authority, a write is also queued for the cloud, in the same transaction. Null:
 * the box is the authority.
 */
export interface QueuedWrite {
  readonly at: UnixMs;
  readonly caller: string;
  readonly path: string;
  readonly command: string;
  /** Subject, such as `employee e1`. */
  readonly subject: string;
  readonly body: string;
}

interface Queueable {
  readonly queue: QueuedWrite | null;
}

/** Where nothing else is said, a move counts from the site's date at this moment on. */
interface Dated {
  readonly at: UnixMs;
}

export interface Department {
  readonly id: string;
  readonly extId: string;
  readonly name: string;
  /** Empty for the root. */
  readonly parentId: string;
}

export interface Employee {
  readonly id: string;
  readonly extId: string;
  readonly name: string;
  readonly mobile: string;
  readonly employeeNum: string;
  readonly departmentId: string;
  readonly title: string;
}

interface DepartmentChange {
  readonly extId: string;
  readonly name: string;
  readonly parentExtId: string | null;
  /** The first local date under the parent. */
  readonly since?: DateText | undefined;
}

/** Absent fields stay as they are; a new employee needs all but `department.title`. */
export interface EmployeeChange {
  readonly extId: string;
  readonly name?: string | undefined;
  readonly mobile?: string | undefined;
  readonly employeeNum?: string | undefined;
  readonly department?: DepartmentOf | undefined;
}

interface DepartmentOf {
  readonly extId: string;
  readonly title?: string | undefined;
  /** The first local date in it; absent: that of the write, if it is another than before. */
  readonly since?: DateText | undefined;
}

export interface FeatureUpdate {
  readonly extId: string;
  readonly featureType: string;
  readonly featureAlg: string;
  /** Replaces what was stored; empty: deletes it. */
  readonly values: readonly string[];
}

export interface FeatureValue {
  readonly value: string;
  readonly isAbnormal: boolean;
}

export interface OrganizationWrites extends ErasureWrites {
  initDepartment(input: { extId: string } & Queueable): OrganizationOutcome<{ extId: string; name: string }>;
  /** Creates or updates a department; without a parent it is placed under the root. */
  putDepartment(input: DepartmentChange & Queueable & Dated): OrganizationOutcome<{ extId: string; name: string }>;
  setDepartmentExt(input: { id: string; extId: string } & Queueable): OrganizationOutcome;
  /** Deletes it with its empty sub-departments. Succeeds if there is no such department. */
  deleteDepartment(input: { extId: string } & Queueable): OrganizationOutcome;
  putEmployee(input: EmployeeChange & Queueable & Dated): OrganizationOutcome<Employee>;
  setEmployeeExt(input: { id: string; extId: string } & Queueable): OrganizationOutcome;
  /**
   * Deletes an employee with check-ins and features; the journal's copies of those are erased in
   * steps (`eraseStep`). Succeeds if there is no such employee.
   */
  deleteEmployee(input: { extId: string; at: UnixMs } & Queueable): OrganizationOutcome;
  /**
   * An unknown id is this person's from now on; the check-ins and access records that came under it
   * become the person's too.
   */
  joinPerson(
    input: SaidId & { extId: string; at: UnixMs; by: string },
  ): OrganizationOutcome<{ id: number; checkIns: number }>;
  /** Undoes it: the id is unknown again, with all that came under it. Null: no such alias. */
  separatePerson(input: { id: number }): Alias | null;
  /** Returns the ext ids that are unknown. */
  putFeatures(input: { users: readonly FeatureUpdate[]; at: UnixMs } & Queueable): string[];
  /**
   * From the next check-in on `checkin_query` returns records (SPEC 3.7), or all that there are.
   * Called once more, it changes nothing.
   */
  initCheckIns(input: { at: UnixMs; withAll?: boolean }): void;

  /**
   * The changes after `fromNo` up to `toNo` went to the device in one message. `delivery`: handed
   * over, or put into the inbox, from which it is removed when the device is no longer confirmed.
   */
  personsSent(input: {
    deviceNo: DeviceNo;
    fromNo: number;
    toNo: number;
    delivery: false | 'handed over' | 'in the inbox';
    at: UnixMs;
  }): void;

  /** The cloud accepted the oldest waiting write, or refused it for good. */
  settleOrganizationWrite(input: { id: number; outcome: 'taken' | { code: number; reason: string }; at: UnixMs }): void;
  /**
   * Removes a refused write or a conflict from the list, after a person has looked at it. `again`:
   * it is queued once more, as the newest.
   */
  dismissOrganizationWrite(input: { id: number; again: boolean; at: UnixMs }): boolean;
  dismissConflict(input: { id: number }): boolean;
}

/** A person to be sent to a device that is behind. */
export interface PersonToSync {
  readonly changeNo: number;
  readonly extId: string;
  readonly removed: boolean;
  readonly name: string;
  readonly employeeNum: string;
  readonly features: readonly { featureType: string; featureAlg: string; values: readonly string[] }[];
}

export interface OrganizationWriteRow {
  readonly id: number;
  readonly at: UnixMs;
  readonly caller: string;
  readonly path: string;
  readonly command: string;
  readonly subject: string;
  readonly refusedAt: UnixMs | null;
  readonly code: number | null;
  readonly reason: string | null;
}

export interface OrganizationConflictRow {
  readonly id: number;
  readonly at: UnixMs;
  readonly subject: string;
  readonly cloudSide: Record<string, unknown> | null;
  readonly boxSide: Record<string, unknown>;
}

export interface UnresolvedPerson {
  readonly extId: string;
  readonly employeeNum: string;
  readonly records: number;
  /** Several employees have this number: a person must decide. */
  readonly ambiguous: boolean;
  readonly lastAt: UnixMs;
}

export interface OrganizationReads {
  /** Both lists are without rows that are missing at the cloud (`missingAtCloud`). */
  departments(options: { limit: number; offset: number }): Promise<{ total: number; rows: Department[] }>;
  employees(options: { limit: number; offset: number }): Promise<{ total: number; rows: Employee[] }>;
  /** Features of a person; null if nobody has this ext id. */
  features(options: { extId: string; featureType: string; featureAlg: string }): Promise<FeatureValue[] | null>;
  /** The kinds of features that are stored, of anybody. */
  featureKinds(): Promise<{ featureType: string; featureAlg: string }[]>;
  /** From where on callers get check-ins; null before initialization (SPEC 3.7). */
  checkInsSince(): Promise<{ id: number; at: UnixMs } | null>;
  /**
   * Check-ins after a `next_id` , in the order in which they became visible:
   * on receipt, or when their person became known. None from before the initialization. Of some
   * devices a page may be short, but is empty only at the end.
   */
  checkInPage(options: { after: number; limit: number } & OfDevices): Promise<CheckInPage>;
  /** Cut at about `bytesMax` of pictures, after at least one; of some devices as `checkInPage`. */
  accessPage(
    options: { after: number; limit: number; passedOnly: boolean; bytesMax: number } & OfDevices,
  ): Promise<{ rows: AccessEntryRecord[]; next: number; isAhead: boolean }>;
  /** Oldest check time first. */
  checkInReport(query: ReportQuery): Promise<FoundReportRow[]>;
  accessReport(query: ReportQuery): Promise<FoundReportRow[]>;
  /** The number of the newest change of a person. */
  personChangeNo(): Promise<number>;
  /** Up to which change each device was sent people. */
  personSyncs(): Promise<Map<DeviceNo, number>>;
  personSyncOf(deviceNo: DeviceNo): Promise<number>;
  /**
   * At most about `bytesMax` of features, at least one person. Removed people are left out for a
   * device that knows nobody.
   */
  /** `productId`: the product of the device, which gets PINs only if the product allows it. */
  personsAfter(
    changeNo: number,
    options: { limit: number; bytesMax: number; productId: ProductId },
  ): Promise<PersonToSync[]>;
  /** The oldest write that the cloud has not had yet, with its body. */
  nextOrganizationWrite(): Promise<(OrganizationWriteRow & { body: string }) | null>;
  organizationWrites(options: {
    refused: boolean;
    limit: number;
  }): Promise<{ total: number; rows: OrganizationWriteRow[] }>;
  conflicts(limit: number): Promise<{ total: number; rows: OrganizationConflictRow[] }>;
  unresolvedPeople(limit: number): Promise<{ records: number; people: UnresolvedPerson[] }>;
  /** The secret of an attendance caller and its name; null: no such key. */
  attendanceCaller(appKey: string): Promise<{ secret: string; name: string } | null>;
  /** With their secrets: to tell whose a signature is. */
  attendanceCallers(limit: number): Promise<{ appKey: string; secret: string }[]>;
}

export type OrganizationStore = StorePart<OrganizationReads, OrganizationWrites>;
