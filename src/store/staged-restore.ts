import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncPath } from './sync-path.ts';

/**
 * A restore replaces several names, and the power may go between any two. So the new set is written whole into a folder beside the old one, synced, and
 * declared valid by one rename to `.restore-ready`. Before that rename the old set is untouched; after it the new set is the store, and whoever opens the
 * directory next goes on moving it in from wherever it stopped.
 */
export const stagingPrefix = '.restore-';
const readyFolder = (dataDir: string): string => join(dataDir, `${stagingPrefix}ready`);

export const isRestoreUnfinished = (dataDir: string): boolean => existsSync(readyFolder(dataDir));

/** The one moment that decides: `staging` lies in `dataDir` and holds the whole new set. */
export function commitRestore(dataDir: string, staging: string): void {
  layRestoreReady(dataDir, staging);
  finishRestore(dataDir);
}

/** Up to the moment that decides: whoever opens the directory next moves it in. */
export function layRestoreReady(dataDir: string, staging: string): void {
  for (const entry of readdirSync(staging, { recursive: true, withFileTypes: true }))
    syncPath(join(entry.parentPath, entry.name));
  syncPath(staging);
  renameSync(staging, readyFolder(dataDir));
  syncPath(dataDir);
}

/** Moves in what a committed restore has left to move. Every step may be the last one before the power goes, and may be done twice. */
export function finishRestore(dataDir: string): void {
  if (!isRestoreUnfinished(dataDir)) return;
  const ready = readyFolder(dataDir);
  for (const name of readdirSync(ready)) {
    // The old database's log would be played into the new one: it is gone for good before the new one has its name.
    if (name === 'gatehouse.db')
      for (const suffix of ['-wal', '-shm', '-journal']) rmSync(join(dataDir, `${name}${suffix}`), { force: true });
    else rmSync(join(dataDir, name), { recursive: true, force: true });
    syncPath(dataDir);
    renameSync(join(ready, name), join(dataDir, name));
  }
  syncPath(dataDir);
  rmdirSync(ready);
  syncPath(dataDir);
}

/** What attempts that were cut before their commit have left behind. */
export function clearStaging(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(stagingPrefix)) rmSync(join(dataDir, name), { recursive: true, force: true });
}
