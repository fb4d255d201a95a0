import type { DeviceId, ProductId } from '../../platform/device-id.ts';
import type { RefusalCode } from '../../platform/refusals.ts';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { Audit } from '../audit/log.ts';
import type { BackupRequest, BackupWritten } from '../data-dir/backup.ts';
import type { SiteChange, SiteData } from '../site/data.ts';
import type { RoomReport } from '../writer/room-report.ts';
import type { Wear } from '../writer/wear.ts';
import type { AccountReads, AccountWrites } from './accounts.ts';
import type { DayReads } from './day.ts';
import type { DeviceReads, DeviceWrites } from './devices.ts';
import type { AccessRow, CheckInRow, OrganizationReads, OrganizationWrites } from './organization.ts';
import type { PeopleReads } from './people.ts';
import type { PeopleDataWord } from './people-data.ts';
import type { ProvisioningReads, ProvisioningWrites } from './provisioning.ts';
import type { ServiceReads, ServiceWrites } from './services.ts';
import type { StaffReads, StaffWrites } from './staff.ts';
import type { SupportReads } from './support.ts';

declare const brand: unique symbol;
/** The store's short number of a device; stands for it in segments and rows. */
export type DeviceNo = number & { readonly [brand]: 'DeviceNo' };
/** Some devices: a set of them, or what is kept for each. */
export type DeviceNos = Pick<ReadonlySet<DeviceNo>, 'has'>;
/** Place of a record in the journal: from 1, rising in commit order, gaps only where something was dropped. */
export type Seq = number & { readonly [brand]: 'Seq' };

export type Channel = 'device' | 'log';

/** What was found out about a record when it came in; kept with it in the journal. */
export interface RecordMarks {
  /** Cut to the log size limit. */
  readonly truncated?: boolean;
  /** A NUL or an invalid byte was replaced. */
  readonly repaired?: boolean;
  /** No JSON object: kept raw, shown, never forwarded. */
  readonly quarantined?: boolean;
  /** Its data did not fit its action: kept and forwarded, but no table takes it. */
  readonly invalid?: boolean;
  /** Never forwarded although well-formed (an `activate` that was answered 503 with the line down). */
  readonly local?: boolean;
  /** A box below told a time of receipt that cannot be: the nearest that can stands there. */
  readonly clamped?: boolean;
}

/** One thing that a device sent, on its way into the journal. `payload` is copied before `append` returns. */
export interface IncomingRecord {
  readonly deviceNo: DeviceNo;
  readonly channel: Channel;
  readonly receivedAt: UnixMs;
  /** For channel `log`: `{model}/{sn}` as the device wrote it. Empty for channel `device`. */
  readonly logPath: string;
  readonly marks: RecordMarks;
  readonly payload: Uint8Array;
}

export interface JournalRecord extends IncomingRecord {
  readonly seq: Seq;
}

export type StoreErrorCode = 'disk_full' | 'read_only' | 'broken' | 'closed' | 'too_busy';
/** The operation did not happen: nothing of it is in the store. `message` says why and what to do. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string) {
    super(message);
    this.name = 'StoreError';
    this.code = code;
  }
}

export interface Journal {
  /**
   * Queues one record for the next commit. `settled` is called once: with null after the record is committed and synced,
   * with an error when nothing of it was stored. Calls are settled in the order of `append`.
   * When the queue is full (bytes waiting for the disk over a bound), or the tables are too far behind, it settles at once with `too_busy`;
   * `onDrain` and `congested` let a door stop reading before that.
   */
  append(record: IncomingRecord, settled: (error: StoreError | null) => void): void;
  readonly congested: boolean;
  onDrain(listener: () => void): void;
  /** The last committed seq, 0 when empty. */
  readonly lastSeq: Seq;
  /** Counts what was committed after `after` (the end of a segment) without opening it. */
  tally(after: Seq): Tally;
  /** Called after each commit with the new `lastSeq`. */
  onCommitted(listener: (lastSeq: Seq) => void): void;
  /**
   * Records after `after` in order, decoded from segments; one call returns the records of whole segments, at least one segment, at most
   * about `bytesMax`. `through` is where the next call goes on (it may be past the last record returned); at the end of the journal
   * `through` equals `lastSeq`.
   */
  read(after: Seq, options: JournalReading): { records: JournalRecord[]; through: Seq };
}

export interface JournalReading {
  readonly bytesMax: number;
  /** Only of these; segments without any of them are skipped cheaply. */
  readonly deviceNos?: DeviceNos;
  /** Of theirs only those: for the others nothing is made. */
  readonly wanted?: (deviceNo: DeviceNo, seq: number, channel: Channel) => boolean;
}

