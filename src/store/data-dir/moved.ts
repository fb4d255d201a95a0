import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MoveRefused } from '../move-refused.ts';
import { own } from './ownership.ts';
import { syncPath } from './sync-path.ts';

/**
 * The file in a data directory which says that its store was moved to a database: two with one
 * identity must not serve and forward. Written just before the database may be used.
 */
const markName = 'moved-to-database';

export interface MovedStore {
  /** Of this move; the database has it too. */
  readonly id: string;
  /** Of the store that was moved: after a restore it is another one. */
  readonly epoch: string;
  readonly at: number;
  /** In words, without what it takes to log in. */
  readonly database: string;
}

/** Mark of a moved store; null if it was not moved. A damaged mark counts. */
export function movedStore(dataDir: string): MovedStore | null {
  const file = join(dataDir, markName);
  if (!existsSync(file)) return null;
  const unknown = { id: '', epoch: '', at: 0, database: 'a database' };
  try {
    return { ...unknown, ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<MovedStore>) };
  } catch {
    return unknown;
  }
}

/** On disk when it returns; by the owner of the directory. */
export function markMoved(dataDir: string, moved: MovedStore): void {
  const file = join(dataDir, markName);
  writeFileSync(`${file}.part`, `${JSON.stringify(moved)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.part`, file);
  syncPath(dataDir);
}

/** Lets a box start again whose store was moved. Null: it was not. Throws Owned. */
export function takeBackMoved(dataDir: string): MovedStore | null {
  const moved = movedStore(dataDir);
  if (!moved) return null;
  using _owner = own(dataDir);
  rmSync(join(dataDir, markName), { force: true });
  syncPath(dataDir);
  return moved;
}

/** Throws MoveRefused where the store was moved. */
export function refuseMoved(dataDir: string): void {
  const moved = movedStore(dataDir);
  if (moved) throw new MoveRefused(movedWords(dataDir, moved));
}

export const movedWords = (dataDir: string, { at, database }: MovedStore): string =>
  `${dataDir}: this store was moved to ${database}${at === 0 ? '' : ` on ${new Date(at).toISOString().slice(0, 10)}`}: start the region there (\`store:\` in the config). If the region is not to run, \`gatehouse migrate --take-back\` lets this box start again`;
