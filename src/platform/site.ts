/**
 * What people call the site, its time zone and its language. An admin can change them while the
 * box runs: each property is the value in force when it is read. Keep the object and read it at
 * each use; do not copy its properties when a part is opened.
 */
export interface Site {
  readonly name: string;
  readonly timezone: string;
  /** Such as `zh-CN`. */
  readonly locale: string;
}

/** What was chosen on the page Settings. */
export type SiteChoice = { readonly [Key in keyof Site]?: Site[Key] | undefined };
