import { statSync } from 'node:fs';
import { type Connection, checkpointPages, databaseFile, failureOf, timeoutMs } from '../schema/database.ts';
import { CheckpointedPages, frameHeadBytes } from '../schema/write-ahead-log.ts';

/**
 * A checkpoint delays the next commit by 2 ms a mebibyte or more. Under large commits it is made
 * after so many bytes of segments and tables. Small commits leave it until the log is long
 * (database.ts), so that pages that are rewritten often go to the card once.
 */
const checkpointBytes = 512 << 10;
/**
 * One that failed writes all of the log again: it is tried once the log has twice the length, or is
 * longer by so much.
 */
const growthBytesMax = 16 << 20;
/** An error that passes is none to speak of. */
const stuckAfter = 2;
const patienceMs = 1000;

/**
 * Moves what is committed from the write-ahead log into the database file. Where the disk takes no
 * writes there, it stays in the log: nothing is lost, and the log grows.
 *
 * SQLite makes none by itself: it would not say that one failed. The kernel had told it then that
 * pages are not written, and would not tell again.
 */
export class Checkpoints {
  readonly #connection: Connection;
  readonly #pages: CheckpointedPages;
  readonly #file: string;
  readonly #longLogPages: number;
  readonly #frameBytes: number;
  readonly #bytes: () => number;
  readonly #stuck: (isStuck: boolean) => void;
  #dueAt = checkpointBytes;
  #dueAtPages: number;
  /** In a row. */
  #failed = 0;

  /**
   * `bytes`: of journal and tables since the start. `stuck` is told whether the disk takes no
   * writes in places of the database file.
   */
  constructor(
    connection: Connection,
    { dataDir, bytes, stuck }: { dataDir: string; bytes: () => number; stuck: (isStuck: boolean) => void },
  ) {
    this.#connection = connection;
    this.#pages = new CheckpointedPages(databaseFile(dataDir));
    this.#file = `${databaseFile(dataDir)}-wal`;
    this.#longLogPages = checkpointPages(connection);
    this.#dueAtPages = this.#longLogPages;
    const { page_size } = connection.sql('PRAGMA page_size').get() as { page_size: number };
    this.#frameBytes = page_size + frameHeadBytes;
    this.#bytes = bytes;
    this.#stuck = stuck;
    // Of a log that a program before left nobody knows whether a checkpoint has failed.
    this.#pages.doubt();
    connection.database.exec('PRAGMA wal_autocheckpoint = 0');
  }

  /** Called after each batch of commits. */
  whenDue(): void {
    if (this.#failed === 0 && this.#bytes() >= this.#dueAt) this.now();
    else this.ofLongLog();
  }

  ofLongLog(): void {
    if (this.#log().log >= this.#dueAtPages) this.now();
  }

  /** Also where it is not due, such as to make room. */
  now(): void {
    const failed = this.#failureOf('PASSIVE') === 'broken';
    this.#dueAt = this.#bytes() + checkpointBytes;
    if (!failed) return;
    const { log } = this.#log();
    this.#dueAtPages = Math.max(this.#longLogPages, Math.min(log * 2, log + growthBytesMax / this.#frameBytes));
    if (++this.#failed === stuckAfter) this.#stuck(true);
  }

  /**
   * A log that had to grow, while a checkpoint failed or somebody read for long, gives its room
   * back. It waits for readers, up to a second.
   */
  shorten(): void {
    this.now();
    if (statSync(this.#file).size <= this.#longLogPages * this.#frameBytes * 2) return;
    this.#connection.database.exec(`PRAGMA busy_timeout = ${patienceMs}`);
    this.#failureOf('TRUNCATE');
    this.#connection.database.exec(`PRAGMA busy_timeout = ${timeoutMs}`);
  }

  /**
   * Leaves an empty log where the disk allows it: the next start would write one that was left once
   * more. Closing would not do it, since connections that read are closed later.
   */
  last(): void {
    this.#connection.database.exec('PRAGMA busy_timeout = 0');
    this.#failureOf('TRUNCATE');
  }

  #failureOf(mode: 'PASSIVE' | 'TRUNCATE'): ReturnType<typeof failureOf> {
    if (this.#connection.log.mayHaveHoles) return null;
    try {
      if (this.#pages.mayLack) this.#pages.makeWhole(this.#log().checkpointed);
      const { log, checkpointed } = this.#checkpoint(mode);
      if (this.#failed > 0 && log === checkpointed) this.#wentWell();
      return null;
    } catch (error) {
      const code = failureOf(error);
      if (code === null) throw error;
      // The kernel tells once that it could not write: neither the next commit nor the next
      // checkpoint would hear of it.
      this.#pages.doubt();
      if (code === 'broken') this.#connection.log.doubt();
      return code;
    }
  }

  #wentWell(): void {
    if (this.#failed >= stuckAfter) this.#stuck(false);
    this.#failed = 0;
    this.#dueAtPages = this.#longLogPages;
  }

  #log(): Checkpointed {
    return this.#checkpoint('NOOP');
  }

  /** In pages: how long the log is, and how much of it was moved. */
  #checkpoint(mode: 'NOOP' | 'PASSIVE' | 'TRUNCATE'): Checkpointed {
    return this.#connection.sql(`PRAGMA wal_checkpoint(${mode})`).get() as unknown as Checkpointed;
  }
}

interface Checkpointed {
  readonly log: number;
  readonly checkpointed: number;
}
