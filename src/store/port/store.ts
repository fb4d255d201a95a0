import type { Audit } from '../audit/log.ts';
import type { BackupRequest, BackupWritten } from '../data-dir/backup.ts';
import type { AccountReads, AccountWrites } from './accounts.ts';
import type { HealthStore, RoomStore, StoreHealth, WearStore } from './condition.ts';
import type { DayReads } from './day.ts';
import type { DeviceReads, DeviceWrites } from './devices.ts';
import type { DirectoryStore } from './directory.ts';
import type { ForwardingReads, ForwardingWrites } from './forwarding.ts';
import type { GatewayReads, GatewayWrites } from './gateway.ts';
import type { DeviceNo, JournalStore } from './journal.ts';
import type { OrganizationReads, OrganizationWrites } from './organization.ts';
import type { Committed, StorePart } from './part.ts';
import type { PeopleReads } from './people.ts';
import type { ProvisioningReads, ProvisioningWrites } from './provisioning.ts';
import type { RecordReads } from './records.ts';
import type { RetentionWrites } from './retention.ts';
import type { ServiceReads, ServiceWrites } from './services.ts';
import type { SiteReads, SiteWrites } from './site.ts';
import type { StaffReads, StaffWrites } from './staff.ts';
import type { SupportReads } from './support.ts';

/**
 * What the writer thread can do, by name: one list, `store/writer/operations.ts`, runs them and
 * types the proxy. Each resolves after its commit. All take one plain object and return a plain
 * value (they cross a thread).
 */
export interface StoreWrites
  extends DeviceWrites,
    OrganizationWrites,
    AccountWrites,
    ServiceWrites,
    ProvisioningWrites,
    StaffWrites,
    GatewayWrites,
    ForwardingWrites,
    SiteWrites,
    RetentionWrites {
  /** Of the writer thread's heap: gives memory back after a start. */
  collectGarbage(input: Record<string, never>): void;
}

export type StoreWriter = Committed<StoreWrites>;

export interface StoreReader
  extends OrganizationReads,
    AccountReads,
    ServiceReads,
    ProvisioningReads,
    StaffReads,
    DayReads,
    DeviceReads,
    PeopleReads,
    RecordReads,
    SiteReads,
    SupportReads,
    GatewayReads,
    ForwardingReads {}

export interface AuditStore {
  readonly audit: Audit;
}

export interface BackupStore {
  /**
   * Writes one encrypted file with everything, while running. Resolves when it is complete and
   * synced; throws BackupRefused.
   */
  backup(request: BackupRequest): Promise<BackupWritten & { records: number }>;
}

export interface CatchUpStore {
  /** Resolves when the tables hold everything that was committed before the call. */
  catchUp(): Promise<void>;
}

/** All of the store. Only the composition root (`box/`) and the commands that open one hold it. */
export interface Store
  extends StorePart<StoreReader, StoreWrites>,
    JournalStore,
    DirectoryStore,
    AuditStore,
    HealthStore,
    RoomStore,
    WearStore,
    CatchUpStore,
    BackupStore,
    AsyncDisposable {
  /**
   * The same on the calling thread, which it holds: for a site that is applied before the box
   * listens, when nobody waits. No reader thread is started for it.
   */
  readonly readHere: SiteReads;
  /** Random id of this store, made when it is made or restored (CONTRACT 7, `Batch-Epoch`). */
  readonly epoch: string;
  onHealthChange(listener: (health: StoreHealth) => void): void;
  /**
   * Called after a person or a feature has changed, or after a device was allowed or forbidden to
   * have them; with the device, where it concerns that one alone.
   */
  onPeopleChange(listener: (deviceNo: DeviceNo | null) => void): void;
}
