import type { SiteFile, SiteProblem } from '../config/index.ts';
import type { UnixMs } from '../runtime/clock.ts';
import type { SiteChange, SiteData } from '../store/index.ts';
import type { AttendanceAdmin } from './attendance.ts';
import type { AuditAdmin } from './audit.ts';
import type { BackupAdmin } from './backups.ts';
import type { DeviceAdmin } from './device.ts';
import type { DeviceListAdmin } from './device-list.ts';
import type { DiskAdmin } from './disk.ts';
import type { DoctorAdmin } from './doctor.ts';
import type { GrantAdmin } from './grants.ts';
import type { NamingAdmin } from './naming.ts';
import type { ParkedAdmin } from './parked.ts';
import type { ProvisionAdmin } from './provision.ts';
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

/**
 * What can be asked of a box, running (over its socket) or stopped (on its store): one interface
 * for the commands.
 */
export interface BoxAdmin extends AsyncDisposable {
  readonly updates: UpdateAdmin;
  readonly backups: BackupAdmin;
  readonly provision: ProvisionAdmin;
  readonly doctor: DoctorAdmin;
  readonly status: StatusAdmin;
  readonly device: DeviceAdmin;
  readonly parked: ParkedAdmin;
  readonly attendance: AttendanceAdmin;
  readonly setup: SetupAdmin;
  readonly naming: NamingAdmin;
  readonly devices: DeviceListAdmin;
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
}
