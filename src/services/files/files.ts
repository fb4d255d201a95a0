import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { serviceLimits } from '../../platform/services.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { FilePlace } from '../../runtime/file-place.ts';
import type { Log } from '../../runtime/log.ts';
import type { FileStore, StoredFile } from '../../store/index.ts';
import { badRequest, ServiceRefused } from '../refusal.ts';
import type { SentFile } from '../send-file.ts';
import type { ServiceCaller } from '../signing/callers.ts';
import type { Once } from '../signing/once.ts';
import type { CloudFiles } from './cloud-files.ts';
import { FileFolder, FileTooLarge } from './file-folder.ts';
import { receiveUpload } from './upload.ts';

interface FilesOptions {
  readonly store: FileStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly place: FilePlace;
  /** Of one uploaded file. */
  readonly fileBytesMax: number;
  readonly once: Once;
  /** Files of the cloud, for uploads and look-ups; null without a cloud. */
  readonly cloudFiles: CloudFiles | null;
  /** Called when a file waits for the cloud. */
  readonly poke: () => void;
}

/** Query of an upload (SPEC 4.7). */
interface UploadQuery {
  readonly isPublic: boolean;
  readonly client: string;
  readonly overHttps: boolean;
  readonly dueAt: number | null;
  readonly name: string;
}

/** Beside the file: boundaries and headers of a multipart body. */
const wrappingBytesMax = 64 * 1024;
const sweepAtOnce = 200;

/** The public file service (SPEC 2.8, 4.7), at the box. */
export class Files {
  readonly #options: FilesOptions;
  readonly #folder: FileFolder;

  private constructor(options: FilesOptions, folder: FileFolder) {
    this.#options = options;
    this.#folder = folder;
  }

  /** Of the whole body of an upload: the file, and what a multipart body puts around it. */
  get bodyBytesMax(): number {
    return this.#options.fileBytesMax + wrappingBytesMax;
  }

  static async open(options: FilesOptions): Promise<Files> {
    return new Files(options, await FileFolder.open(options.place, options.clock.now()));
  }

  /**
   * Takes the file of a signed request. `linkOf` makes its public address. Throws ServiceRefused.
   */
  async upload(
    caller: ServiceCaller,
    target: string,
    query: UploadQuery,
    incoming: IncomingMessage,
    linkOf: (file: { fileId: string; overHttps: boolean }) => string,
  ): Promise<object> {
    const announced = Number(incoming.headers['content-length'] ?? 0);
    const isRaw = !/^multipart\//i.test(incoming.headers['content-type'] ?? '');
    if (announced > (isRaw ? this.#options.fileBytesMax : this.bodyBytesMax))
      throw tooLarge(this.#options.fileBytesMax);
    await this.#folder.needRoom(announced);
    return receiveUpload(incoming, query, async upload => {
      const received = await this.#folder.receive(upload.bytes, this.#options.fileBytesMax).catch(error => {
        throw error instanceof FileTooLarge ? tooLarge(this.#options.fileBytesMax) : error;
      });
      try {
        const name = upload.name.slice(0, serviceLimits.fileNameCharactersMax);
        const said = createHash('sha256').update(`${target}\0${name}\0${received.sha256}`).digest('hex');
        return await this.#options.once.run(caller, said, async () => {
          const fileId = `gh${randomBytes(20).toString('hex')}`;
          await this.#folder.keep(received, fileId);
          const file = {
            fileId,
            appId: caller.appId,
            client: query.client,
            name,
            contentType: upload.contentType.slice(0, 100),
            bytes: received.bytes,
            sha256: received.sha256,
            isPublic: query.isPublic,
            overHttps: query.overHttps,
            storedAt: this.#options.clock.now(),
            dueAt: query.dueAt,
            waits: this.#options.cloudFiles !== null,
          };
          await this.#options.store.write.putFile(file);
          if (file.waits) this.#options.poke();
          return dataOf(file, linkOf);
        });
      } finally {
        // Kept under its id by now, or not wanted.
        await this.#folder.discard(received);
      }
    });
  }

  /**
   * SPEC 4.7: a file of another app is there only when it is public. One that the box never had is
   * asked of the cloud.
   */
  async find(appId: string, fileId: string, linkOf: (file: StoredFile) => string): Promise<object> {
    const { cloudFiles, store } = this.#options;
    const file = await this.#current(fileId);
    if (!file && cloudFiles && !(await store.read.file(fileId))) return cloudFiles.find(fileId);
    if (!file || (file.appId !== appId && !file.isPublic))
      throw new ServiceRefused(404, `file_id "${fileId.slice(0, 64)}": no such file`);
    return dataOf(file, linkOf);
  }

