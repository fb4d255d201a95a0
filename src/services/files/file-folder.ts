import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, opendir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { UnixMs } from '../../runtime/clock.ts';
import { type FilePlace, isLeft } from '../../runtime/file-place.ts';
import { YoungGarbage } from '../../runtime/garbage.ts';
import { ServiceRefused } from '../refusal.ts';

/** Upload that has arrived and is not stored yet. */
interface Received {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export class FileTooLarge extends Error {}

/** Room that is left to the store: an upload never fills the disk under it. */
const reservedBytes = 128 << 20;
const roomCheckBytes = 16 << 20;

/**
 * The bytes of the public files: `files/{two letters}/{file_id}` in the data directory or what
 * processes share in its place, `files/incoming` while they come in. Streamed both ways: what is
 * held in memory is a buffer or two.
 */
export class FileFolder {
  readonly #place: FilePlace;
  readonly #root: string;
  readonly #incoming: string;

  private constructor(place: FilePlace) {
    this.#place = place;
    this.#root = join(place.folder, 'files');
    this.#incoming = join(this.#root, 'incoming');
  }

  /** Clears what was coming in when the box ended, but not what comes in at another process. */
  static async open(place: FilePlace, now: UnixMs): Promise<FileFolder> {
    const folder = new FileFolder(place);
    await mkdir(folder.#incoming, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder.#incoming)) {
      const path = join(folder.#incoming, name);
      const found = await stat(path).catch(() => null);
      if (found && isLeft(place, found, now)) await rm(path, { recursive: true, force: true });
    }
    return folder;
  }

  /**
   * `source` is not ended by a refusal, so that the caller can still be answered. On disk when it
   * resolves. Nothing is left when it rejects: FileTooLarge, ServiceRefused when the disk has no
   * room, or whatever ended the stream.
   */
  async receive(source: AsyncIterable<Buffer>, bytesMax: number): Promise<Received> {
    const path = join(this.#incoming, randomBytes(16).toString('hex'));
    const hash = createHash('sha256');
    let bytes = 0;
    let checkedAt = 0;
    const garbage = new YoungGarbage();
    const measure = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length;
        if (bytes > bytesMax) return done(new FileTooLarge());
        hash.update(chunk);
        garbage.passed(chunk.length);
        if (bytes - checkedAt < roomCheckBytes) return done(null, chunk);
        checkedAt = bytes;
        this.needRoom(0).then(
          () => done(null, chunk),
          error => done(error as Error),
        );
      },
    });
    try {
      await pipeline(source, measure, createWriteStream(path, { mode: 0o600, flush: true }));
    } catch (error) {
      await rm(path, { force: true });
      throw noRoomOf(error);
    }
    return { path, bytes, sha256: hash.digest('hex') };
  }

  /** Throws ServiceRefused when so many bytes more do not fit beside what the store needs. */
  async needRoom(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#root);
    if (bavail * bsize < bytes + reservedBytes) throw noRoom();
  }

  /** Under its id from now on, over a power cut too. */
  async keep({ path }: Received, fileId: string): Promise<void> {
    const target = this.pathOf(fileId);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(path, target);
    await syncFolder(dirname(target));
  }

  async discard({ path }: Received): Promise<void> {
    await rm(path, { force: true });
  }

  /** Where its bytes are. */
  pathOf(fileId: string): string {
    return join(this.#root, fileId.slice(-2).toLowerCase(), fileId);
  }

  async remove(fileId: string): Promise<void> {
    await rm(this.pathOf(fileId), { force: true });
  }

  /**
   * Ids of files that are there, to find those that nobody knows; none that another process may be
   * about to enter.
   */
  async *stored(now: UnixMs): AsyncIterable<string> {
    for await (const folder of await opendir(this.#root)) {
      if (!folder.isDirectory() || folder.name === 'incoming') continue;
      for await (const { name } of await opendir(join(this.#root, folder.name))) {
        if (this.#place.process !== null) {
          const found = await stat(join(this.#root, folder.name, name)).catch(() => null);
          if (!found || !isLeft(this.#place, found, now)) continue;
        }
        yield name;
      }
    }
  }
}

const noRoom = (): ServiceRefused =>
  new ServiceRefused(503, 'the disk of the box is full: files cannot be stored now', {
    status: 503,
    retryAfterSeconds: 60,
  });

const noRoomOf = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException).code === 'ENOSPC' || (error as NodeJS.ErrnoException).code === 'EDQUOT'
    ? noRoom()
    : error;

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
