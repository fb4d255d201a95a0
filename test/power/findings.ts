/** What is wrong with a store after a cut, one sentence each. All empty: it is as it must be. */
export interface Findings {
  /** Acknowledged, and not there. */
  readonly lost: string[];
  /** There, and not in the order in which its device sent it. */
  readonly outOfOrder: string[];
  /** The file system, the store or a part of it cannot be read, or is not what was sent. */
  readonly unreadable: string[];
  /** Tables, cursors, counts or the audit log that do not fit the journal. */
  readonly inconsistent: string[];
}

export const faultNames = ['lost', 'outOfOrder', 'unreadable', 'inconsistent'] as const satisfies (keyof Findings)[];

export const nothingFound = (): Findings => ({ lost: [], outOfOrder: [], unreadable: [], inconsistent: [] });

export const isGood = (findings: Findings): boolean => faultNames.every(name => findings[name].length === 0);

/** For people: the first of each kind, and how many more. */
export const said = (findings: Findings): string =>
  faultNames
    .filter(name => findings[name].length > 0)
    .map(name => {
      const [first, ...more] = findings[name];
      return `${name}: ${first}${more.length > 0 ? ` (and ${more.length} more)` : ''}`;
    })
    .join('; ');
