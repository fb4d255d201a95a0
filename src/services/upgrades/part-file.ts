import { type FileHandle, open, rm } from 'node:fs/promises';
import { Summing } from './checksum.ts';

/**
 * A package that is not complete yet: what an earlier run left is hashed when it is opened, and
 * more is appended.
 */
export class PartFile {
  readonly path: string;
  readonly #like: string;
  readonly #handle: FileHandle;
  #sums: Summing;

  private constructor(path: string, like: string, handle: FileHandle) {
    this.path = path;
    this.#like = like;
    this.#handle = handle;
    this.#sums = new Summing(like);
  }

  /** `like`: a checksum of the kind that `finish` returns. Throws what the system throws. */
  static async open(path: string, like: string): Promise<PartFile> {
    // 'a' would write at the end whatever is asked, 'r+' wants the file, so it is made first.
    await (await open(path, 'a', 0o640)).close();
    const part = new PartFile(path, like, await open(path, 'r+'));
    try {
      for await (const chunk of part.#handle.createReadStream({ start: 0, autoClose: false })) part.#sums.add(chunk);
    } catch (error) {
      await part.close();
      throw error;
    }
    return part;
  }

  get bytes(): number {
    return this.#sums.bytes;
  }

  /** Resolves when the system has it; on disk it is after `finish` or `keep`. */
  async append(chunk: Uint8Array): Promise<void> {
    for (let done = 0; done < chunk.length; ) {
      const { bytesWritten } = await this.#handle.write(chunk, done, chunk.length - done, this.bytes + done);
      done += bytesWritten;
    }
    this.#sums.add(chunk);
  }

  async restart(): Promise<void> {
    await this.#handle.truncate(0);
    this.#sums = new Summing(this.#like);
  }

  /** Syncs, and returns the checksums of the whole. */
  async finish(): Promise<{ checksum: string; sha256: string }> {
    await this.#handle.sync();
    return this.#sums.finish();
  }

  /** For a later run to continue. Best effort: a part that is lost is fetched again. */
  async keep(): Promise<void> {
    await this.#handle.sync().catch(() => {});
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true }).catch(() => {});
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
