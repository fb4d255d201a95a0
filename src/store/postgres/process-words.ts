import type { NotedChange } from './lineage.ts';

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
const seconds = (ms: number): string => (Math.abs(ms) / 1000).toFixed(0);
const side = (aheadMs: number): string => (aheadMs > 0 ? 'ahead of' : 'behind');

const restoredWords = ({ stateAt, until }: NotedChange): string =>
  `the database is as it was at ${iso(stateAt)}: it was restored, or a failover lost its newest commits; what was acknowledged from then until ${iso(until)} is gone here, and the cloud may have more than this region`;

const copiedWords = ({ noticedAt }: NotedChange): string =>
  `the database is a copy of another one, found at ${iso(noticedAt)}: if processes still run on that one, both use one identity; stop one of the two, or give it another box.device_sn`;

const clockWords = ({ name, clockAheadMs }: NotedProcess): string =>
  `the clock of ${name} is ${seconds(clockAheadMs)} s ${side(clockAheadMs)} that of the database's server: see what sets them (chronyc tracking); the times that this process writes are wrong by as much`;

const serverClockWords = (aheadMs: number): string =>
  `the clock of the database's server is ${seconds(aheadMs)} s ${side(-aheadMs)} those of all processes: see what sets it (chronyc tracking)`;

const versionWords = (versions: ReadonlyMap<string, readonly NotedProcess[]>): string =>
  `processes of different versions run on this database: ${[...versions].map(([version, own]) => `${version} (${own.map(({ name }) => name).join(', ')})`).join(', ')}; bring all of them to one`;

/** A sentence for each clock that differs from the server's; one, where the server's does. */
export function clockWarnings(processes: readonly NotedProcess[]): string[] {
  const known = processes.filter(({ version }) => version !== null);
  const off = known.filter(({ clockAheadMs }) => Math.abs(clockAheadMs) > clockOffMs);
  const ahead = known.map(({ clockAheadMs }) => clockAheadMs);
  const agree = Math.max(...ahead) - Math.min(...ahead) < clockOffMs;
  if (known.length > 1 && off.length === known.length && agree) return [serverClockWords(ahead[0]!)];
  return off.map(clockWords);
}

export function versionWarnings(processes: readonly NotedProcess[]): string[] {
  const versions = Map.groupBy(processes, ({ version }) => version ?? 'an older one');
  return versions.size > 1 ? [versionWords(versions)] : [];
}

/** `now`: by the database's clock. */
export function changeWarnings(
  now: number,
  { restored, copied }: { readonly restored: NotedChange | null; readonly copied: NotedChange | null },
): string[] {
  const isRecent = (change: NotedChange | null): change is NotedChange =>
    change !== null && now - change.noticedAt < toldForMs;
  return [...(isRecent(restored) ? [restoredWords(restored)] : []), ...(isRecent(copied) ? [copiedWords(copied)] : [])];
}
