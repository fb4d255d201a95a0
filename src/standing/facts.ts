import type { UnixMs } from '../runtime/clock.ts';
import type { Why } from '../words/sentences.ts';

/** A device, as the list names it. */
export interface NamedDevice {
  readonly deviceId: string;
  readonly name: string;
}

/**
 * Facts by which is judged what wants a person. A part that is null is unknown at the moment: its
 * alerts stay as they are, and the list says nothing of it.
 */
export interface Facts {
  readonly disk: {
    readonly usedPercent: number;
    readonly daysLeft: number | null;
    /** A tenth of the disk, of its inodes, or three days are left, or less: that of `status`. */
    readonly isLow: boolean;
    /** How many are left; null: enough, or the file system does not count them. */
    readonly fewInodes: number | null;
    /** `ok`, or why nothing is acknowledged. */
    readonly state: string;
    /** Records that cannot be read from the disk, at most; null: everything can. */
    readonly unreadableRecords: number | null;
    /** Its database file cannot be written in places. */
    readonly isUnwritable: boolean;
  } | null;
  /** How many days a new card lasts at this rate. */
  readonly wearDays: number | null;
  /** State of the line; null without a cloud. */
  readonly line:
    | ({
        readonly isUp: boolean;
        readonly isRefused: boolean;
        readonly since: UnixMs | null;
        readonly waiting: number;
        readonly oldestMinutes: number;
        readonly parked: number;
      } & Why)
    | null;
  /** Of the copy of the cloud's organization; a box without one has none missing. */
  readonly mirror: { readonly hidden: number; readonly held: number; readonly incomplete: Why } | null;
  /** Devices that were here and are away, by the definition of `status`. */
  readonly silent: readonly (NamedDevice & { readonly since: UnixMs | null })[] | null;
  /** Known devices, and how many of them are connected. */
  readonly known: number;
  readonly online: number;
  /** Known devices that have never been here. */
  readonly neverHere: readonly NamedDevice[];
  /** Devices that wait for approval to receive people's data. */
  readonly unapproved: readonly NamedDevice[];
  /** Device ids that were refused within the last day and not let in since. */
  readonly rejected: number;
  /** Logins that were refused in the last ten minutes. */
  readonly refusedLogins: number | null;
  /** `never`: since when the box has had none. Null in a region, whose database has its own. */
  readonly backup: {
    readonly ageDays: number;
    readonly never: boolean;
    /** The threshold by the schedule, two of its intervals and an hour; null: that of the rule. */
    readonly tooOldDays: number | null;
  } | null;
  /** Whether the network sets the clock of the box. */
  readonly clockSynchronized: boolean | null;
  /** Devices whose clock is proved wrong. */
  readonly deviceClocks: readonly (NamedDevice & { readonly seconds: number })[] | null;
  /** Device ids that two devices log in with. */
  readonly usedTwice:
    | readonly (NamedDevice & { readonly addresses: readonly string[]; readonly since: UnixMs })[]
    | null;
  /** Devices that sent a message less than a day ago that is no JSON object. */
  readonly unreadable:
    | readonly (NamedDevice & {
        /** All of them, since this moment. */
        readonly count: number;
        readonly since: UnixMs;
      } & Why)[]
    | null;
  readonly certificateDays: number | null;
  /** The bundle that waits; empty: none does. */
  readonly update: string | null;
  /** The machine was started again less than an hour ago. */
  readonly rebooted: boolean | null;
  /** Key that opens the backups: whether somebody has said that it is kept. Null as `backup`. */
  readonly recoveryKey: 'none' | 'unconfirmed' | 'kept' | null;
  /** Time zone of the site. */
  readonly zone: { readonly name: string; readonly isConfirmed: boolean };
  /** The last month, such as `2026-10`, if it waits to be closed. */
  readonly monthToClose: string | null;
  /** Entries whose last daily attendance report was given up of late. */
  readonly dailyReports: readonly ({ readonly name: string } & Why)[];
  /** Messages in a row that did not get through, of each channel. */
  readonly channels: readonly ({ readonly name: string; readonly failures: number } & Why)[];
}
