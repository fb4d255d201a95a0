import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncPath } from './sync-path.ts';

/**
 * A restore replaces several names, and the power may go between any two. So the new set is written
 * whole into a folder beside the old one, synced, and declared valid by one rename to
 * `.restore-ready`. Before that rename the old set is untouched; after it the new set is the store,
 * and whoever opens the directory next goes on moving it in from wherever it stopped.
 */
export const stagingPrefix = '.restore-';
const readyFolder = (dataDir: string): string => join(dataDir, `${stagingPrefix}ready`);

const oldFolder = (dataDir: string): string => join(dataDir, `${stagingPrefix}old`);

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

/** The keys first: a database is never in place without the keys that open it. */
const order = ['keys', 'tls', 'files', 'gatehouse.db'];

/**
 * Moves in what a committed restore has left to move. Every step may be the last one before the
 * power goes, and may be done twice. What was there before is moved aside and goes only when
 * everything new has its name and is synced; only the old database is replaced by a rename onto it,
 * after its keys. `step` is called after each step.
 */
export function finishRestore(dataDir: string, step: () => void = () => {}): void {
  const old = oldFolder(dataDir);
  if (isRestoreUnfinished(dataDir)) {
    const ready = readyFolder(dataDir);
    mkdirSync(old, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(ready).sort((a, b) => order.indexOf(a) - order.indexOf(b))) {
      const place = join(dataDir, name);
      if (name === 'gatehouse.db')
        // The old database's log would be played into the new one: it is gone for good before the
        // new one has its name.
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

/** What attempts that were cut before their commit have left behind. */
export function clearStaging(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(stagingPrefix)) rmSync(join(dataDir, name), { recursive: true, force: true });
}
