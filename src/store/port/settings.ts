import type { SiteChoice } from '../../platform/site.ts';

/** The part of the store's port for what was chosen on the page Settings. */

export interface SettingWrites {
  /**
   * Replaces what was chosen. `timeZone`: the one in force from now on; logs that the tables do not
   * hold yet are counted on its days.
   */
  keepSiteChoice(input: { readonly chosen: SiteChoice; readonly timeZone: string }): void;
}

export interface SettingReads {
  /** Empty: nothing was chosen. */
  siteChoice(): Promise<SiteChoice>;
}
