import type { Reason } from '../../words/sentences.ts';
import { databaseWarnings, storeFaults } from '../../words/store.ts';
import type { NotedChange } from './lineage.ts';

/** From here on a transaction counts as old: no statement of the program takes so long. */
const oldSeconds = 60;
/** From here on a database counts as slow. */
const slowMs = 700;

/** Findings of one check of the database. */
export interface DatabaseLook {
  /** The setting `synchronous_standby_names`; empty: a commit waits for nobody. */
  readonly names: string;
  /** Standbys that are connected. */
  readonly connected: number;
  /** Those of them on which commits wait; null: this user is not allowed to see it. */
  readonly synchronous: number | null;
  /** A commit of this user waits for a standby now. */
  readonly waits: boolean;
  /** Processes of the region. */
  readonly processes: number;
  /** The oldest transaction that keeps old versions of rows; null: there is none. */
  readonly oldest: { readonly seconds: number; readonly by: string; readonly pid: number } | null;
}

/** A commit waits for a standby. */
const isSynchronous = ({ names }: DatabaseLook): boolean => names !== '';

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
  if (look?.oldest && look.oldest.seconds >= oldSeconds)
    found.push(databaseWarnings.say('old_transaction', look.oldest));
  if (look && look.processes > 1 && !sharesFiles) found.push(databaseWarnings.say('own_files'));
  return found;
}

/** Why nothing is answered. */
export function whyStalled(look: DatabaseLook | null): Reason {
  if (!look?.waits || !isSynchronous(look)) return storeFaults.say('database_silent');
  return storeFaults.say(isAway(look) ? 'standby_away' : 'standby_silent');
}

/** Note of a live process about itself. */
export interface NotedProcess {
  readonly name: string;
  /** Version; null for one that notes none. */
  readonly version: string | null;
  /** Compared with that of the database's server. */
  readonly clockAheadMs: number;
}

const clockOffMs = 3000;
/** For so long a change of the database is told of. */
const toldForMs = 7 * 24 * 3_600_000;

const iso = (at: number): string => new Date(at).toISOString().replace(/\.\d+/, '');
const seconds = (ms: number): number => Math.round(Math.abs(ms) / 1000);

const clockWarning = ({ name, clockAheadMs }: NotedProcess): Reason =>
  databaseWarnings.say(clockAheadMs > 0 ? 'process_clock_ahead' : 'process_clock_behind', {
    name,
    seconds: seconds(clockAheadMs),
  });

/** `aheadMs`: of the processes. */
const serverClockWarning = (aheadMs: number): Reason =>
  databaseWarnings.say(aheadMs > 0 ? 'server_clock_behind' : 'server_clock_ahead', { seconds: seconds(aheadMs) });

const versionWarning = (versions: ReadonlyMap<string, readonly NotedProcess[]>): Reason =>
  databaseWarnings.say('versions_differ', {
    versions: [...versions]
      .map(([version, own]) => `${version} (${own.map(({ name }) => name).join(', ')})`)
      .join(', '),
  });

/** A sentence for each clock that differs from the server's; one, where the server's does. */
export function clockWarnings(processes: readonly NotedProcess[]): Reason[] {
  const known = processes.filter(({ version }) => version !== null);
  const off = known.filter(({ clockAheadMs }) => Math.abs(clockAheadMs) > clockOffMs);
  const ahead = known.map(({ clockAheadMs }) => clockAheadMs);
  const agree = Math.max(...ahead) - Math.min(...ahead) < clockOffMs;
  if (known.length > 1 && off.length === known.length && agree) return [serverClockWarning(ahead[0]!)];
  return off.map(clockWarning);
}

export function versionWarnings(processes: readonly NotedProcess[]): Reason[] {
  const versions = Map.groupBy(processes, ({ version }) => version ?? 'an older one');
  return versions.size > 1 ? [versionWarning(versions)] : [];
}

/** `now`: by the database's clock. */
export function changeWarnings(
  now: number,
  { restored, copied }: { readonly restored: NotedChange | null; readonly copied: NotedChange | null },
): Reason[] {
  const isRecent = (change: NotedChange | null): change is NotedChange =>
    change !== null && now - change.noticedAt < toldForMs;
  return [
    ...(isRecent(restored)
      ? [databaseWarnings.say('database_restored', { state: iso(restored.stateAt), until: iso(restored.until) })]
      : []),
    ...(isRecent(copied) ? [databaseWarnings.say('database_copied', { found: iso(copied.noticedAt) })] : []),
  ];
}
