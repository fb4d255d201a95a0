import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DeviceId } from '../platform/device-id.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import { type FilePlace, isLeft } from '../runtime/file-place.ts';
import type { Log } from '../runtime/log.ts';
import { RateWindow } from '../runtime/rate-window.ts';
import { syncPath } from '../runtime/sync-path.ts';
import { isArchiveName, manifestName } from './manifest.ts';
import { megabytes } from './target-failed.ts';
import { partOf } from './targets/target.ts';

/** In the data directory, or what processes share in its place: a folder for each box below. */
const folderName = 'backups-of-boxes';
/** A manifest has about 2 KB. */
const manifestBytesMax = 64 * 1024;
/** Of the disk that backups of other boxes leave to the records of this one. */
const leaveBytesByDefault = 512 << 20;
/** At once, of all boxes: each of them writes as fast as the line is. */
const uploadsMax = 2;
const uploadsPerDayMax = 24;
const dayMs = 86_400_000;

interface BoxBackupsOptions {
  readonly place: FilePlace;
  readonly clock: Clock;
  readonly log: Log;
  /** Of each box below, newest ones; 0: none are taken. */
  readonly copiesMax: number;
  readonly bytesMax: number;
  readonly leaveBytes?: number;
}

interface KeptBackup {
  readonly name: string;
  readonly bytes: number;
  /** By the clock of this box. */
  readonly receivedAt: UnixMs;
}

/** A file that is offered, with what the box below says of it. */
interface OfferedBackup {
  readonly name: string;
  /** NaN: it does not say. */
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** Refusal of a backup; the message names the reason and the remedy. */
interface NotTaken {
  readonly status: 400 | 409 | 413 | 422 | 429 | 503 | 507;
  readonly why: string;
}

/**
 * Keeps backups of the boxes below, each in a folder of its own. They are encrypted to the recovery
 * key of their box: nobody reads them here. The newest ones stay.
 */
export class BoxBackups {
  readonly #options: BoxBackupsOptions;
  readonly #folder: string;
  /** How many bytes each of them has announced. */
  readonly #uploading = new Map<DeviceId, number>();
  readonly #paces = new Map<DeviceId, RateWindow>();

  constructor(options: BoxBackupsOptions) {
    this.#options = options;
    this.#folder = join(options.place.folder, folderName);
  }

  /** Newest first. */
  async list(boxId: DeviceId): Promise<KeptBackup[]> {
    const folder = this.#folderOf(boxId);
    const names = await readdir(folder).catch(() => []);
    const kept = await Promise.all(
      names.filter(isArchiveName).map(async name => {
        const found = await stat(join(folder, name)).catch(() => null);
        return found?.isFile() ? [{ name, bytes: found.size, receivedAt: Math.floor(found.mtimeMs) }] : [];
      }),
    );
    return kept.flat().sort((a, b) => b.receivedAt - a.receivedAt || (a.name < b.name ? 1 : -1));
  }