/** How many records of each device are to be forwarded, in whole segments after a place. */
export interface Tally {
  readonly through: Seq;
  readonly byDevice: ReadonlyMap<DeviceNo, number>;
}

export type ProductAccess = 'mqtt' | 'http' | 'both';

export interface Product {
  readonly productId: ProductId;
  readonly name: string;
  /** Default: the product_id. Stands in log topics and QR codes. */
  readonly model: string;
  readonly access: ProductAccess;
  /** Its devices are told of people and their features. */
  readonly faceFeatures: boolean;
  /** They are told features of type `pass` too: PINs in clear. */
  readonly passFeatures: boolean;
  readonly productKey: string;
  /** The product's key of the other environment, when it is told: only to name that mistake. */
  readonly otherEnvironmentKey: string | null;
  /** Staff let in more new devices than `admission.new_devices_per_hour` until then; null: never. */
  readonly newDevicesUntil: UnixMs | null;
}

export interface OfferedKey {
  readonly key: string;
  /** Of the `activate` that it answered. */
  readonly mid: string | null;
}

export interface Device {
  readonly deviceNo: DeviceNo;
  readonly deviceId: DeviceId;
  readonly productId: ProductId;
  readonly name: string;
  /** Named by the site file, not only seen. */
  readonly listed: boolean;
  /** What was said about telling it of people; null: nothing (people-data.ts). */
  readonly peopleData: PeopleDataWord | null;
  /** In force (or, while `keyConfirmedAt` is null, offered beside the product key until the first login with it). */
  readonly accessKey: string | null;
  readonly keyIssuedAt: UnixMs | null;
  /** First login with `accessKey`: from then on the product key is refused. */
  readonly keyConfirmedAt: UnixMs | null;
  /** Staff let the product key in again until then (after a factory reset). */
  readonly productKeyUntil: UnixMs | null;
  /** The mid of the `activate` that made the key: the same mid gets the same key again (CONTRACT 7). */
  readonly activationMid: string | null;
  /**
   * Handed over by further activations, the newest last; each of them opens. `accessKey` stays as it is until the first login
   * with one of these, which takes its place and voids the rest: an answer that was lost voids nothing.
   */
  readonly nextKeys: readonly OfferedKey[];
  /** Learned by asking the cloud: a password that was accepted there. Kept sealed. Only for devices whose key is not known. */
  readonly presentedPassword: string | null;
  readonly blocked: boolean;
  readonly firstSeenAt: UnixMs;
  /** Every record up to here is confirmed by the cloud, or parked. */
  readonly forwardedSeq: Seq;
  /** The same for the messages and for the logs: two queues (CONTRACT 5), of which one may be far ahead of the other. */
  readonly forwarded: Readonly<Record<Channel, Seq>>;
  /** Whose records of it are taken (CONTRACT 7): a box below, or this box; null until somebody has brought it. */
  readonly belongsTo: DeviceId | 'here' | null;
  /** Who said so: whoever brought it first, the site file, or staff. */
  readonly belongsBy: 'first' | 'site' | 'staff' | null;
}

/** A box below whose batches are taken. */
export interface BoxBelow {
  readonly boxId: DeviceId;
  readonly name: string;
}

/** Products, devices and boxes below in memory, as last committed; plain synchronous look-ups for the hot path. */
export interface Directory {
  product(id: ProductId): Product | undefined;
  device(id: DeviceId): Device | undefined;
  deviceByNo(no: DeviceNo): Device | undefined;
  products(): Iterable<Product>;
  devices(): Iterable<Device>;
  /** Undefined: it is not listed here, and its batches are not taken. */
  boxBelow(id: DeviceId): BoxBelow | undefined;
  boxesBelow(): Iterable<BoxBelow>;
  /** Called with the device that was changed, or null after a site was applied: then anything may be different. */
  onChange(listener: (changed: Device | null) => void): void;
}

export type Door = 'mqtt' | 'http';

export interface RefusalNote {
  readonly at: UnixMs;
  readonly door: Door;
  /** The client id as it was sent (cut to 80 characters). */
  readonly clientId: string;
  readonly address: string;
  readonly code: RefusalCode;
  readonly detail: string;
  /** How many it stands for; absent: one. */
  readonly times?: number;
}

export interface DeviceEvent {
  readonly at: UnixMs;
  readonly deviceNo: DeviceNo;
  /** Such as `connected`, `disconnected`, `foreign_subscribe`, `key_issued`, `mid_reused`, `keep_alive_out_of_range`. */
  readonly kind: string;
  readonly detail: string;
}

