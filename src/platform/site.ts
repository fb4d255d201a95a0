/**
 * Name, time zone and language of the site. An admin can change them while the box runs: each
 * property is the value in force when it is read. Keep the object and read it at each use; do not
 * copy its properties when a part is opened.
 */
export interface Site {
  readonly name: string;
  readonly timezone: string;
  /** Locale, such as `zh-CN`. */
  readonly locale: string;
}

/** Values chosen on the page Settings. */
export type SiteChoice = { readonly [Key in keyof Site]?: Site[Key] | undefined };
