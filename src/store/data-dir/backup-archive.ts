import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A backup could not be written or restored; nothing was changed. */
export class BackupRefused extends Error {
  /** A code for a page, which translates it. */
  readonly code:
    | 'unreadable'
    | 'store_unreadable'
    | 'no_backup'
    | 'damaged'
    | 'newer'
    | 'environment'
    | 'foreign'
    | 'needs_key'
    | 'wrong_key'
    | 'no_recovery_key'
    | 'weak_passphrase'
    | 'exists'
    | 'no_folder'
    | 'bad_place'
    | 'no_room';
  /** Without the name of the file. */
  readonly reason: string;

  constructor(file: string, code: BackupRefused['code'], reason: string) {
    super(`${file}: ${reason}`);
    this.name = 'BackupRefused';
    this.code = code;
    this.reason = reason;
  }
}

/**
 * Plain text of a backup:
 *
 *     "GATEHOUSE BACKUP 1\n"
 *     manifest length in decimal, "\n"
 *     manifest: JSON {created_at, environment, schema_version, oldest_schema_version,
 *               counts: {table: rows}, parts: [{name, bytes, sha256}]}
 *     sha256 of the manifest in hex, "\n"
 *     the parts, one after another
 *
 * Part names are paths in the data directory: gatehouse.db, keys/…, tls/…, statements/…, and
 * files/… where they were asked for.
 */
const magic = 'GATEHOUSE BACKUP 1\n';
/** About 300 000 files. */
const manifestBytesMax = 64 << 20;

export interface Part {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly created_at: number;
  readonly environment: string;
  readonly schema_version: number;
  /** Of the oldest program that may restore it. */
  readonly oldest_schema_version: number;
  /** Rows of each table when the copy was made. */
  readonly counts: Readonly<Record<string, number>>;
  readonly parts: readonly Part[];
}

/**
 * The names that a backup may hold. Any other is refused, because it would become a file of the
 * data directory.
 */
const knownNames =
  /^(gatehouse\.db|keys\/(seal|before-update)\.key|tls\/(ca|leaf)\.(pem|key)|files\/[0-9a-z_-]{2}\/[0-9A-Za-z_-]{1,128}|statements\/\d{4}-\d{2}-\d{2}\.ndjson)$/;
const neededNames = ['gatehouse.db', 'keys/seal.key'];
/** A restore replaces these folders completely: files that the backup lacks are deleted. */
export const replacedFolders = ['keys', 'tls', 'statements'];

export const isKnownName = (name: string): boolean => knownNames.test(name);

/** In hex. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

export async function partOf(name: string, path: string): Promise<Part> {
  return { name, bytes: (await stat(path)).size, sha256: await sha256Of(path) };
}

/**
 * The archive as a stream; `pathOf` returns the path of a part. Throws if the length of a part has
 * changed.
 */
export async function* archive(manifest: Manifest, pathOf: (name: string) => string): AsyncGenerator<Uint8Array> {
  const json = JSON.stringify(manifest);
  yield Buffer.from(`${magic}${Buffer.byteLength(json)}\n${json}${createHash('sha256').update(json).digest('hex')}\n`);
  for (const { name, bytes } of manifest.parts) {
    let sent = 0;
    for await (const chunk of createReadStream(pathOf(name))) {
      sent += chunk.length;
      yield chunk;
    }
    if (sent !== bytes) throw new Error(`${name}: changed while it was backed up: try again`);
  }
}

/** Reads an archive once from its start to its end; the manifest first, then its parts. */
export class ArchiveReader {
  readonly #file: string;
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(file: string, source: AsyncIterable<Uint8Array>) {
    this.#file = file;
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  /**
   * Throws BackupRefused where it is no archive, is damaged, or names something that no backup
   * holds.
   */
  async manifest(): Promise<Manifest> {
    const damaged = this.#refuse('damaged', 'is damaged in its first bytes: take another backup');
    if (Buffer.from(await this.#take(magic.length)).toString('latin1') !== magic)
      throw this.#refuse('no_backup', 'is not a Gatehouse backup');
    let digits = '';
    for (let one = await this.#digit(); one !== '\n'; one = await this.#digit()) {
      digits += one;
      if (!/^\d{1,9}$/.test(digits)) throw damaged;
    }
    const length = Number(digits);
    if (length > manifestBytesMax) throw damaged;
    const json = await this.#take(length);
    const sum = Buffer.from(await this.#take(65)).toString('latin1');
    if (sum !== `${createHash('sha256').update(json).digest('hex')}\n`) throw damaged;
    const manifest = JSON.parse(Buffer.from(json).toString('utf8')) as Manifest;
    const names = new Set<string>();
    for (const { name, bytes } of manifest.parts) {
      if (!isKnownName(name) || names.has(name))
        throw this.#refuse('foreign', `holds "${name}", which does not belong there`);
      if (!(Number.isSafeInteger(bytes) && bytes >= 0)) throw damaged;
      names.add(name);
    }
    for (const name of neededNames)
      if (!names.has(name)) throw this.#refuse('foreign', `holds no ${name}: it is no whole backup`);
    if (names.has('tls/ca.pem') && !names.has('tls/ca.key'))
      throw this.#refuse('foreign', 'holds tls/ca.pem without its tls/ca.key: it is no whole backup');
    return manifest;
  }

  /** Writes every part into `folder`, and checks every byte and that nothing follows. */
  async unpack(manifest: Manifest, folder: string): Promise<void> {
    // A folder for which the backup has nothing is replaced too, by an empty one.
    for (const name of replacedFolders) await mkdir(join(folder, name), { mode: 0o700 });
    for (const part of manifest.parts) {
      const target = join(folder, part.name);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      const hash = createHash('sha256');
      if (part.bytes === 0) await writeFile(target, '', { mode: 0o600 });
      else await pipeline(this.#bytes(part.bytes, hash), createWriteStream(target, { mode: 0o600, flush: true }));
      if (hash.digest('hex') !== part.sha256)
        throw this.#refuse('damaged', `is damaged in its part ${part.name}: take another backup`);
    }
    if (this.#rest.length > 0 || !(await this.#source.next()).done)
      throw this.#refuse('damaged', 'is longer than it should be: it was added to; take another backup');
  }

  async #take(count: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#bytes(count)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  readonly #digit = async () => Buffer.from(await this.#take(1)).toString('latin1');

  /** The next so many bytes. */
  async *#bytes(count: number, hash?: { update(bytes: Uint8Array): unknown }): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0) {
        const next = await this.#source.next();
        if (next.done) throw this.#refuse('damaged', 'is cut: take another backup');
        this.#rest = next.value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      hash?.update(piece);
      yield piece;
    }
  }

  #refuse(code: BackupRefused['code'], reason: string): BackupRefused {
    return new BackupRefused(this.#file, code, reason);
  }
}