export interface InboxMessage {
  readonly id: number;
  readonly deviceNo: DeviceNo;
  readonly putAt: UnixMs;
  readonly payload: Uint8Array;
}

export interface ParkedRecord {
  readonly seq: Seq;
  readonly deviceNo: DeviceNo;
  readonly parkedAt: UnixMs;
  readonly code: number;
  readonly reason: string;
  /** A person asked to send it again; the forwarder takes it up. */
  readonly sendAgain: boolean;
}

export interface Confirmation {
  readonly deviceNo: DeviceNo;
  /** Null: of both (a batch holds both in the journal's order). */
  readonly channel: Channel | null;
  readonly upToSeq: Seq;
  /** Nothing of the device at or below it waits, of either channel; at most `upToSeq`. */
  readonly floorSeq: Seq;
  readonly at: UnixMs;
  readonly via: 'mqtt' | 'http' | 'batch';
}

/**
 * What the writer thread can do, by name: one list, `store/operations.ts`, runs them and types the proxy. Each resolves after its commit.
 * All take one plain object and return a plain value (they cross a thread).
 */
export interface StoreWrites
  extends DeviceWrites,
    OrganizationWrites,
    AccountWrites,
    ServiceWrites,
    ProvisioningWrites,
    StaffWrites {
  noteRefusal(input: RefusalNote): void;
  noteEvents(input: { events: readonly DeviceEvent[] }): void;

  /** Returns its id and how many of the oldest were dropped to stay within `max`. */
  putInbox(input: { deviceNo: DeviceNo; payload: Uint8Array; at: UnixMs; max: number }): {
    id: number;
    dropped: number;
  };
  removeInbox(input: { ids: readonly number[] }): void;

  confirm(input: { confirmations: readonly Confirmation[] }): void;
  /** The cursor of that device and channel moves past `seq`. */
  park(input: { seq: Seq; deviceNo: DeviceNo; channel: Channel; at: UnixMs; code: number; reason: string }): void;
  /** `seq` null: all of them. Returns how many. */
  sendParkedAgain(input: { seq: Seq | null }): number;
  /** The cloud took it after all, or (`keep`) refused it again with this reason. */
  settleParked(input: { seq: Seq; outcome: 'confirmed' | { code: number; reason: string }; at: UnixMs }): void;

  /** One batch of a box below: records and its cursor in one transaction. Lines with `seq` at or under the cursor are skipped. */
  receiveBatch(input: {
    boxNo: DeviceNo;
    epoch: string;
    records: readonly { seq: number; record: IncomingRecord }[];
    ackedSeq: number;
  }): { stored: number };

  /** Upserts what a site file lists; with `prune`, removes what it does not. Returns the plan it carried out. */
  applySite(input: { site: SiteData; prune: boolean; dryRun: boolean; at: UnixMs }): SiteChange[];

  /** Drops what retention allows now. */
  retire(input: { now: UnixMs }): RetireReport;

  /** Of the writer thread's heap: gives memory back after a start. */
  collectGarbage(input: Record<string, never>): void;
}

export interface RetireReport {
  readonly segments: number;
  readonly logs: number;
  readonly events: number;
}

export type StoreWriter = {
  [K in keyof StoreWrites]: (input: Parameters<StoreWrites[K]>[0]) => Promise<ReturnType<StoreWrites[K]>>;
};

export interface LogRow {
  readonly seq: Seq;
  readonly deviceNo: DeviceNo;
  readonly device_id: string;
  readonly model: string;
  readonly sn: string;
  readonly received_at: UnixMs;
  readonly text: string;
  readonly truncated: boolean;
  readonly repaired: boolean;
  /** `received_at` is the nearest time to what a box below told, which could not be. */
  readonly clamped: boolean;
}

export interface LogQuery {
  readonly model?: string;
  readonly sn?: string;
  readonly deviceNo?: DeviceNo;
  /** Inclusive, by time of receipt. */
  readonly from?: UnixMs;
  /** Exclusive. */
  readonly to?: UnixMs;
  /** Contained anywhere, without case. */
  readonly text?: string;
  /** Only after this seq (oldest first). */
  readonly after?: Seq;
  readonly limit: number;
}

/** Where one record is: the receipt for a punch. */
export interface LedgerRow {
  readonly seq: Seq;
  readonly channel: Channel;
  readonly mid: string;
  readonly action: number | null;
  /** What the device said, in seconds; null when it said nothing usable. */
  readonly deviceTime: UnixSeconds | null;
  /** Time of receipt; the acknowledgement went out after the commit that followed. */
  readonly receivedAt: UnixMs;
  /** `receivedAt` is the nearest time to what a box below told, which could not be. */
  readonly clamped: boolean;
  readonly state: 'waiting' | 'confirmed' | 'parked' | 'kept here';
  readonly confirmedAt: UnixMs | null;
  readonly via: string | null;
  readonly reason: string | null;
}

