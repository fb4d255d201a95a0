/** The names under which this browser keeps what its reader chose. */
export const kept = {
  theme: 'gatehouse-theme',
  density: 'gatehouse-density',
  language: 'gatehouse-language',
  /** Separator of CSV files. */
  separator: 'gatehouse-separator',
  /** Name of the site; there is one while somebody is signed in. */
  site: 'gatehouse-site',
  /** Flag that boxes below are listed at the box. */
  boxes: 'gatehouse-boxes',
  /** The last number of a drill of the card that this browser has shown. */
  drill: 'gatehouse-drill',
  /** Flag that the reader wants no offer to install the pages. */
  noInstall: 'gatehouse-no-install',
} as const;
