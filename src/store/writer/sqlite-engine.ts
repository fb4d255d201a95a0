import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { storeFaults } from '../../words/store.ts';
import { dropAudit } from '../domains/audit/entries.ts';
import { goesFirst, lowWaterOf, sampleRoom } from '../domains/room.ts';
import { type Connection, databaseFile, openForWriting } from '../schema/database.ts';
import { Checkpoints } from './checkpoints.ts';
import type { WriterEngine } from './engine.ts';
import type { Retention } from './retention.ts';

const megabyte = 1 << 20;
const segmentsAtOnce = 2000;
const stepsMax = 1000;
const biteBytesMin = 16 << 10;

interface Dropped {
  readonly reason: string;
  readonly records: number;
}

/**
 * Makes room on the disk (DESIGN 2, promise 3). Below the low-water mark it deletes refusals of the
 * audit log first, then the oldest forwarded data, then the oldest logs; never an attendance
 * record. Deleting needs room itself: the write-ahead log has some, and a reserve file is removed
 * for it and created again afterwards.
 */
class Room {
  readonly #connection: Connection;
  readonly #retention: Retention;
  readonly #dataDir: string;
  readonly #checkpoints: () => Checkpoints;
  readonly #reserveFile: string;
  readonly lowWaterBytes: number;
  readonly #reserveBytes: number;
  /**
   * Space that the database leaves free: without room for its log nothing can be written, and so
   * nothing deleted.
   */
  readonly #logBytes: number;
  /**
   * Bytes of segments, and as many of rows, in one transaction: a larger one would need more log
   * than there is room for.
   */
  readonly biteBytes: number;
  readonly #pageBytes: number;

  constructor(
    connection: Connection,
    retention: Retention,
    { dataDir, checkpoints }: { dataDir: string; checkpoints: () => Checkpoints },
  ) {
    this.#connection = connection;
    this.#retention = retention;
    this.#dataDir = dataDir;
    this.#checkpoints = checkpoints;
    this.#reserveFile = join(dataDir, 'reserve');
    const { blocks, bsize } = statfsSync(dataDir);
    this.lowWaterBytes = lowWaterOf(blocks * bsize);
    this.#logBytes = Math.floor(this.lowWaterBytes / 2);
    this.biteBytes = Math.min(2 * megabyte, Math.floor(this.#logBytes / 4));
    this.#reserveBytes = Math.min(16 * megabyte, Math.floor(this.lowWaterBytes / 2));
    this.#pageBytes = Number((connection.sql('PRAGMA page_size').get() as { page_size: number }).page_size);
    this.layReserve();
  }

  /**
   * Bytes that the database can still take: the free pages in its file, and the free space that
   * neither its log nor its next checkpoint needs.
   */
  headroom(): number {
    const { sql } = this.#connection;
    const { bavail, bsize } = statfsSync(this.#dataDir);
    const { freelist_count } = sql('PRAGMA freelist_count').get() as { freelist_count: number };
    const { page_count } = sql('PRAGMA page_count').get() as { page_count: number };
    const onlyInLog = Math.max(0, page_count * this.#pageBytes - statSync(databaseFile(this.#dataDir)).size);
    return Math.max(0, bavail * bsize - onlyInLog - this.#logBytes) + freelist_count * this.#pageBytes;
  }

  /** Takes a sample for the forecast; called once an hour. */
  sample(now: number): void {
    sampleRoom(this.#connection, this.#dataDir, now);
  }

  get low(): boolean {
    return this.headroom() < this.lowWaterBytes;
  }

  /**
   * Drops what may be dropped until there is twice the low-water mark, and notes how much. Not
   * inside a transaction. Returns false if nothing could be dropped and there still is no room.
   */
  make(projectedSeq: number): boolean {
    rmSync(this.#reserveFile, { force: true });
    this.#checkpoints().shorten();
    let next = 0;
    let bite = this.biteBytes;
    for (let step = 0; step < stepsMax && this.headroom() < this.lowWaterBytes * 2; step++) {
      const drop = this.#drops[goesFirst[next]!];
      const dropped = this.#dropped(() => drop(bite, projectedSeq));
      this.#checkpoints().ofLongLog();
      if (dropped === 'some') continue;
      // If the log has no room for such a transaction, it may have for a smaller one.
      if (dropped === 'failed' && next > 0 && bite > biteBytesMin) bite /= 4;
      else if ((dropped === 'none' || next === 0) && next < goesFirst.length - 1) next++;
      else break;
    }
    // So that the log starts over.
    this.#checkpoints().now();
    const enough = this.headroom() > this.lowWaterBytes / 2;
    this.layReserve();
    return enough;
  }

  readonly #dropForwarded = (bite: number, projectedSeq: number): Dropped => ({
    reason: 'disk full: already forwarded',
    records: this.#retention.dropForwardedSegments(projectedSeq, {
      now: Number.POSITIVE_INFINITY,
      receivedBefore: Number.POSITIVE_INFINITY,
      withLogs: true,
      most: segmentsAtOnce,
      mostBytes: bite,
    }).records,
  });

  readonly #dropOldestLogs = (bite: number): Dropped => ({
    reason: 'disk full: oldest logs',
    records: this.#retention.dropOldestLogs(bite),
  });

  readonly #dropAudit = (chain: 'read' | 'refused', reason: string) => (): Dropped => ({
    reason,
    records: dropAudit(this.#connection, chain),
  });

  /** Deletions on a full disk. Neither attendance nor the audit chain `done` is among them. */
  readonly #drops: Readonly<Record<(typeof goesFirst)[number], (bite: number, projectedSeq: number) => Dropped>> = {
    refusals: this.#dropAudit('refused', 'disk full: refused calls in the audit log'),
    forwarded: this.#dropForwarded,
    logs: this.#dropOldestLogs,
    reads: this.#dropAudit('read', 'disk full: reads in the audit log'),
  };

  #dropped(drop: () => Dropped): 'some' | 'none' | 'failed' {
    const { database, sql } = this.#connection;
    try {
      database.exec('BEGIN IMMEDIATE');
      const { reason, records } = drop();
      if (records > 0)
        sql(
          'INSERT INTO dropped (reason, count) VALUES (?, ?) ON CONFLICT (reason) DO UPDATE SET count = dropped.count + excluded.count',
        ).run(reason, records);
      database.exec('COMMIT');
      return records > 0 ? 'some' : 'none';
    } catch {
      if (database.isTransaction) database.exec('ROLLBACK');
      return 'failed';
    }
  }

  /** Only if there is plenty of room: the reserve must not fill the disk. */
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

const remedies = {
  disk_full: storeFaults.say('disk_full'),
  read_only: storeFaults.say('disk_read_only'),
  broken: storeFaults.say('disk_broken'),
} as const;

/** One database file, which this connection alone writes. */
export function sqliteEngine(dataDir: string, sealKey: Uint8Array): WriterEngine {
  const connection = openForWriting(dataDir, sealKey);
  return {
    connection,
    whyFailed: failure => remedies[failure],
    keepers({ retention, bytes, stuck }) {
      const log = new Checkpoints(connection, { dataDir, bytes, stuck });
      return { room: new Room(connection, retention, { dataDir, checkpoints: () => log }), log };
    },
    place: (_, lastSeq) => lastSeq + 1,
    mayFillTables: () => 'yes',
    tail: () => null,
    changes: () => (connection.sql('SELECT total_changes() AS changes').get() as { changes: number }).changes,
  };
}