  /** File behind a public link; null if there is none. */
  async openPublic(fileId: string): Promise<SentFile | null> {
    const file = await this.#current(fileId);
    if (!file?.isPublic) return null;
    const { bytes, sha256, contentType } = file;
    return { path: this.#folder.pathOf(fileId), bytes, tag: sha256, name: file.name || fileId, contentType };
  }

  /** Its bytes, to be sent elsewhere. */
  stream(fileId: string): ReadStream {
    return createReadStream(this.#folder.pathOf(fileId));
  }

  async #current(fileId: string): Promise<StoredFile | null> {
    if (!/^gh[0-9a-f]{40}$/.test(fileId)) return null;
    const file = await this.#options.store.read.file(fileId);
    return file && (file.dueAt === null || file.dueAt > this.#options.clock.now()) ? file : null;
  }

  /**
   * Removes what has run out. The row goes first: a file without a row is found by `sweepStrays`, a
   * row without a file would be a broken link.
   */
  async sweep(): Promise<void> {
    const { store, clock } = this.#options;
    for (;;) {
      const fileIds = await store.read.filesDue(clock.now(), sweepAtOnce);
      if (fileIds.length === 0) return;
      await store.write.removeFiles({ fileIds });
      for (const fileId of fileIds) await this.#folder.remove(fileId);
    }
  }

  /**
   * Removes what was stored before a moment and waits for no cloud, to make room: whoever asks for
   * one is told that it is not there.
   */
  async removeOld(before: number): Promise<void> {
    const { store } = this.#options;
    for (;;) {
      const fileIds = await store.read.filesStoredBefore(before, sweepAtOnce);
      if (fileIds.length === 0) return;
      await store.write.removeFiles({ fileIds });
      for (const fileId of fileIds) await this.#folder.remove(fileId);
    }
  }

  /** Removes what a power cut left between the file and its row. */
  async sweepStrays(): Promise<void> {
    const { store, clock, log } = this.#options;
    let strays = 0;
    for await (const fileId of this.#folder.stored(clock.now())) {
      if (await store.read.file(fileId)) continue;
      await this.#folder.remove(fileId);
      strays++;
    }
    if (strays > 0) log.info({ strays }, 'incomplete_files_removed');
  }
}

const tooLarge = (bytes: number): ServiceRefused =>
  new ServiceRefused(
    413,
    `a file has at most ${bytes < 1 << 20 ? `${bytes} bytes` : `${Math.floor(bytes / 2 ** 20)} MiB`}`,
    { status: 413 },
  );

/** SPEC 4.7: of a file that is not public, `file_id` alone. */
const dataOf = <Of extends Pick<StoredFile, 'fileId' | 'isPublic' | 'overHttps' | 'dueAt'>>(
  file: Of,
  linkOf: (file: Of) => string,
) => ({
  file_id: file.fileId,
  ...(file.isPublic ? { public_url: linkOf(file) } : {}),
  ...(file.isPublic && file.dueAt !== null ? { due_time: String(file.dueAt) } : {}),
});

const yes = new Set(['true', '1', 'on', 'yes']);
const no = new Set(['false', '0', 'off', 'no']);

/** Reads the query of an upload. Throws ServiceRefused (400) naming the parameter. */
export function readUploadQuery(query: URLSearchParams, now: number): UploadQuery {
  const flag = (name: string, missing: boolean): boolean => {
    const value = (query.get(name) ?? '').toLowerCase();
    if (value === '') return missing;
    if (yes.has(value)) return true;
    if (no.has(value)) return false;
    throw badRequest(`${name} "${value.slice(0, 20)}": write true or false`);
  };
  const client = query.get('client') ?? '';
  if (client === '') throw badRequest('client: needed: who uploads, such as the serial number of the device');
  if (client.length > serviceLimits.clientCharactersMax) throw badRequest('client: at most 128 characters');
  return {
    isPublic: flag('public', false),
    overHttps: flag('https', true),
    client,
    dueAt: dueAtOf(query.get('expire') ?? '', now),
    name: query.get('name') ?? '',
  };
}

/**
 * Milliseconds from now; 13 digits are a moment. At most six calendar months: more becomes that,
 * and `due_time` says so.
 */
function dueAtOf(expire: string, now: number): number | null {
  if (expire === '') return null;
  if (!/^\d{1,15}$/.test(expire) || Number(expire) === 0)
    throw badRequest(`expire "${expire.slice(0, 20)}": write whole milliseconds from now, at most 6 months`);
  const asked = expire.length === 13 ? Number(expire) : now + Number(expire);
  if (asked <= now) throw badRequest(`expire "${expire}": that moment has passed`);
  const latest = new Date(now);
  latest.setUTCMonth(latest.getUTCMonth() + serviceLimits.fileMonthsMax);
  return Math.min(asked, latest.getTime());
}
