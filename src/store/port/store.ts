import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { Audit } from '../audit/log.ts';
import type { BackupRequest, BackupWritten } from '../data-dir/backup.ts';
import type { SiteChange, SiteData } from '../site/data.ts';
import type { RoomReport } from '../writer/room-report.ts';
import type { Wear } from '../writer/wear.ts';
import type { AccountReads, AccountWrites } from './accounts.ts';
import type { DayReads } from './day.ts';
import type { DeviceReads, DeviceWrites } from './devices.ts';
import type { Directory } from './directory.ts';
import type { ForwardingReads, ForwardingWrites } from './forwarding.ts';
import type { GatewayReads, GatewayWrites } from './gateway.ts';
import type { DeviceNo, Journal, LedgerRow, LogQuery, LogRow, Seq } from './journal.ts';
import type { OrganizationReads, OrganizationWrites } from './organization.ts';
import type { Committed } from './part.ts';
import type { PeopleReads } from './people.ts';
import type { ProvisioningReads, ProvisioningWrites } from './provisioning.ts';
import type { AccessRow, CheckInRow } from './records.ts';
import type { ServiceReads, ServiceWrites } from './services.ts';
import type { StaffReads, StaffWrites } from './staff.ts';
import type { SupportReads } from './support.ts';

/**
 * What the writer thread can do, by name: one list, `store/operations.ts`, runs them and types the
 * proxy. Each resolves after its commit. All take one plain object and return a plain value (they
 * cross a thread).
 */
export interface StoreWrites
  extends DeviceWrites,
    OrganizationWrites,
    AccountWrites,
    ServiceWrites,
    ProvisioningWrites,
    StaffWrites,
    GatewayWrites,
    ForwardingWrites {
  /**
   * Upserts what a site file lists; with `prune`, removes what it does not. Returns the plan it
   * carried out.
   */
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

export type StoreWriter = Committed<StoreWrites>;

/** Check-ins or access records in the order of their ids, which is that of report. */
export interface RecordQuery {
  readonly after?: number;
  /** Inclusive, by check time. */
  readonly from?: UnixSeconds;
  /** Exclusive. */
  readonly to?: UnixSeconds;
  readonly limit: number;
  /** Ends the search: the caller has gone away. */
  readonly signal?: AbortSignal | undefined;
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
    SupportReads,
    GatewayReads,
    ForwardingReads {
  ledger(deviceNo: DeviceNo, options: { limit: number; before?: Seq }): Promise<LedgerRow[]>;
  logs(query: LogQuery): Promise<LogRow[]>;
  checkins(query: RecordQuery): Promise<CheckInRow[]>;
  accessRecords(query: RecordQuery): Promise<AccessRow[]>;
  lastSeen(): Promise<Map<DeviceNo, { readonly at: UnixMs; readonly clockSkewSeconds: number | null }>>;
  /** What `export --what site` writes; secrets only with `withSecrets`. */
  site(options: { withSecrets: boolean }): Promise<SiteData>;
}

export interface StoreHealth {
  /**
   * `ok`: writes are committed. Otherwise acknowledgements are withheld, and `why` says the reason
   * and the remedy.
   */
  readonly state: 'ok' | 'disk_full' | 'read_only' | 'broken';
  readonly why: string;
  readonly usedBytes: number;
  readonly freeBytes: number;
  /** Records in the journal that the tables behind it do not hold yet. */
  readonly lagRecords: number;
  /**
   * For how long the oldest of them is in the journal, to a second; since the start, for what stood
   * there before. 0 for a stopped box.
   */
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
  /**
   * The same on the calling thread, which it holds: for a site that is applied before the box
   * listens, when nobody waits. No reader thread is started for it.
   */
  readonly readHere: Pick<StoreReader, 'site'>;
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
  /**
   * Called after a person or a feature has changed, or who is told of them; with the device, where
   * it concerns that one alone.
   */
  onPeopleChange(listener: (deviceNo: DeviceNo | null) => void): void;
  /** Resolves when the tables hold everything that was committed before the call. */
  catchUp(): Promise<void>;
  /**
   * Writes one encrypted file with everything, while running. Resolves when it is complete and
   * synced; throws BackupRefused.
   */
  backup(request: BackupRequest): Promise<BackupWritten & { records: number }>;
}
