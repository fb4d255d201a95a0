import { createReadStream } from 'node:fs';
import { access, constants, open, readdir, realpath, rename, rm, stat, statfs } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncPath } from '../../runtime/sync-path.ts';
import { failed, failureOf } from '../target-failed.ts';
import { mountAt, mountInWords } from './mounts.ts';
import { type OpenTarget, partOf, type Target } from './target.ts';

/** A folder of this machine. */
export class DirectoryTarget implements Target {
  readonly where: string;
  readonly isMount: boolean;
  readonly #dataDir: string;

  /** `isMount`: a stick or a share has to be mounted there. */
  constructor(path: string, dataDir: string, isMount = false) {
    this.where = path;
    this.isMount = isMount;
    this.#dataDir = dataDir;
  }

  async holds(): Promise<string | null> {
    const mount = this.isMount ? await mountAt(this.where) : null;
    return mount && mountInWords(mount);
  }

  async open(): Promise<OpenTarget> {
    if (this.isMount) await this.#needMount();
    const folder = await guarded(this.where, () => realpath(this.where));
    if (!(await guarded(folder, () => stat(folder))).isDirectory()) throw failed('not_a_folder', this.where);
    const inside = relative(await realpath(this.#dataDir), folder);
    if (inside !== '..' && !inside.startsWith(`..${sep}`)) throw failed('in_own_data', this.where);
    await guarded(this.where, () => access(folder, constants.W_OK | constants.X_OK));
    return new OpenDirectory(folder, this.isMount ? (await guarded(folder, () => stat(folder))).dev : null);
  }

  async #needMount(): Promise<void> {
    // The access mounts what systemd mounts on demand.
    await readdir(this.where).catch(error => {
      const failure = failureOf(error, this.where);
      if (failure.code === 'gone' || failure.code === 'no_folder') throw notMounted(this.where);
      throw failure;
    });
    if ((await mountAt(this.where)) === null) throw notMounted(this.where);
  }
}

const notMounted = (path: string) => failed('not_mounted', path);

class OpenDirectory implements OpenTarget {
  readonly #folder: string;
  /** Of the mounted file system; null: whichever is there. */
  readonly #device: number | null;

  constructor(folder: string, device: number | null) {
    this.#folder = folder;
    this.#device = device;
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
        await using written = await open(part, 'w', 0o600);
        // A stick that was pulled leaves a folder of the box's own disk, which is not to be filled.
        if (this.#device !== null && (await written.stat()).dev !== this.#device) throw notMounted(this.#folder);
        await pipeline(createReadStream(file), written.createWriteStream({ flush: true }), { signal });
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
