import type { UnixMs } from '../../runtime/clock.ts';
import type { MovePath, SiteChange, SiteData } from '../site/data.ts';
import type { StorePart } from './part.ts';

/** The part of the store's port for what a site file lists (CONTRACT 3). */

export interface SiteWrites {
  /**
   * Upserts what a site file lists; with `prune`, removes what it does not. Returns the plan it
   * carried out, or with `dryRun` would carry out. `last_admin`: nothing was written, since it
   * takes the role of the last admin, or removes the person. `notYet`: nor was it, since these
   * moves lie after the site's date.
   */
  applySite(input: {
    site: SiteData;
    prune: boolean;
    dryRun: boolean;
    at: UnixMs;
  }): SiteChange[] | 'last_admin' | { readonly notYet: readonly MovePath[] };
}

export interface SiteReads {
  /** Data of `export --what site`; secrets only with `withSecrets`. */
  site(options: { withSecrets: boolean }): Promise<SiteData>;
}

export type SiteStore = StorePart<SiteReads, SiteWrites>;
