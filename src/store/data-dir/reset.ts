import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { own } from './ownership.ts';
import { syncPath } from './sync-path.ts';

/**
 * A reset to the state in which the box left the shelf removes many files, and the power may go
 * between any two. So the intent is on disk first, and whoever opens the directory next goes on
 * from wherever it stopped:
 *
 * - `reset-asked`: all else in the directory is to be removed;
 * - `reset-done`: it is; the settings beside it, which are root's, are still to go (`take-settings`
 *   does that), and the box is to forget its network;
 * - `reset-settled`: the settings are gone, the network is not;
 * - `reset-settings`: the network is gone, the settings are not. Where nobody takes settings this
 *   stays, and means nothing.
 */
const marks = {
  asked: 'reset-asked',
  done: 'reset-done',
  networkKept: 'reset-settled',
  settings: 'reset-settings',
} as const;

/** The lock is held by whoever clears. */
const kept: ReadonlySet<string> = new Set([marks.asked, 'owner.lock', 'owner.pid']);

/** The one moment that decides. What a box that runs on it writes from now on is lost. */
export function askReset(dataDir: string): void {
  const mark = join(dataDir, marks.asked);
  writeFileSync(mark, '', { mode: 0o600, flush: true });
  syncPath(dataDir);
}

export const isResetAsked = (dataDir: string): boolean => existsSync(join(dataDir, marks.asked));

/**
 * For the owner of the directory. Every step may be the last one before the power goes, and may be
 * done twice.
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
 * Clears the directory of a stopped box where that was asked for. Throws `Owned` while a box runs
 * on it.
 */
export function clearReset(dataDir: string): void {
  if (!isResetAsked(dataDir)) return;
  using _owner = own(dataDir);
  finishReset(dataDir);
}

/** Asks and clears at once. */
export function resetStopped(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  using _owner = own(dataDir);
  askReset(dataDir);
  finishReset(dataDir);
}

const has = (dataDir: string, mark: keyof typeof marks): boolean => existsSync(join(dataDir, marks[mark]));

/** Whether the settings beside the directory are still to go. */
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
