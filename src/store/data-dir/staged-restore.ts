import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncPath } from '../../runtime/sync-path.ts';

/**
 * A restore replaces several names, and the power may fail between any two. So the new set is
 * written completely into a folder beside the old one, synced, and declared valid by one rename to
 * `.restore-ready`. Before that rename the old set is untouched; after it the new set is the store,
 * and the next process that opens the directory continues moving it in where it stopped.
 */
export const stagingPrefix = '.restore-';
const readyFolder = (dataDir: string): string => join(dataDir, `${stagingPrefix}ready`);

const oldFolder = (dataDir: string): string => join(dataDir, `${stagingPrefix}old`);
/** The set that the last restore replaced, until the next one or a reset. */
export const keptFolder = (dataDir: string): string => join(dataDir, 'before-restore');

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
 * be repeated. The old set is moved aside, and kept when all new names are in place and synced.
 * `step` is called after each step.
 */
export function finishRestore(dataDir: string, step: () => void = () => {}): void {
  const old = oldFolder(dataDir);
  if (isRestoreUnfinished(dataDir)) {
    const ready = readyFolder(dataDir);
    mkdirSync(old, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(ready).sort((a, b) => order.indexOf(a) - order.indexOf(b))) {
      const place = join(dataDir, name);
      // SQLite would apply the old database's log to the new one, so it goes before that comes.
      const logs = name === 'gatehouse.db' ? ['-wal', '-shm', '-journal'].map(suffix => `${name}${suffix}`) : [];
      for (const one of [name, ...logs]) {
        if (!existsSync(join(dataDir, one))) continue;
        rmSync(join(old, one), { recursive: true, force: true });
        renameSync(join(dataDir, one), join(old, one));
      }
      syncPath(old);
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
  const kept = keptFolder(dataDir);
  rmSync(kept, { recursive: true, force: true });
  if (readdirSync(old).length === 0) rmdirSync(old);
  else renameSync(old, kept);
  syncPath(dataDir);
}

/** Deletes what interrupted attempts have left behind before their commit. */
export function clearStaging(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(stagingPrefix)) rmSync(join(dataDir, name), { recursive: true, force: true });
}
