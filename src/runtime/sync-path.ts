import { closeSync, fsyncSync, openSync } from 'node:fs';

/**
 * Syncs a file, or the names in a folder: a new name is durable only after its folder was synced.
 */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