  /** Backup by name; null if there is none, or if the name is not one of a backup. */
  async find(boxId: DeviceId, name: string): Promise<{ readonly file: string; readonly bytes: number } | null> {
    if (!isArchiveName(name) && !isManifestName(name)) return null;
    const file = join(this.#folderOf(boxId), name);
    const found = await stat(file).catch(() => null);
    return found?.isFile() ? { file, bytes: found.size } : null;
  }

  /** False: there was none of that name. */
  async remove(boxId: DeviceId, name: string): Promise<boolean> {
    if (!isArchiveName(name) || !(await this.find(boxId, name))) return false;
    const folder = this.#folderOf(boxId);
    await rm(join(folder, manifestName(name)), { force: true });
    await rm(join(folder, name), { force: true });
    await rmdir(folder).catch(() => {});
    return true;
  }

  /**
   * Takes a file whole, or nothing of it: written under a working name, synced, and named only when
   * its bytes have the hash that was announced. Then removes what is over the bounds. Null: it is
   * kept. Rejects when the sender goes away.
   */
  async take(boxId: DeviceId, offered: OfferedBackup, body: AsyncIterable<Buffer>): Promise<NotTaken | null> {
    const refusal = (await this.#refused(boxId, offered)) ?? this.#busy(boxId, offered);
    if (refusal) return refusal;
    this.#uploading.set(boxId, offered.bytes);
    try {
      return await this.#write(boxId, offered, body);
    } finally {
      this.#uploading.delete(boxId);
    }
  }

  async #refused(boxId: DeviceId, { name, bytes, sha256 }: OfferedBackup): Promise<NotTaken | null> {
    const { copiesMax, bytesMax } = this.#options;
    if (!isArchiveName(name) && !isManifestName(name))
      return { status: 400, why: `${name.slice(0, 80)}: is no name of a backup` };
    if (!Number.isSafeInteger(bytes) || bytes <= 0) return { status: 400, why: 'Content-Length: is missing' };
    if (!/^[0-9a-f]{64}$/.test(sha256)) return { status: 400, why: 'Content-Sha256: must be 64 hexadecimal digits' };
    if (copiesMax === 0)
      return {
        status: 507,
        why: 'this box keeps no backups of boxes below: raise limits.box_backup_copies in its config',
      };
    if (isManifestName(name)) {
      if (bytes > manifestBytesMax) return { status: 413, why: `a manifest has at most ${manifestBytesMax} bytes` };
      if (!(await this.find(boxId, archiveOf(name)))) return { status: 409, why: `${archiveOf(name)}: is not here` };
    } else if (bytes > bytesMax)
      return {
        status: 413,
        why: `the backup has ${megabytes(bytes)} MB, and this box keeps ${megabytes(bytesMax)} MB of each box below: raise limits.box_backup_bytes in its config, or leave files out of the backup`,
      };
    const free = await this.#freeBytes();
    if (bytes > free)
      return {
        status: 507,
        why: `the disk has no room: the backup has ${megabytes(bytes)} MB, and ${megabytes(Math.max(0, free))} MB are free for backups of boxes below: make room on the page Disk of this box`,
      };
    return null;
  }

  #busy(boxId: DeviceId, { name }: OfferedBackup): NotTaken | null {
    if (this.#uploading.has(boxId)) return { status: 429, why: 'another backup of this box is being received' };
    if (this.#uploading.size >= uploadsMax) return { status: 429, why: 'backups of other boxes are being received' };
    const pace = this.#paces.get(boxId) ?? new RateWindow(uploadsPerDayMax, dayMs);
    this.#paces.set(boxId, pace);
    if (isArchiveName(name) && !pace.take(this.#options.clock.monotonic()))
      return { status: 429, why: `more than ${uploadsPerDayMax} backups in a day` };
    return null;
  }

  async #write(
    boxId: DeviceId,
    { name, bytes, sha256 }: OfferedBackup,
    body: AsyncIterable<Buffer>,
  ): Promise<NotTaken | null> {
    const folder = this.#folderOf(boxId);
    const file = join(folder, name);
    const part = join(folder, this.#partOf(name));
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await this.#removeParts(folder);
      const { count, hash } = await written(body, part);
      if (count !== bytes || hash !== sha256) {
        await this.#removeParts(folder);
        return {
          status: 422,
          why: `${name}: ${count} of ${bytes} bytes arrived, and not as they were announced: send it again`,
        };
      }
      await rename(part, file);
      syncPath(folder);
      syncPath(this.#folder);
    } catch (error) {
      await this.#removeParts(folder).catch(() => {});
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS')
        return { status: 507, why: `the disk of the box above takes nothing more (${code}): make room there` };
      throw error;
    }
    if (isArchiveName(name)) {
      this.#options.log.info({ box: boxId, file: name, bytes }, 'backup_of_box_received');
      await this.#tidy(boxId, name);
    }
    return null;
  }

  /** Of this process: another one may be receiving the same file from a box that tries again. */
  #partOf(name: string): string {
    const { process } = this.#options.place;
    return partOf(process === null ? name : `${name}.${process}`);
  }

  /**
   * A power cut, or a sender that went away, leaves one. Only one at a time is written by each
   * process.
   */
  async #removeParts(folder: string): Promise<void> {
    const { place, clock } = this.#options;
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.part')) continue;
      const path = join(folder, name);
      const found = await stat(path).catch(() => null);
      const isOwn = place.process !== null && name.includes(`.${place.process}.`);
      if (isOwn || (found && isLeft(place, found, clock.now()))) await rm(path, { force: true });
    }
  }

  /** Removes the oldest until the rest keeps to both bounds; never the one that just came. */
  async #tidy(boxId: DeviceId, just: string): Promise<void> {
    const { copiesMax, bytesMax, log } = this.#options;
    const all = await this.list(boxId);
    const newest = all.filter(({ name }) => name === just);
    let [copies, bytes] = [0, 0];
    for (const kept of [...newest, ...all.filter(({ name }) => name !== just)]) {
      copies++;
      bytes += kept.bytes;
      if (copies === 1 || (copies <= copiesMax && bytes <= bytesMax)) continue;
      await this.remove(boxId, kept.name);
      log.info({ box: boxId, file: kept.name }, 'old_backup_of_box_deleted');
    }
  }

  async #freeBytes(): Promise<number> {
    const { place, leaveBytes = leaveBytesByDefault } = this.#options;
    const { bavail, bsize } = await statfs(place.folder);
    const announced = [...this.#uploading.values()].reduce((sum, bytes) => sum + bytes, 0);
    return bavail * bsize - leaveBytes - announced;
  }

  /** An id of a device has letters, digits, hyphens and an underscore: no path. */
  #folderOf(boxId: DeviceId): string {
    return join(this.#folder, boxId);
  }
}

const isManifestName = (name: string): boolean => name.endsWith('.json') && isArchiveName(archiveOf(name));
const archiveOf = (manifest: string): string => manifest.slice(0, -'.json'.length);

/** Writes and syncs a new file. */
async function written(body: AsyncIterable<Buffer>, file: string): Promise<{ count: number; hash: string }> {
  const hash = createHash('sha256');
  let count = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      count += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(body, counted, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
  return { count, hash: hash.digest('hex') };
}
