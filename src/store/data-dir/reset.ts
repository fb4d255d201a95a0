import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncPath } from '../../runtime/sync-path.ts';
import { own } from './ownership.ts';

/**
 * A reset to the factory state removes many files, and the power may fail between any two. So the
 * intent is written to disk first, and the next process that opens the directory continues where it
 * stopped:
 *
 * - `reset-asked`: everything else in the directory is to be removed;
 * - `reset-done`: it is removed; the settings, which belong to root, are still to be removed
 *   (`take-settings` does that), and the box is to forget its network;
 * - `reset-settled`: the settings are removed, the network is not;
 * - `reset-settings`: the network is forgotten, the settings are not removed. On a machine without
 *   `take-settings` this file stays and has no effect.
 */
const marks = {
  asked: 'reset-asked',
  done: 'reset-done',
  networkKept: 'reset-settled',
  settings: 'reset-settings',
} as const;

/** Not removed: the intent itself, and the lock of the process that clears. */
const kept: ReadonlySet<string> = new Set([marks.asked, 'owner.lock', 'owner.pid']);

/** The point of no return. What a running box writes from now on is lost. */
export function askReset(dataDir: string): void {
  const mark = join(dataDir, marks.asked);
  writeFileSync(mark, '', { mode: 0o600, flush: true });
  syncPath(dataDir);
}

export const isResetAsked = (dataDir: string): boolean => existsSync(join(dataDir, marks.asked));

/**
 * Called by the owner of the directory. The power may fail after any step, and every step can be
 * repeated.
 */
export function finishReset(dataDir: string): void {
  if (!isResetAsked(dataDir)) return;
  for (const name of readdirSync(dataDir))
    if (!kept.has(name)) rmSync(join(dataDir, name), { recursive: true, force: true });
  syncPath(dataDir);
  renameSync(join(dataDir, marks.asked), join(dataDir, marks.done));
  syncPath(dataDir);
}

/**
 * Clears the directory of a stopped box if a reset was requested. Throws `Owned` while a box runs
 * on it.
 */
export function clearReset(dataDir: string): void {
  if (!isResetAsked(dataDir)) return;
  using _owner = own(dataDir);
  finishReset(dataDir);
}

/** Requests a reset and carries it out. */
export function resetStopped(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  using _owner = own(dataDir);
  askReset(dataDir);
  finishReset(dataDir);
}

const has = (dataDir: string, mark: keyof typeof marks): boolean => existsSync(join(dataDir, marks[mark]));

/** Whether the settings are still to be removed. */
export const isSettingsReset = (dataDir: string): boolean => has(dataDir, 'done') || has(dataDir, 'settings');

export function settleSettingsReset(dataDir: string): void {
  if (has(dataDir, 'done')) renameSync(join(dataDir, marks.done), join(dataDir, marks.networkKept));
  rmSync(join(dataDir, marks.settings), { force: true });
  syncPath(dataDir);
}

/** Whether the box is still to forget its network. */
export const isNetworkReset = (dataDir: string): boolean => has(dataDir, 'done') || has(dataDir, 'networkKept');

export function settleNetworkReset(dataDir: string): void {
  if (has(dataDir, 'done')) renameSync(join(dataDir, marks.done), join(dataDir, marks.settings));
  rmSync(join(dataDir, marks.networkKept), { force: true });
  syncPath(dataDir);
}
