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

const logHeadBytes = 32;
/** Of a page in the write-ahead log. */
export const frameHeadBytes = 24;

/**
 * The pages that checkpoints have moved from the write-ahead log into the database file, by the
 * thread that writes. After a checkpoint has failed some of them may not be on the disk: the kernel
 * tells once that it could not write a page, and then takes it for written, and SQLite goes on
 * behind the last page that it has moved. Once all of the log was moved it is overwritten: what was
 * in it is then nowhere.
 */
export class CheckpointedPages implements Disposable {
  readonly #databaseFile: string;
  /** Stays open while the process runs: with it SQLite's own locks on the file would go. */
  #file: number | null = null;
  #mayLack = false;

  constructor(databaseFile: string) {
    this.#databaseFile = databaseFile;
  }

  /** A checkpoint has failed. */
  doubt(): void {
    this.#mayLack = true;
  }

  get mayLack(): boolean {
    return this.#mayLack;
  }

  /**
   * Writes what the first `frames` frames of the log hold into the file once more, and syncs it. To
   * be called between transactions, and while the log is whole. Throws if the disk still takes no
   * writes.
   */
  makeWhole(frames: number): void {
    if (!this.#mayLack) return;
    if (frames > 0) this.#write(frames);
    this.#mayLack = false;
  }

  /** Once no connection is open any more. */
  [Symbol.dispose](): void {
    if (this.#file !== null) closeSync(this.#file);
  }

  #write(frames: number): void {
    this.#file ??= openSync(this.#databaseFile, 'r+');
    const log = openSync(`${this.#databaseFile}-wal`, 'r');
    try {
      const head = readWhole(log, 0, logHeadBytes);
      const pageBytes = head.readUInt32BE(8);
      const placeOf = (frame: number) => logHeadBytes + frame * (frameHeadBytes + pageBytes);
      const newest = new Map<number, number>();
      for (let frame = 0; frame < frames; frame++)
        newest.set(readWhole(log, placeOf(frame), frameHeadBytes).readUInt32BE(0), frame);
      for (const [page, frame] of newest) {
        const content = readWhole(log, placeOf(frame) + frameHeadBytes, pageBytes);
        const at = (page - 1) * pageBytes;
        for (let done = 0; done < pageBytes; )
          done += writeSync(this.#file, content, done, pageBytes - done, at + done);
      }
      fdatasyncSync(this.#file);
    } finally {
      closeSync(log);
    }
  }
}

function readWhole(file: number, at: number, bytes: number): Buffer {
  const into = Buffer.alloc(bytes);
  for (let done = 0; done < bytes; ) {
    const read = readSync(file, into, done, bytes - done, at + done);
    if (read === 0) throw Object.assign(new Error(`the write-ahead log ends at ${at + done}`), { code: 'EIO' });
    done += read;
  }
  return into;
}
