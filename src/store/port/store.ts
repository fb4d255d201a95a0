import type { Reason } from '../../words/sentences.ts';
import type { HealthStore, RoomStore, StoreHealth, WearStore } from '../condition.ts';
import type { BackupRequest, BackupWritten } from '../data-dir/backup.ts';
import type { Committed, StorePart } from '../domain.ts';
import type { Audit } from '../domains/audit/log.ts';
import type { DomainReads, DomainWrites } from '../domains/index.ts';
import type { RetentionWrites } from '../domains/room.ts';
import type { BulkChangeReads, BulkChangeWrites } from '../people/bulk-changes.ts';
import type { DayReads } from '../readers/day.ts';
import type { DeviceReads, DeviceWrites } from '../readers/devices.ts';
import type { SiteReads, SiteWrites } from '../site/data.ts';
import type { DirectoryStore } from './directory.ts';
import type { DeviceNo, JournalStore, Seq } from './journal.ts';
import type { OrganizationReads, OrganizationWrites } from './organization.ts';
import type { PeopleReads } from './people.ts';
import type { RecordReads } from './records.ts';
import type { ClaimStore, Lease, Processes, SharedStore } from './region.ts';

/**
 * The operations of the writer thread by name: one list, `store/writer/operations.ts`, runs them
 * and types the proxy. Each resolves after its commit. All take one plain object and return a plain
 * value, since they cross threads.
 */
export interface StoreWrites
  extends DomainWrites,
    DeviceWrites,
    BulkChangeWrites,
    OrganizationWrites,
    SiteWrites,
    RetentionWrites {
  /** Runs the garbage collector of the writer thread: gives memory back after a start. */
  collectGarbage(input: Record<string, never>): void;
}

export type StoreWriter = Committed<StoreWrites>;

export interface StoreReader
  extends DomainReads,
    OrganizationReads,
    DayReads,
    DeviceReads,
    BulkChangeReads,
    PeopleReads,
    RecordReads,
    SiteReads {}

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

export interface WholeStore {
  /**
   * For a statement about people, such as a month: resolves with the last record that was committed
   * before the call, once the tables hold all up to it. Throws TablesBehind where they do not
   * within `withinMs` (absent: longer than they may be behind, journal/lag.ts), StoreError where
   * they cannot.
   */
  whole(withinMs?: number): Promise<Seq>;
}

export interface LevelStore {
  /**
   * The same, for whoever shows what the tables hold: they rest while nobody asks. Under load, when
   * they do not rest, it resolves at once, and otherwise after a second at most.
   */
  level(): Promise<void>;
}

/** Where a thread opens the reads of a running store (`openOwnReader`); holds secrets. */
export type ReaderAddress = { readonly sealKey: Uint8Array; readonly hasCloud: boolean } & (
  | { readonly dataDir: string }
  | { readonly url: string }
);

export interface ReaderAddressStore {
  readonly readerAddress: ReaderAddress;
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
    WholeStore,
    LevelStore,
    BackupStore,
    ReaderAddressStore,
    ClaimStore,
    SharedStore,
    AsyncDisposable {
  /**
   * Reads on the calling thread, which it blocks: for a site that is applied before the box
   * listens. Starts no reader thread.
   */
  readonly readHere: SiteReads;
  /** Random id of this store, made when it is made or restored (CONTRACT 7, `Batch-Epoch`). */
  readonly epoch: string;
  /** The lease to forward to the cloud. */
  readonly forwarding: Lease;
  /**
   * The lease for everything else that has to be done once: alerts, webhooks, retention and the
   * other background jobs.
   */
  readonly once: Lease;
  readonly processes: Processes;
  onHealthChange(listener: (health: StoreHealth) => void): void;
  /**
   * Warnings about the database of a region, although it may work: a sentence each, with the
   * remedy. Empty for a file.
   */
  databaseWarnings(): readonly Reason[];
  /**
   * Resolves with the reason when a connection to the database of a region has broken, or another
   * process has fenced this one. Nobody knows what became of the last commit, and nothing is
   * acknowledged from then on: the process has to start again. Never for a file.
   */
  readonly lost: Promise<string>;
  /**
   * Called after a person or a feature has changed, or after a device was allowed or forbidden to
   * receive them; with the device, if only that one is concerned.
   */
  onPeopleChange(listener: (deviceNo: DeviceNo | null) => void): void;
}
