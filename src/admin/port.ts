import type { SiteFile, SiteProblem } from '../config/index.ts';
import type { Check, DoctorRun } from '../platform/checks.ts';
import type { UnixMs } from '../runtime/clock.ts';
import type { SiteChange, SiteData } from '../store/index.ts';
import type { AttendanceAdmin } from './attendance.ts';
import type { AuditAdmin } from './audit.ts';
import type { BackupAdmin } from './backups.ts';
import type { DeviceAdmin } from './device.ts';
import type { DiskAdmin } from './disk.ts';
import type { GrantAdmin } from './grants.ts';
import type { ParkedAdmin } from './parked.ts';
import type { ProvisionAdmin } from './provision-port.ts';
import type { ServiceAdmin } from './services.ts';
import type { SessionAdmin } from './sessions.ts';
import type { SetupAdmin } from './setup.ts';
import type { StatusAdmin } from './status.ts';
import type { TokenAdmin } from './tokens.ts';
import type { UpdateAdmin } from './updates.ts';
import type { UserAdmin } from './users.ts';

export const exportables = ['checkins', 'access', 'logs', 'checkin-report', 'access-report'] as const;

export type Exportable = (typeof exportables)[number];

export interface RowFilter {
  readonly device_id?: string;
  readonly model?: string;
  readonly sn?: string;
  /** Inclusive. By time of receipt for logs, by check_time for the others. */
  readonly from?: UnixMs;
  /** Exclusive. */
  readonly to?: UnixMs;
  readonly text?: string;
  /** Of access records: with the photos taken at the door, which are left out otherwise. */
  readonly with_photos?: boolean;
  /** Of reports: an external id, with the departments below it. */
  readonly department?: string;
  /** Of reports: an external id. */
  readonly person?: string;
  /** Only rows after this place: the seq of a log, the id of the others. */
  readonly after?: number;
  /** Ends the search, without an error: the caller has gone away. */
  readonly signal?: AbortSignal;
}

export type ApplyOutcome =
  | { readonly ok: true; readonly changes: readonly SiteChange[] }
  | { readonly ok: false; readonly problems: readonly SiteProblem[] };

/** How names and codes of devices are made here (SPEC 2.3, 2.4), and for which products. */
export interface NamingReport {
  readonly vendor: string;
  readonly qr_base_url: string;
  readonly app_type: string;
  readonly app_id: string;
  /** The language of the site, such as `zh-CN`. */
  readonly locale: string;
  readonly products: readonly { readonly product_id: string; readonly model: string; readonly name: string }[];
}

export interface DevicePage {
  /** Ordered by id. */
  readonly devices: readonly {
    readonly device_id: string;
    readonly product_id: string;
    readonly name: string;
    /** That of its product. */
    readonly model: string;
  }[];
  /** Where the next page goes on; null: this was the last. */
  readonly cursor: string | null;
}

/** The QR code of a device: its text, and what stands in it. */
export interface CodeReport {
  readonly content: string;
  readonly form: string;
  readonly device_id: string;
  readonly product_id: string;
  readonly model: string;
  /** Null in the legacy forms, and so is `app_id`. */
  readonly app_type: string | null;
  readonly app_id: string | null;
  readonly func_type: string;
  readonly status: number | null;
  readonly broadcast_name: string;
}

/**
 * What can be asked of a box, running (over its socket) or stopped (on its store): one interface
 * for the commands.
 */
export interface BoxAdmin extends AsyncDisposable, ProvisionAdmin {
  readonly updates: UpdateAdmin;
  readonly backups: BackupAdmin;
  readonly status: StatusAdmin;
  readonly device: DeviceAdmin;
  readonly parked: ParkedAdmin;
  readonly attendance: AttendanceAdmin;
  readonly setup: SetupAdmin;
  naming(): Promise<NamingReport>;
  /** Registered devices after the id `after`; `limit` is 1 to 1000. */
  devices(query: { product?: string; after?: string; limit: number }): Promise<DevicePage>;
  apply(input: { site: SiteFile; prune: boolean; dryRun: boolean }): Promise<ApplyOutcome>;
  site(options: { withSecrets: boolean }): Promise<SiteData>;
  /** Oldest first. */
  rows(what: Exportable, filter: RowFilter): AsyncIterable<Record<string, unknown>>;
  readonly services: ServiceAdmin;
  readonly grants: GrantAdmin;
  readonly sessions: SessionAdmin;
  readonly users: UserAdmin;
  readonly tokens: TokenAdmin;
  readonly audit: AuditAdmin;
  readonly disk: DiskAdmin;
  /**
   * Tells each check as it is done. False: another run is not done yet. Throws on a stopped box.
   */
  doctor(what: DoctorRun, told: (check: Check) => Promise<void> | void, signal?: AbortSignal): Promise<boolean>;
}
