import type { UnixMs } from '../../runtime/clock.ts';
import type { WaitTimes } from '../../runtime/wait-times.ts';

declare const brand: unique symbol;

/** The store's short number of a device, used in segments and rows. */
export type DeviceNo = number & { readonly [brand]: 'DeviceNo' };

/** Some devices, or one channel of each; a set of devices is one, with both channels. */
export interface DeviceNos {
  has(deviceNo: DeviceNo, channel: Channel): boolean;
}

/**
 * The position of a record in the journal: from 1, rising in commit order, with gaps only where
 * records were dropped.
 */
export type Seq = number & { readonly [brand]: 'Seq' };

export type Channel = 'device' | 'log';

/** Findings about a record on receipt; stored with it in the journal. */
export interface RecordMarks {
  /** Cut to the log size limit. */
  readonly truncated?: boolean;
  /** A NUL or an invalid byte was replaced. */
  readonly repaired?: boolean;
  /** Not a JSON object: stored and forwarded as it is, in no table, counted and shown. */
  readonly malformed?: boolean;
  /** Its data did not fit its action: stored and forwarded, but not entered in any table. */
  readonly invalid?: boolean;
  /**
   * Never forwarded, such as an `activate` that was answered 503 with the line down.
   */
  readonly local?: boolean;
  /**
   * The time of receipt is not known: this box did not know the time, or a box below sent an
   * impossible one, which was replaced by the nearest possible.
   */
  readonly clamped?: boolean;
}

/**
 * A record from a device, on its way into the journal. `payload` is copied before `append` returns.
 */
export interface IncomingRecord {
  readonly deviceNo: DeviceNo;
  readonly channel: Channel;
  readonly receivedAt: UnixMs;
  /** For channel `log`: `{model}/{sn}` as the device wrote it. Empty for channel `device`. */
  readonly logPath: string;
  readonly marks: RecordMarks;
  /**
   * Of a message: its action, where whoever forwards it needs to know nothing else of it
   * (`codeToForward`), from 0 to 2^32 - 1. Stored with it, so that its JSON need not be read again.
   */
  readonly code?: number | undefined;
  readonly payload: Uint8Array;
}

export interface JournalRecord extends IncomingRecord {
  readonly seq: Seq;
}

export type StoreErrorCode = 'disk_full' | 'read_only' | 'broken' | 'closed' | 'too_busy' | 'behind';

/**
 * The operation did not happen: nothing of it is in the store. `message` says why and what to do.
 */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string) {
    super(message);
    this.name = 'StoreError';
    this.code = code;
  }
}

/** Thrown where an answer needs everything that was acknowledged, and the tables lag. */
export class TablesBehind extends StoreError {
  /** Number of records that are missing. */
  readonly records: number;
  constructor(records: number) {
    super(
      'behind',
      `${records} acknowledged records are still to be entered, and this has to hold them: ask again in some seconds`,
    );
    this.records = records;
  }
}

/**
 * Waits for the commit of a record. An object, not a function, so that an editor finds its
 * implementations and a record's way can be followed.
 */
export interface CommitWaiter {
  /**
   * Called once: with null when the record is committed and synced, with an error when nothing of
   * it was stored.
   */
  onCommitted(error: StoreError | null): void;
}

export interface Journal {
  /**
   * Queues one record for the next commit. Waiters are called in the order of `append`. When the
   * queue is full (bytes waiting for the disk over a bound), or the tables are too far behind, the
   * waiter is called at once with `too_busy`; `onDrain` and `congested` let a gateway stop reading
   * before that.
   */
  append(record: IncomingRecord, waiter: CommitWaiter): void;
  readonly congested: boolean;
  onDrain(listener: () => void): void;
  /** The last committed seq, 0 when empty. */
  readonly lastSeq: Seq;
  /**
   * Counts what was committed after `after` (the end of a segment) without opening it; over at most
   * `segmentsMax` segments, where that is given: then `through` may be before `lastSeq`. At once on
   * a box; may take long in a region.
   */
  tally(after: Seq, segmentsMax?: number): Promise<Tally>;
  /** Called after each commit with the new `lastSeq`, until the returned function is called. */
  onCommitted(listener: (lastSeq: Seq) => void): () => void;
  /**
   * Resolves with records after `after` in order, decoded from whole segments: at least one
   * segment, at most about `bytesMax`. The next call continues at `through`. That may be after the
   * last record returned, and there may be none, because a call looks at a bounded number of
   * segments. What is committed after the call is for the next one: at the end of the journal
   * `through` equals `lastSeq` as it was at the call. It may take long, and may ask `options` at
   * any time until it has settled.
   */
  read(after: Seq, options: JournalReading): Promise<JournalRead>;
  /**
   * How long records waited from `append` to the end of their commit, since the start: every record
   * of a commit counts as long as the one that waited longest, so that a wait is never called
   * shorter than it was.
   */
  readonly waits: WaitTimes;
}

export interface JournalStore {
  readonly journal: Journal;
}

export interface JournalRead {
  readonly records: readonly JournalRecord[];
  readonly through: Seq;
}

export interface JournalReading {
  readonly bytesMax: number;
  /** Only of these; segments without any of them are skipped cheaply. */
  readonly deviceNos?: DeviceNos;
  /** Only these of their records; nothing is allocated for the others. */
  readonly wanted?: (deviceNo: DeviceNo, seq: number, channel: Channel) => boolean;
}

/** How many records of each device are to be forwarded, in whole segments after a place. */
export interface Tally {
  readonly through: Seq;
  readonly byDevice: ReadonlyMap<DeviceNo, number>;
}
