import type { SiteFile, SiteProblem } from '../config/index.ts';
import type { UnixMs } from '../runtime/clock.ts';
import type { SiteChange, SiteData } from '../store/index.ts';
import type { Resources } from './resources.ts';

export const exportables = ['checkins', 'access', 'logs', 'checkin-report', 'access-report'] as const;

export type Exportable = (typeof exportables)[number];

export interface RowFilter {
  readonly device_id?: string;
  /** Of the devices of this box below; `here`: of those of no box below. */
  readonly box?: string;
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
 * Interface of a box, running (over its socket) or stopped (on its store): one interface for the
 * commands.
 */
export interface BoxAdmin extends AsyncDisposable, Resources {
  apply(input: { site: SiteFile; prune: boolean; dryRun: boolean }): Promise<ApplyOutcome>;
  site(options: { withSecrets: boolean }): Promise<SiteData>;
  /** Oldest first. */
  rows(what: Exportable, filter: RowFilter): AsyncIterable<Record<string, unknown>>;
}
