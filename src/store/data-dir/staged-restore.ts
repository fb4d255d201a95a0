import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncPath } from './sync-path.ts';

/**
 * A restore replaces several names, and the power may fail between any two. So the new set is
 * written completely into a folder beside the old one, synced, and declared valid by one rename to
 * `.restore-ready`. Before that rename the old set is untouched; after it the new set is the store,
 * and the next process that opens the directory continues moving it in where it stopped.
 */
export const stagingPrefix = '.restore-';
const readyFolder = (dataDir: string): string => join(dataDir, `${stagingPrefix}ready`);

const oldFolder = (dataDir: string): string => join(dataDir, `${stagingPrefix}old`);

export const isRestoreUnfinished = (dataDir: string): boolean => existsSync(readyFolder(dataDir));

/** The point of no return: `staging` is in `dataDir` and holds the complete new set. */
export function commitRestore(dataDir: string, staging: string): void {
  layRestoreReady(dataDir, staging);
  finishRestore(dataDir);
}

/** Stages a restore up to the point of no return: the next start moves it in. */
export function layRestoreReady(dataDir: string, staging: string): void {
  for (const entry of readdirSync(staging, { recursive: true, withFileTypes: true }))
    syncPath(join(entry.parentPath, entry.name));
  syncPath(staging);
  renameSync(staging, readyFolder(dataDir));
  syncPath(dataDir);
}

/** The keys first: a database is never in place without the keys that open it. */
const order = ['keys', 'tls', 'files', 'statements', 'gatehouse.db'];

/**
 * Moves in the rest of a committed restore. The power may fail after any step, and every step can
 * be repeated. Old files are moved aside and deleted only when all new ones have their names and
 * are synced; only the old database is replaced by a rename onto it, after its keys. `step` is
 * called after each step.
 */
export function finishRestore(dataDir: string, step: () => void = () => {}): void {
  const old = oldFolder(dataDir);
  if (isRestoreUnfinished(dataDir)) {
    const ready = readyFolder(dataDir);
    mkdirSync(old, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(ready).sort((a, b) => order.indexOf(a) - order.indexOf(b))) {
      const place = join(dataDir, name);
      if (name === 'gatehouse.db')
        // SQLite would apply the old database's log to the new one, so it is deleted durably before
        // the new one gets its name.
        for (const suffix of ['-wal', '-shm', '-journal']) rmSync(`${place}${suffix}`, { force: true });
      else if (existsSync(place)) {
        rmSync(join(old, name), { recursive: true, force: true });
        renameSync(place, join(old, name));
      }
      syncPath(dataDir);
      step();
      renameSync(join(ready, name), place);
      syncPath(dataDir);
      step();
    }
    rmdirSync(ready);
    syncPath(dataDir);
    step();
  }
  if (!existsSync(old)) return;
  rmSync(old, { recursive: true, force: true });
  syncPath(dataDir);
}

/** Deletes what interrupted attempts have left behind before their commit. */
export function clearStaging(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(stagingPrefix)) rmSync(join(dataDir, name), { recursive: true, force: true });
}
