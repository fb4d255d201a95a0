import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from './database.ts';
import type { Retention } from './retention.ts';

const megabyte = 1 << 20;

/**
 * Room on the disk (DESIGN 2, promise 3). Below low water the oldest forwarded data goes first, then the oldest logs, never an attendance record.
 * Deleting needs room itself: a reserve file is given up for it and laid down again afterwards.
 */
export class Room {
  readonly #connection: Connection;
  readonly #retention: Retention;
  readonly #dataDir: string;
  readonly #reserveFile: string;
  readonly lowWaterBytes: number;
  readonly #reserveBytes: number;
  readonly #pageBytes: number;

  constructor(connection: Connection, retention: Retention, dataDir: string) {
    this.#connection = connection;
    this.#retention = retention;
    this.#dataDir = dataDir;
    this.#reserveFile = join(dataDir, 'reserve');
    const { blocks, bsize } = statfsSync(dataDir);
    this.lowWaterBytes = Math.min(64 * megabyte, Math.floor((blocks * bsize) / 10));
    this.#reserveBytes = Math.min(16 * megabyte, Math.floor(this.lowWaterBytes / 2));
    this.#pageBytes = Number((connection.sql('PRAGMA page_size').get() as { page_size: number }).page_size);
    this.layReserve();
  }

  /** Free on the file system and free inside the database file. */
  headroom(): number {
    const { bavail, bsize } = statfsSync(this.#dataDir);
    const { freelist_count } = this.#connection.sql('PRAGMA freelist_count').get() as { freelist_count: number };
    return bavail * bsize + freelist_count * this.#pageBytes;
  }

  get low(): boolean {
    return this.headroom() < this.lowWaterBytes;
  }

  /**
   * Drops what may be dropped until there is twice the low water, and notes how much. Not inside a transaction.
   * False when nothing could be dropped and there still is no room.
   */
  make(projectedSeq: number): boolean {
    rmSync(this.#reserveFile, { force: true });
    for (let step = 0; step < 1000 && this.headroom() < this.lowWaterBytes * 2; step++)
      if (!this.#drop(projectedSeq)) break;
    const enough = this.headroom() > this.lowWaterBytes / 2;
    this.layReserve();
    return enough;
  }

  #drop(projectedSeq: number): boolean {
    const { database, sql } = this.#connection;
    database.exec('BEGIN IMMEDIATE');
    try {
      const note = sql(
        'INSERT INTO dropped (reason, count) VALUES (?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count',
      );
      const forwarded = this.#retention.dropForwardedSegments(projectedSeq, {
        receivedBefore: Number.POSITIVE_INFINITY,
        withLogs: true,
        most: 2000,
      });
      if (forwarded.count > 0) note.run('disk full: already forwarded', forwarded.records);
      const logs = forwarded.count > 0 ? 0 : this.#retention.dropOldestLogs();
      if (logs > 0) note.run('disk full: oldest logs', logs);
      database.exec('COMMIT');
      return forwarded.count > 0 || logs > 0;
    } catch {
      if (database.isTransaction) database.exec('ROLLBACK');
      return false;
    }
  }

  /** Only where there is plenty: the reserve must not be what fills the disk. */
  layReserve(): void {
    try {
      const { bavail, bsize } = statfsSync(this.#dataDir);
      if (bavail * bsize < this.#reserveBytes * 3) return;
      const file = openSync(this.#reserveFile, 'wx', 0o600);
      try {
        const zeros = Buffer.alloc(64 * 1024);
        for (let written = 0; written < this.#reserveBytes; written += zeros.length) writeSync(file, zeros);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(this.#reserveFile, { force: true });
    }
  }
}
