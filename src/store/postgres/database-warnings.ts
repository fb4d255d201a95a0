/** Warnings about a database that is broken, or works in a way that should not last. */
export const databaseWords = {
  noStandby:
    'the database has no synchronous standby: what is acknowledged can be lost with the primary; set synchronous_mode in Patroni, or synchronous_standby_names',
  standbyAway:
    'no synchronous standby is connected to the database: nothing is acknowledged until one is; see that it runs and reaches the primary',
  standbySilent:
    'a synchronous standby does not confirm what is committed: nothing is acknowledged until it does; see its disk and its network',
  silent:
    'the database does not answer: nothing is acknowledged until it does; see that its server runs, and what holds its locks',
  ownFiles:
    'files are known to one process only: write a directory that all processes share to store.files of each of them',
} as const;

export const slowDatabase = (ms: number): string =>
  `the database is slow: a write waited ${(ms / 1000).toFixed(1)} s for its commit; see the disks of its server and of its synchronous standby`;

/** From here on a database counts as slow. */
const slowMs = 700;

/** Findings of one check of the database. */
export interface DatabaseLook {
  /** The setting `synchronous_standby_names`; empty: a commit waits for nobody. */
  readonly names: string;
  /** The setting `synchronous_commit`. */
  readonly commits: string;
  /** Standbys that are connected. */
  readonly connected: number;
  /** Those of them on which commits wait; null: this user is not allowed to see it. */
  readonly synchronous: number | null;
  /** A commit of this user waits for a standby now. */
  readonly waits: boolean;
  /** Processes of the region. */
  readonly processes: number;
}

/** A commit waits for a standby. */
const isSynchronous = ({ names, commits }: DatabaseLook): boolean =>
  names !== '' && commits !== 'off' && commits !== 'local';

const isAway = ({ connected, synchronous }: DatabaseLook): boolean => connected === 0 || synchronous === 0;

/**
 * A sentence for each thing that is wrong. `slowestMs`: the longest time that a write has waited
 * lately. `sharesFiles`: this process keeps files where the others do.
 */
export function warningsOf(look: DatabaseLook | null, slowestMs: number, sharesFiles: boolean): string[] {
  const found: string[] = [];
  if (look && !isSynchronous(look)) found.push(databaseWords.noStandby);
  if (look && isSynchronous(look) && isAway(look)) found.push(databaseWords.standbyAway);
  if (slowestMs > slowMs) found.push(slowDatabase(slowestMs));
  if (look && look.processes > 1 && !sharesFiles) found.push(databaseWords.ownFiles);
  return found;
}

/** Why nothing is answered. */
export function whyStalled(look: DatabaseLook | null): string {
  if (!look?.waits || !isSynchronous(look)) return databaseWords.silent;
  return isAway(look) ? databaseWords.standbyAway : databaseWords.standbySilent;
}
