import type { MirrorStatus, RefusedAttendanceCall } from '../attendance/index.ts';
import type { SiteFile, SiteProblem } from '../config/index.ts';
import type { Check, DoctorRun } from '../platform/checks.ts';
import type { UnixMs } from '../runtime/clock.ts';
import type { PeopleDataState, SiteChange, SiteData } from '../store/index.ts';
import type { AuditAdmin } from './audit.ts';
import type { BackupAdmin } from './backups.ts';
import type { DiskAdmin } from './disk.ts';
import type { ErasureReport } from './erasures.ts';
import type { GrantAdmin } from './grants.ts';
import type { ProvisionAdmin } from './provision-port.ts';
import type { ServiceAdmin } from './services.ts';
import type { SessionAdmin } from './sessions.ts';
import type { BoxStatus, LineReport, RefusalReport } from './status-report.ts';
import type { TokenAdmin } from './tokens.ts';
import type { UpdateAdmin } from './update-port.ts';
import type { UserAdmin } from './users.ts';

export interface LedgerReport {
  readonly seq: number;
  readonly channel: string;
  readonly mid: string;
  readonly action: number | null;
  /** Seconds, as the device said. */
  readonly device_time: number | null;
  readonly received_at: UnixMs;
  /** The clock of a box below was wrong: `received_at` is the nearest time that can be. */
  readonly clamped: boolean;
  /** `waiting`, `confirmed`, `parked`, `kept here`. */
  readonly state: string;
  readonly confirmed_at: UnixMs | null;
  readonly via: string | null;
  readonly reason: string | null;
}

export interface DeviceReport {
  readonly device_id: string;
  readonly known: boolean;
  readonly name: string;
  /** Null on a stopped box. */
  readonly online: boolean | null;
  readonly last_seen_at: UnixMs | null;
  /**
   * Seconds by which its clock was ahead of the box's when it last told a time; null when it never
   * did.
   */
  readonly clock_skew_s: number | null;
  readonly blocked: boolean;
  /** Whether it is told of people; `none`: devices of its product never are. */
  readonly people_data: PeopleDataState;
  /** Which key it logs in with. */
  readonly key: 'product key' | 'device key' | 'device key, not yet used' | 'verified by the cloud' | 'none';
  readonly waiting: number;
  /** Its own session at the cloud; null where it has none. */
  readonly line: LineReport | null;
  readonly ledger: readonly LedgerReport[];
  readonly refusals: readonly RefusalReport[];
  readonly events: readonly { readonly at: UnixMs; readonly kind: string; readonly detail: string }[];
}

/** How the organization and its records stand. */
export interface AttendanceReport {
  /** Null on a stopped box. */
  readonly authority: 'cloud' | 'box' | null;
  readonly people: number;
  readonly departments: number;
  /** From when on check-ins are handed out; null before `checkin_query_init`. */
  readonly initialized_at: UnixMs | null;
  /** Check-ins of people whom the organization does not know. */
  readonly unresolved: {
    readonly records: number;
    readonly people: readonly {
      readonly ext_id: string;
      readonly employee_num: string;
      readonly records: number;
      readonly ambiguous: boolean;
      readonly last_at: UnixMs;
    }[];
  };
  /** Terminals whose clock was off when they last told a time. */
  readonly wrong_clocks: readonly { readonly device_id: string; readonly clock_skew_s: number }[];
  readonly mirror: MirrorStatus | null;
  readonly writes: {
    readonly waiting: number;
    readonly refused: readonly {
      readonly id: number;
      readonly at: UnixMs;
      readonly subject: string;
      readonly path: string;
      readonly caller: string;
      readonly code: number | null;
      readonly reason: string | null;
    }[];
  };
  readonly conflicts: readonly {
    readonly id: number;
    readonly at: UnixMs;
    readonly subject: string;
    readonly cloud: Readonly<Record<string, unknown>> | null;
    readonly box: Readonly<Record<string, unknown>>;
  }[];
  readonly erasures: readonly ErasureReport[];
  /** The last calls of the attendance API that were refused, newest first. */
  readonly refused_calls: readonly RefusedAttendanceCall[];
}

