/**
 * Names on every label of a site: the platform's name in broadcast names and codes (config `box`),
 * and the language of the site.
 */
export interface Naming {
  /** The fixed prefix of broadcast names (SPEC 2.3). */
  readonly vendor: string;
  readonly qrBaseUrl: string;
  readonly appType: string;
  readonly appId: string;
  /** Locale, such as `zh-CN`. */
  readonly locale: string;
}
