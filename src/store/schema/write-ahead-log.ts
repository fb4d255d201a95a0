import { closeSync, existsSync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs';

const chunkBytes = 64 << 10;

/**
 * The write-ahead log of a store, by the thread that writes it. After a write or a flush has failed
 * there may be holes in it. The kernel tells of a page that it could not write once, and then takes
 * it for written: what stood in it is in memory alone, and a power cut would take everything behind
 * it in the log along, also what was committed and synced later.
 */
export class WriteAheadLog {
  readonly #file: string;
  #mayHaveHoles = false;

  constructor(databaseFile: string) {
    this.#file = `${databaseFile}-wal`;
  }

  /** A write, a flush or a checkpoint has failed. */
  doubt(): void {
    this.#mayHaveHoles = true;
  }

  get mayHaveHoles(): boolean {
    return this.#mayHaveHoles;
  }

  /**
   * Makes it whole if it may have holes, before anything is committed behind them. To be called
   * between transactions. Throws if the disk still takes no writes.
   */
  makeWhole(): void {
    if (!this.#mayHaveHoles) return;
    rewrite(this.#file);
    this.#mayHaveHoles = false;
  }
}

/**
 * For a log that a program before left: nobody knows whether its last writes failed. A box that was
 * stopped in order leaves an empty one. On a disk that is full, where writing in place needs room
 * too, it stays as it is: a full disk does not stop a start.
 */
export function makeLeftLogWhole(databaseFile: string): void {
  const file = `${databaseFile}-wal`;
  if (!existsSync(file)) return;
  try {
    rewrite(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/**
 * Writes it once more as the kernel has it in memory, and syncs it. It is SQLite's own locks that
 * closing a file would give up, and it has none on this one.
 */
function rewrite(file: string): void {
  const log = openSync(file, 'r+');
  try {
    const chunk = Buffer.alloc(chunkBytes);
    for (let at = 0; ; ) {
      const read = readSync(log, chunk, 0, chunkBytes, at);
      if (read === 0) break;
      for (let done = 0; done < read; ) done += writeSync(log, chunk, done, read - done, at + done);
      at += read;
    }
    fdatasyncSync(log);
  } finally {
    closeSync(log);
  }
}
