import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { plainChecksum, Summing } from './checksum.ts';
import { PackageFailed } from './package-failed.ts';
import { discard, failed, isOfDisk, isWorthKeeping, onlyMissing, syncFolder } from './package-faults.ts';
import { isPackageFile, packageFile, partSuffix } from './package-file.ts';
import { PartFile } from './part-file.ts';
import type { UpgradeRecord } from './record.ts';

/**
 * Asks for a package from byte `offset` on. `status` 200: `stream` is the whole package; 206: it
 * begins at `offset`; 416: there is nothing after `offset`. `bytesTotal` is the size of the whole
 * package (in a 206 or 416 the number after the slash of Content-Range), null where the server does
 * not say. The signal ends the call and the stream, which then throws, as it does when it is cut
 * short. A stream that is not wanted is left at its first chunk, as with `break` in a loop; that
 * must free the connection.
 */
export type OpenPackage = (
  url: string,
  from: { offset: number },
  signal: AbortSignal,
) => Promise<{ status: number; stream: AsyncIterable<Uint8Array>; bytesTotal: number | null }>;

export interface MirrorParts {
  /** Used by mirrors only; created when missing. */
  readonly folder: string;
  /** See FilePlace: each process has a part of its own of what it fetches. */
  readonly process?: string | null;
  readonly open: OpenPackage;
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes of disk that packages may still use, without the box's own reserve. Absent: no limit. */
  readonly roomBytes?: () => number | Promise<number>;
  /** The largest package, default 2 GiB. */
  readonly bytesMax?: number;
  /** A stream without a byte for so long is a broken line, default 60 s. */
  readonly stallMs?: number;
}

interface Mirrored {
  /** The path of the file. */
  readonly file: string;
  readonly bytes: number;
  /** Hex in lower case. */
  readonly sha256: string;
}

/** Download that a record asks for, checked and normalised. */
interface Wanted {
  readonly name: string;
  readonly file: string;
  readonly url: string;
  readonly checksum: string;
  /** Null where the record does not say. */
  readonly size: number | null;
}

/**
 * Copies of the packages that upgrade records name (SPEC 2.13), so that panels of a site fetch them
 * from the box. A package is streamed to disk, goes on where it was cut, and has its name only when
 * its size and checksum are those of the record and it is synced.
 */
export class PackageMirror implements AsyncDisposable {
  readonly #parts: MirrorParts;
  readonly #bytesMax: number;
  readonly #underWay = new Map<string, Promise<Mirrored>>();
  readonly #closed = new AbortController();

  constructor(parts: MirrorParts) {
    this.#parts = parts;
    this.#bytesMax = parts.bytesMax ?? 2 * 1024 ** 3;
  }

  /**
   * Fetches a record's package, or checks the one that is here. Callers of one package share the
   * work. Throws PackageFailed, and the system's own error when the disk fails. Nothing is tried
   * again here: calling again goes on.
   */
  async mirror(record: UpgradeRecord): Promise<Mirrored> {
    const wanted = this.#wanted(record);
    const underWay = this.#underWay.get(wanted.file);
    if (underWay) return underWay;
    const call = this.#mirror(wanted).finally(() => this.#underWay.delete(wanted.file));
    this.#underWay.set(wanted.file, call);
    return call;
  }

