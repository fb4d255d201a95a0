import type { licences } from '../../runtime/licences.ts';
import type { HolidayAnswer } from '../../services/index.ts';

export type { Check, CheckName, CheckState } from '../../platform/checks.ts';
export type { BundleReport, LastUpdate, UpdateReport } from '../../updates/index.ts';

import type { RecoveryKeyReport } from '../backups.ts';
import type { WearReport } from '../status-report.ts';

export type { WearReport } from '../status-report.ts';

export interface BackupReport {
  readonly last_at: number | null;
  /** To which the next backup is encrypted; null: none was made yet. */
  readonly recovery_key: RecoveryKeyReport | null;
}

export interface SystemReport {
  readonly version: string;
  readonly environment: 'test' | 'production';
  readonly uptime_ms: number;
  /** The box's clock when it answered. */
  readonly now: number;
  readonly timezone: string;
  /** Whether the system says that the network sets its clock; null: it says nothing of it. */
  readonly ntp: boolean | null;
  readonly disk: {
    readonly used_bytes: number;
    readonly free_bytes: number;
    readonly state: string;
    readonly why: string;
    /**
     * Until something has to be dropped, at the rate of the last week; null: too early to say, or
     * nothing grows.
     */
    readonly days_left: number | null;
    /** Null: too early to say, before there is a day of measuring. */
    readonly grows: boolean | null;
    readonly wear: WearReport;
  };
  readonly memory_bytes: number;
  /** For admins alone. */
  readonly data_dir: string | null;
  readonly last_backup_at: number | null;
  /** Backups can be made. */
  readonly has_recovery_key: boolean;
}

export interface CertificateReport {
  readonly subject: string;
  readonly issuer: string;
  /** Such as `AB:12:…`, to be compared with what a device shows. */
  readonly sha256: string;
  readonly until: number;
  readonly names: readonly string[];
}

export interface CertificatesReport {
  /** Made by the box itself; false: the site gave it one. */
  readonly own_authority: boolean;
  readonly ca: CertificateReport;
  /** What is shown to devices and browsers. */
  readonly served: CertificateReport;
}

export interface HolidaysReport {
  /** This year and the next, as the box has them. */
  readonly years: readonly HolidayAnswer[];
}

export interface AboutReport {
  readonly version: string;
  readonly node: string;
  readonly target: string;
  readonly licences: typeof licences;
}
