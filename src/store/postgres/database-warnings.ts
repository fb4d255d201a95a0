import type { Reason } from '../../words/sentences.ts';
import { databaseWarnings, storeFaults } from '../../words/store.ts';

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
export function warningsOf(look: DatabaseLook | null, slowestMs: number, sharesFiles: boolean): Reason[] {
  const found: Reason[] = [];
  if (look && !isSynchronous(look)) found.push(databaseWarnings.say('no_standby'));
  if (look && isSynchronous(look) && isAway(look)) found.push(storeFaults.say('standby_away'));
  if (slowestMs > slowMs) found.push(databaseWarnings.say('database_slow', { seconds: (slowestMs / 1000).toFixed(1) }));
  if (look && look.processes > 1 && !sharesFiles) found.push(databaseWarnings.say('own_files'));
  return found;
}

/** Why nothing is answered. */
export function whyStalled(look: DatabaseLook | null): Reason {
  if (!look?.waits || !isSynchronous(look)) return storeFaults.say('database_silent');
  return storeFaults.say(isAway(look) ? 'standby_away' : 'standby_silent');
}