  /** Whether a record's package is here with its size; its checksum was right when it came. */
  async has(record: UpgradeRecord): Promise<boolean> {
    const name = packageFile(record);
    const found = name && (await stat(join(this.#parts.folder, name)).catch(() => null));
    return Boolean(found) && (record.size === undefined || (found as { size: number }).size === record.size);
  }

  /**
   * Removes packages and parts that no record names, but none that is being fetched and no other
   * file. Returns their names.
   */
  async sweep(records: readonly UpgradeRecord[]): Promise<readonly string[]> {
    const { folder, log } = this.#parts;
    const named = new Set(records.map(packageFile));
    const entries = await readdir(folder, { withFileTypes: true }).catch(onlyMissing);
    const removed: string[] = [];
    for (const entry of entries ?? []) {
      const name = entry.name.endsWith(partSuffix) ? entry.name.slice(0, -partSuffix.length) : entry.name;
      const isWanted = named.has(name) || this.#underWay.has(join(folder, name));
      if (!entry.isFile() || !isPackageFile(entry.name) || isWanted) continue;
      await rm(join(folder, entry.name), { force: true });
      removed.push(entry.name);
    }
    if (removed.length > 0) {
      await syncFolder(folder);
      log.info({ removed }, 'unused_packages_removed');
    }
    return removed;
  }

  /** Ends what is being fetched; what came stays for the next start. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort(new Error('the box is stopping'));
    await Promise.allSettled(this.#underWay.values());
  }

  #wanted(record: UpgradeRecord): Wanted {
    const name = `${record.app_code} ${record.version}`;
    const bad = (expected: string, found: string) => new PackageFailed('bad_record', { record: name, expected, found });
    const checksum = plainChecksum(record.checksum);
    const file = packageFile(record);
    if (!checksum || !file) throw bad('a checksum of 8, 32, 40 or 64 hex digits', record.checksum || 'none');
    if (!/^https?:\/\//i.test(record.url) || !URL.canParse(record.url)) throw bad('an http(s) address', record.url);
    const { size = null } = record;
    if (size !== null && size > this.#bytesMax) throw failed('too_large', name, `at most ${this.#bytesMax}`, size);
    return { name, file: join(this.#parts.folder, file), url: record.url, checksum, size };
  }

  async #mirror(wanted: Wanted): Promise<Mirrored> {
    await mkdir(this.#parts.folder, { recursive: true });
    const here = await this.#check(wanted);
    if (here) return here;
    const partFile = `${wanted.file}${this.#parts.process ? `.${this.#parts.process}` : ''}${partSuffix}`;
    const part = await PartFile.open(partFile, wanted.checksum);
    const resumed = part.bytes > 0;
    try {
      return await this.#complete(wanted, part);
    } catch (error) {
      // A resumed part may be damaged by how the earlier run ended: only a whole download may
      // accuse the package.
      if (!resumed || !(error instanceof PackageFailed) || !error.fault.startsWith('wrong_')) throw error;
      this.#parts.log.warn({ package: wanted.name, error: error.message }, 'package_fetched_anew');
      return await this.#complete(wanted, await PartFile.open(partFile, wanted.checksum));
    }
  }

  /** The file as it is, when it is right; removed, when it is not. */
  async #check({ name, file, checksum, size }: Wanted): Promise<Mirrored | null> {
    const handle = await open(file, 'r').catch(onlyMissing);
    if (!handle) return null;
    const sums = new Summing(checksum);
    try {
      for await (const chunk of handle.createReadStream({ autoClose: false })) sums.add(chunk);
    } finally {
      await handle.close();
    }
    const found = sums.finish();
    if (found.checksum === checksum && (size ?? sums.bytes) === sums.bytes) {
      return { file, bytes: sums.bytes, sha256: found.sha256 };
    }
    this.#parts.log.warn({ package: name, expected: checksum, found: found.checksum }, 'damaged_package_removed');
    await rm(file);
    return null;
  }

  async #complete(wanted: Wanted, part: PartFile): Promise<Mirrored> {
    const { name, checksum, size } = wanted;
    try {
      if (size !== null && part.bytes > size) await part.restart();
      if (size === null || part.bytes < size) await this.#receive(wanted, part);
      if (part.bytes !== (size ?? part.bytes)) throw failed('wrong_size', name, size!, part.bytes);
      const found = await part.finish();
      if (found.checksum !== checksum) throw failed('wrong_checksum', name, checksum, found.checksum);
      await rename(part.path, wanted.file);
      await syncFolder(this.#parts.folder);
      this.#parts.log.info({ package: name, bytes: part.bytes }, 'upgrade_package_mirrored');
      return { file: wanted.file, bytes: part.bytes, sha256: found.sha256 };
    } catch (error) {
      await (isWorthKeeping(error) ? part.keep() : part.remove());
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
        throw failed('no_room', name, size ?? 'room', `a full disk after ${part.bytes}`, error);
      }
      throw error;
    } finally {
      await part.close();
    }
  }

  /** Fills the part to its end. */
  async #receive(wanted: Wanted, part: PartFile): Promise<void> {
    const { name, size } = wanted;
    await this.#haveRoom(name, size, part.bytes);
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.#closed.signal]);
    const watched = { at: this.#parts.clock.monotonic() };
    void this.#watch(watched, stop);
    let total: number | null = null;
    try {
      signal.throwIfAborted();
      const answer = await this.#openAt(wanted, part, signal);
      total = answer.bytesTotal;
      if (total !== null && total !== size) {
        if (size !== null || total > this.#bytesMax) await discard(answer.stream);
        if (total > this.#bytesMax) throw failed('too_large', name, `at most ${this.#bytesMax}`, total);
        if (size !== null) throw failed('wrong_size', name, size, total);
        await this.#haveRoom(name, total, part.bytes);
      }
      for await (const chunk of answer.stream) {
        watched.at = this.#parts.clock.monotonic();
        const bytes = part.bytes + chunk.length;
        if (bytes > (size ?? total ?? bytes)) throw failed('wrong_size', name, (size ?? total)!, `at least ${bytes}`);
        if (bytes > this.#bytesMax) throw failed('too_large', name, `at most ${this.#bytesMax}`, `at least ${bytes}`);
        await part.append(chunk);
        watched.at = this.#parts.clock.monotonic();
      }
    } catch (error) {
      if (error instanceof PackageFailed || isOfDisk(error)) throw error;
      throw failed('interrupted', name, size ?? total ?? 'all', part.bytes, signal.aborted ? signal.reason : error);
    } finally {
      stop.abort();
    }
    // A stream that ends before the announced length was cut, even if it ended without an error.
    if (total !== null && part.bytes < total) throw failed('interrupted', name, total, part.bytes);
  }

  /** Opens where the part ends; from the start where the server cannot do that. */
  async #openAt({ name, url }: Wanted, part: PartFile, signal: AbortSignal): ReturnType<OpenPackage> {
    let answer = await this.#parts.open(url, { offset: part.bytes }, signal);
    if (answer.status === 416 && part.bytes > 0) {
      await discard(answer.stream);
      if (answer.bytesTotal === part.bytes) return { ...answer, stream: nothing() };
      await part.restart();
      answer = await this.#parts.open(url, { offset: 0 }, signal);
    }
    if (answer.status === 200 && part.bytes > 0) await part.restart();
    if (answer.status !== 200 && answer.status !== 206) {
      await discard(answer.stream);
      throw failed('unavailable', name, '200 or 206', answer.status);
    }
    if (part.bytes > 0) this.#parts.log.info({ package: name, offset: part.bytes }, 'package_fetch_continued');
    return answer;
  }

  async #haveRoom(name: string, size: number | null, have: number): Promise<void> {
    const room = await this.#parts.roomBytes?.();
    const need = (size ?? have) - have;
    if (room !== undefined && need > room) throw failed('no_room', name, need, room);
  }

  /** Ends a stream that gives nothing any more. */
  async #watch(watched: { at: number }, stop: AbortController): Promise<void> {
    const { clock, stallMs = 60_000 } = this.#parts;
    try {
      for (let left = stallMs; left > 0; left = watched.at + stallMs - clock.monotonic()) {
        await clock.sleep(left, stop.signal);
      }
      stop.abort(new Error(`no byte for ${stallMs} ms`));
    } catch {
      // Fetched, one way or the other.
    }
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
