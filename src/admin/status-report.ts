import type { UnixMs } from '../runtime/clock.ts';

export interface LineReport {
  /** `none`: no cloud is configured. */
  readonly state: string;
  readonly since: UnixMs | null;
  readonly why: string;
  readonly next_try_at: UnixMs | null;
}

export interface OutboxReport {
  readonly waiting: number;
  readonly oldest_at: UnixMs | null;
  readonly parked: number;
  readonly per_second: number;
  /** Estimated seconds until nothing waits; null when nothing moves. */
  readonly catch_up_s: number | null;
}

export interface RefusalReport {
  readonly at: UnixMs;
  readonly first_at: UnixMs;
  readonly count: number;
  readonly door: string;
  readonly client_id: string;
  readonly address: string;
  readonly code: string;
  /** One sentence: what, why, and what to do. */
  readonly says: string;
}

/** CONTRACT 7, `status --json`; times in milliseconds since 1970. */
export interface BoxStatus {
  readonly running: boolean;
  readonly version: string;
  readonly line: LineReport;
  readonly outbox: OutboxReport;
  readonly devices: {
    readonly known: number;
    readonly online: number;
    readonly refused: number;
    /**
     * Away because the box takes nothing at the moment, or did not until a quarter of an hour ago.
     */
    readonly held_back: number;
    /** They wait for approval to receive people's data. */
    readonly people_data_waits: number;
  };
  readonly disk: {
    readonly used_bytes: number;
    readonly free_bytes: number;
    /** Of the whole file system. */
    readonly size_bytes: number;
    /** Free there, and inside the database: what the store can still take. */
    readonly room_bytes: number;
    /** By how much that shrinks in a day; null: not known before there is a day of measuring. */
    readonly bytes_per_day: number | null;
    /** Until something has to be dropped; null: not known, or it does not grow. */
    readonly days_left: number | null;
    /** A tenth of the disk or three days are left, or less. */
    readonly is_low: boolean;
    /** `ok`, or why nothing is acknowledged at the moment. */
    readonly state: string;
    readonly why: string;
    /** Dropped by the disk-full policy, by reason. */
    readonly dropped: Readonly<Record<string, number>>;
  };
  /** The tables that are filled from the journal. */
  readonly tables: {
    /** Records that were acknowledged and that they do not hold yet. */
    readonly behind_records: number;
    /** For how long the oldest of them; 0 on a stopped box. */
    readonly behind_ms: number;
    /** So far behind that devices are not read until they have come nearer. */
    readonly held_back: boolean;
  };
  /** Null on a stopped box. */
  readonly wear: WearReport | null;
  /** What works and should not stay so, a sentence each with what to do; empty on a stopped box. */
  readonly warnings: readonly string[];
  /** The last refused logins, newest first. */
  readonly refusals: readonly RefusalReport[];
}

/** What the box writes to its disk, since `since` where nothing else is said; docs/operating.md. */
export interface WearReport {
  /** When the store was opened. */
  readonly since: UnixMs;
  readonly records: number;
  /** What devices sent. */
  readonly payload_bytes: number;
  /** Null where the system does not tell; so are the figures that come from it. */
  readonly written_bytes: number | null;
  /** Null, too, while there are no records. */
  readonly bytes_per_record: number | null;
  /** Written bytes for each byte that devices sent. */
  readonly amplification: number | null;
  readonly syncs: number;
  /** Over the last hour. */
  readonly syncs_per_second: number;
  /** At the rate of the last 24 hours; null in the first hour. */
  readonly bytes_per_day: number | null;
  /** `storage.endurance_tb`, in 10^12 bytes. */
  readonly endurance_tb: number;
  /** How long a new card lasts at that rate; null in the first hour. */
  readonly life_days: number | null;
}
