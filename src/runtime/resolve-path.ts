import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';

/**
 * Resolves `file:PATH` or a plain path against `folder`, the folder of the file that contains it;
 * `~/` is the home folder.
 */
export function resolvePath(written: string, folder: string): string {
  const path = written.startsWith('file:') ? written.slice('file:'.length) : written;
  if (path.startsWith('~/')) return resolve(homedir(), path.slice(2));
  return isAbsolute(path) ? path : resolve(folder, path);
}

/** The data directory of a box where nothing names another, relative to the current directory. */
export const defaultDataDir = './gatehouse-data';
