import type { DateText } from '../../platform/shifts.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { Device } from './directory.ts';
import type { DeviceNo } from './journal.ts';
import type { StorePart } from './part.ts';

/** The part of the store's port that changes many devices or people at once, and undoes it. */

/** How long a change of many can be undone, and how many of the newest can. */
export const bulkChangeKept = { ms: 7 * 24 * 3_600_000, changes: 20 } as const;
/** Maximum devices or people in one transaction: other writes go on between two groups. */
export const bulkGroupMax = 200;

export type BulkDeviceWhat = 'people_data' | 'blocked';
export type BulkPeopleWhat = 'department' | 'left';
export type BulkWhat = BulkDeviceWhat | BulkPeopleWhat;

/** A change of many that can be undone. */
export interface BulkChange {
  readonly id: number;
  readonly at: UnixMs;
  /** Person who changed them: an actor of the audit log. */
  readonly by: string;
  readonly what: BulkWhat;
  /** How many devices or people it changed. */
  readonly rows: number;
}

/** One group of a change of many. `id`: null for the first group, which makes the change. */
interface BulkGroup {
  readonly id: number | null;
  readonly at: UnixMs;
  readonly by: string;
}

export type DeviceBulk =
  | { readonly what: 'people_data'; readonly to: 'yes' }
  | { readonly what: 'blocked'; readonly to: boolean };

export type PersonBulk =
  /**
   * The external id of the department, and the first local date in it; absent: that of the change.
   * The title stays.
   */
  | { readonly what: 'department'; readonly to: string; readonly since?: DateText | undefined }
  /** The last day; null: has not left. */
  | { readonly what: 'left'; readonly to: string | null };

/** Request to the cloud, where that is the authority of the organization; null where the box is. */
interface ForCloud {
  readonly queue: { readonly at: UnixMs; readonly caller: string } | null;
}

/** Why something was left as it is. */
type LeftWhy = 'already' | 'changed_since' | 'gone' | 'no_department' | 'before_first_day';

export interface BulkLeft {
  /** The id of the device, or the external id of the person. */
  readonly subject: string;
  readonly why: LeftWhy;
}

export interface BulkChangeWrites {
  /**
   * Changes a group of devices (at most `bulkGroupMax`) and keeps what was before. Returns those
   * that changed; a device that is so already is left out. `id` is null as long as nothing changed,
   * and where the change was undone or forgotten before its last group: then nothing is changed.
   */
  changeManyDevices(input: BulkGroup & { readonly deviceNos: readonly DeviceNo[]; readonly change: DeviceBulk }): {
    readonly id: number | null;
    readonly changed: Device[];
  };
  /**
   * Undoes a group of a change of devices (at most `limit`): puts back what was before, but for
   * devices that somebody changed since. Call it again while there is `more`.
   */
  undoManyDevices(input: { readonly id: number; readonly limit: number }): {
    readonly changed: Device[];
    readonly left: BulkLeft[];
    readonly more: boolean;
  };
  /** As `changeManyDevices`, of people by their external ids. */
  changeManyPeople(input: BulkGroup & ForCloud & { readonly extIds: readonly string[]; readonly change: PersonBulk }): {
    readonly id: number | null;
    readonly changed: number;
    readonly left: BulkLeft[];
  };
  /** As `undoManyDevices`. */
  undoManyPeople(input: ForCloud & { readonly id: number; readonly at: UnixMs; readonly limit: number }): {
    readonly changed: string[];
    readonly left: BulkLeft[];
    readonly more: boolean;
  };
}

export interface BulkChangeReads {
  /** Changes of many that can still be undone, the newest first; with `id` only that one. */
  bulkChanges(query: { readonly id?: number; readonly since: UnixMs }): Promise<BulkChange[]>;
}

export type BulkChangeStore = StorePart<BulkChangeReads, BulkChangeWrites>;
