import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, readdir, realpath, rename, rm, stat, statfs } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncPath } from '../../store/index.ts';
import { failureOf, TargetFailed } from '../target-failed.ts';
import { type OpenTarget, partOf, type Target } from './target.ts';

/** A folder of this machine, which may be a mounted stick or share. */
export class DirectoryTarget implements Target {
  readonly where: string;
  readonly #dataDir: string;

  constructor(path: string, dataDir: string) {
    this.where = path;
    this.#dataDir = dataDir;
  }

  async open(): Promise<OpenTarget> {
    const folder = await guarded(this.where, () => realpath(this.where));
    if (!(await guarded(folder, () => stat(folder))).isDirectory())
      throw new TargetFailed('no_folder', `${this.where}: is no folder`);
    const inside = relative(await realpath(this.#dataDir), folder);
    if (inside !== '..' && !inside.startsWith(`..${sep}`))
      throw new TargetFailed('not_allowed', `${this.where}: lies in the data directory of the box`);
    await guarded(this.where, () => access(folder, constants.W_OK | constants.X_OK));
    return new OpenDirectory(folder);
  }
}

class OpenDirectory implements OpenTarget {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await guarded(this.#folder, () => statfs(this.#folder));
    return bavail * bsize;
  }

  names(): Promise<string[]> {
    return guarded(this.#folder, () => readdir(this.#folder));
  }

  async put(file: string, name: string, signal: AbortSignal): Promise<void> {
    const target = join(this.#folder, name);
    const part = join(this.#folder, partOf(name));
    await guarded(target, async () => {
      try {
        await pipeline(createReadStream(file), createWriteStream(part, { mode: 0o600, flush: true }), { signal });
        await rename(part, target);
      } catch (error) {
        await rm(part, { force: true }).catch(() => {});
        throw error;
      }
    });
    syncFolder(this.#folder);
  }

  async fetched(name: string): Promise<string> {
    const file = join(this.#folder, name);
    await guarded(file, () => access(file, constants.R_OK));
    return file;
  }

  remove(name: string): Promise<void> {
    const file = join(this.#folder, name);
    return guarded(file, () => rm(file, { force: true }));
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/**
 * Some file systems, SMB and FUSE among them, cannot sync a folder: the name is as safe as they
 * make it.
 */
function syncFolder(folder: string): void {
  try {
    syncPath(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EINVAL' && code !== 'ENOTSUP' && code !== 'EISDIR') throw failureOf(error, folder);
  }
}

async function guarded<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw failureOf(error, path);
  }
}