export interface ParkedReport {
  readonly seq: number;
  readonly device_id: string;
  readonly parked_at: UnixMs;
  readonly code: number;
  readonly reason: string;
  readonly send_again: boolean;
}

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

/** How the box's own network was set up, or is being set up by a phone. */
export interface SetupReport {
  /** `stopped`: what the store tells. The others: docs/provisioning.md. */
  readonly mode: 'off' | 'stopped' | 'ready' | 'waiting' | 'opening' | 'open' | 'trying';
  readonly since: UnixMs | null;
  readonly why: string;
  /** The broadcast name; null on a stopped box. */
  readonly name: string | null;
  /** Where the hotspot's page is now. */
  readonly hotspot: string | null;
  /** Null: phones can find the box by Bluetooth. Otherwise why not. */
  readonly bluetooth: string | null;
  /** In the codes of SPEC 3.4 and 7.6. */
  readonly last: {
    readonly status: number;
    readonly error: number | null;
    readonly says: string;
    readonly ssid: string;
    readonly at: UnixMs;
  } | null;
}

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
export interface BoxAdmin extends AsyncDisposable, ProvisionAdmin, BackupAdmin {
  readonly updates: UpdateAdmin;
  status(): Promise<BoxStatus>;
  device(deviceId: string, options: { limit: number }): Promise<DeviceReport>;
  naming(): Promise<NamingReport>;
  /** Registered devices after the id `after`; `limit` is 1 to 1000. */
  devices(query: { product?: string; after?: string; limit: number }): Promise<DevicePage>;
  apply(input: { site: SiteFile; prune: boolean; dryRun: boolean }): Promise<ApplyOutcome>;
  site(options: { withSecrets: boolean }): Promise<SiteData>;
  /** Oldest first. */
  rows(what: Exportable, filter: RowFilter): AsyncIterable<Record<string, unknown>>;
  attendance(): Promise<AttendanceReport>;
  /**
   * Fetches the organization from the cloud now. Answers null where the box is its authority.
   * Throws on a stopped box.
   */
  syncOrganization(): Promise<AttendanceReport['mirror']>;
  /**
   * What the cloud refused is queued once more, or taken off the list; false when there is no such
   * entry.
   */
  settleRefusedWrite(id: number, what: 'again' | 'dismiss'): Promise<boolean>;
  dismissConflict(id: number): Promise<boolean>;
  setup(): Promise<SetupReport>;
  /** Of the box's hotspot; the key null: it is open, or not yet made. */
  hotspot(): Promise<{ readonly name: string | null; readonly key: string | null }>;
  /**
   * Forgets the wifi network, so that a phone can set the box up again. Throws where wifi is off.
   */
  resetNetwork(): Promise<void>;
  /**
   * Removes everything that the box holds, and restarts it as it left the shelf. `name` is that
   * of the site, as a person typed it. Throws on a stopped box.
   */
  resetAll(name: string): Promise<'wrong_name' | 'starts_anew' | 'at_next_start'>;
  readonly services: ServiceAdmin;
  readonly grants: GrantAdmin;
  readonly sessions: SessionAdmin;
  readonly users: UserAdmin;
  readonly tokens: TokenAdmin;
  readonly audit: AuditAdmin;
  readonly disk: DiskAdmin;
  parked(): Promise<ParkedReport[]>;
  /** Null: all. Answers how many. */
  sendAgain(seq: number | null): Promise<number>;
  /**
   * Tells each check as it is done. False: another run is not done yet. Throws on a stopped box.
   */
  doctor(what: DoctorRun, told: (check: Check) => Promise<void> | void, signal?: AbortSignal): Promise<boolean>;
}