export interface StoreReader
  extends OrganizationReads,
    AccountReads,
    ServiceReads,
    ProvisioningReads,
    StaffReads,
    DayReads,
    DeviceReads,
    PeopleReads,
    SupportReads {
  inbox(deviceNo: DeviceNo, options: { limit: number; bytesMax: number }): Promise<InboxMessage[]>;
  parkedCount(): Promise<number>;
  parked(options?: { deviceNo?: DeviceNo; sendAgain?: boolean; limit?: number }): Promise<ParkedRecord[]>;
  /** Waiting for the cloud, by device: all journal records after its cursor that are to be forwarded. */
  waiting(through?: Seq): Promise<{ total: number; oldestAt: UnixMs | null; byDevice: Map<DeviceNo, number> }>;
  /** When the oldest record after `after` that waits for the cloud came in; null where none does. */
  oldestWaiting(after: Seq): Promise<UnixMs | null>;
  /** Logs of a device that the cloud confirmed at or after a moment. */
  confirmedLogs(deviceNo: DeviceNo, since: UnixMs): Promise<number>;
  record(seq: Seq): Promise<JournalRecord | null>;
  ledger(deviceNo: DeviceNo, options: { limit: number; before?: Seq }): Promise<LedgerRow[]>;
  refusals(options?: {
    clientId?: string;
    limit?: number;
  }): Promise<(RefusalNote & { count: number; firstAt: UnixMs })[]>;
  events(deviceNo: DeviceNo, limit: number): Promise<DeviceEvent[]>;
  logs(query: LogQuery): Promise<LogRow[]>;
  /** Logs that were stored for each device on that day (`YYYY-MM-DD` in the site's time zone), to go on counting after a restart. */
  logCounts(day: string): Promise<Map<DeviceNo, number>>;
  checkins(options: { after?: number; from?: UnixSeconds; to?: UnixSeconds; limit: number }): Promise<CheckInRow[]>;
  accessRecords(options: { after?: number; from?: UnixSeconds; to?: UnixSeconds; limit: number }): Promise<AccessRow[]>;
  lastSeen(): Promise<Map<DeviceNo, { readonly at: UnixMs; readonly clockSkewSeconds: number | null }>>;
  /** What `export --what site` writes; secrets only with `withSecrets`. */
  site(options: { withSecrets: boolean }): Promise<SiteData>;
  batchCursor(boxNo: DeviceNo, epoch: string): Promise<number>;
}

export interface StoreHealth {
  /** `ok`: writes are committed. Otherwise acknowledgements are withheld, and `why` says the reason and the remedy. */
  readonly state: 'ok' | 'disk_full' | 'read_only' | 'broken';
  readonly why: string;
  readonly usedBytes: number;
  readonly freeBytes: number;
  /** Records in the journal that the tables behind it do not hold yet. */
  readonly lagRecords: number;
  /** For how long the oldest of them is in the journal, to a second; since the start, for what stood there before. 0 for a stopped box. */
  readonly lagMs: number;
  /** The tables are so far behind that devices are not read until they have come nearer. */
  readonly heldBack: boolean;
  /** Dropped by the disk-full policy since the store was made, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
}

export interface Store extends AsyncDisposable {
  readonly journal: Journal;
  readonly write: StoreWriter;
  readonly read: StoreReader;
  readonly audit: Audit;
  readonly directory: Directory;
  /** Random id of this store, made when it is made or restored (CONTRACT 7, `Batch-Epoch`). */
  readonly epoch: string;
  health(): StoreHealth;
  /** How full its disk is, and when it will be. */
  room(): RoomReport;
  /** Since the store was opened. Cheap enough to be asked at any time; not for each message. */
  wear(): Wear;
  onHealthChange(listener: (health: StoreHealth) => void): void;
  /** Called after a person or a feature has changed, or who is told of them; with the device, where it concerns that one alone. */
  onPeopleChange(listener: (deviceNo: DeviceNo | null) => void): void;
  /** Resolves when the tables hold everything that was committed before the call. */
  catchUp(): Promise<void>;
  /** Writes one encrypted file with everything, while running. Resolves when it is complete and synced; throws BackupRefused. */
  backup(request: BackupRequest): Promise<BackupWritten & { records: number }>;
}
