import { statfsSync, statSync } from 'node:fs';
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import type { UnixMs } from '../../runtime/clock.ts';
import { areInodesLow, type Inodes, inodesOf } from '../../runtime/inodes.ts';
import type { OperationContext, Reading, ReadsOf, WritesOf } from '../domain.ts';
import { type Connection, databaseFile } from '../schema/database.ts';

/** The disk space that the store uses, and the free space. */
export function diskBytes(dataDir: string): { usedBytes: number; freeBytes: number } {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const file = databaseFile(dataDir);
  const { bavail, bsize } = statfsSync(dataDir);
  return { usedBytes: sizeOf(file) + sizeOf(`${file}-wal`), freeBytes: bavail * bsize };
}

/** How much the store could still take, once an hour: for `forecast`. */
export const roomSample = sqliteTable('room_sample', {
  at: integer().primaryKey(),
  roomBytes: integer('room_bytes').notNull(),
});

/** In days. */
export interface KeptDays {
  readonly records: number;
  readonly logs: number;
}

/**
 * How long segments of the journal stay after they were forwarded, and device logs; staff may
 * shorten both to make room.
 */
export const keptDaysMax: KeptDays = { records: 7, logs: 90 };

const keyOf = (what: string): string => `kept days ${what}`;

export function keptDays({ sql }: Pick<Connection, 'sql'>): KeptDays {
  const of = (what: keyof KeptDays): number => {
    const row = sql('SELECT value FROM meta WHERE key = ?').get(keyOf(what)) as { value: string } | undefined;
    const days = Number(row?.value ?? Number.NaN);
    return days >= 1 && days <= keptDaysMax[what] ? Math.floor(days) : keptDaysMax[what];
  };
  return { records: of('records'), logs: of('logs') };
}

const lookedAtMax = 20_000;
/** Of up to a thousand logs each. */
const blocksLookedAtMax = 5_000;
const sizes = {
  records: `SELECT 1 AS items, length(sealed_records) AS bytes FROM segment WHERE received_to < ? ORDER BY first_seq LIMIT ${lookedAtMax}`,
  logs: `SELECT log_block.count AS items, length(sealed_logs) AS bytes FROM log_block JOIN log_block_content USING (first_seq)
    WHERE received_to < ? ORDER BY first_seq LIMIT ${blocksLookedAtMax}`,
  files: `SELECT 1 AS items, bytes FROM file WHERE stored_at < ? AND waits = 0 LIMIT ${lookedAtMax}`,
} as const;

/** How long things are kept, and how much room it would make to keep them for less. */
export const room = {
  reads: ({ connection }: Reading) => ({
    keptDays: async (): Promise<KeptDays> => keptDays(connection),

    /**
     * Counts at most some ten thousand rows; then `at_least` is set. Counts records whether or not
     * they were forwarded, but only files that do not wait for the cloud.
     */
    async olderThan(
      what: 'records' | 'logs' | 'files',
      before: UnixMs,
    ): Promise<{ items: number; bytes: number; at_least: boolean }> {
      const { sql } = connection;
      const sum = sql(
        `SELECT count(*) AS rows, coalesce(sum(items), 0) AS items, coalesce(sum(bytes), 0) AS bytes FROM (${sizes[what]}) AS looked`,
      ).get(before) as { rows: number; items: number; bytes: number };
      const most = what === 'logs' ? blocksLookedAtMax : lookedAtMax;
      return { items: sum.items, bytes: sum.bytes, at_least: sum.rows >= most };
    },
  }),

  writes: {
    /** How long forwarded records and logs are kept; within `keptDaysMax`. */
    keepDays({ sql }: OperationContext, kept: KeptDays): void {
      for (const [what, days] of Object.entries(kept))
        sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(
          keyOf(what),
          String(days),
        );
    },
  },
};

export type RoomReads = ReadsOf<typeof room>;
export type RoomWrites = WritesOf<typeof room>;

export interface RetireReport {
  readonly segments: number;
  readonly logs: number;
  readonly events: number;
  /** False: the clock has jumped ahead, and nothing was removed for its age. */
  readonly isClockTrusted: boolean;
}

export interface RetentionWrites {
  /**
   * One step of retention: removes a bounded number of journal segments, logs and other rows that
   * have been kept long enough. A segment is removed only when every cursor has passed it, and
   * nothing while the clock is not trusted. Call it again while something was removed.
   */
  retire(input: { now: UnixMs }): RetireReport;
}

/** How much the store could still take at a moment. */
export interface RoomSample {
  readonly at: UnixMs;
  readonly roomBytes: number;
}

/** The forecast for the disk before it is full. */
export interface RoomReport {
  /** Of the whole file system. */
  readonly sizeBytes: number;
  /** Free on the file system, and free inside the database. */
  readonly roomBytes: number;
  /**
   * By how much the room shrinks in a day; 0 or less: it does not. Null: not known before it was
   * measured for a day.
   */
  readonly bytesPerDay: number | null;
  /** Until the store has to drop something, at that rate. Null: not known, or never. */
  readonly daysLeft: number | null;
  /** Inodes; null if its file system does not count them. */
  readonly inodes: Inodes | null;
  /** A tenth of the disk, of its inodes, or three days are left, or less. */
  readonly isLow: boolean;
}

/**
 * Order of deletion on a full disk (writer/sqlite-engine.ts). Attendance records and the audit
 * chain `done` are never deleted.
 */
export const goesFirst = ['refusals', 'forwarded', 'logs', 'reads'] as const;

const hourMs = 3600_000;
const dayMs = 24 * hourMs;
const sampledEveryMs = hourMs;
/** A week and a half: a rate over less could be that of a weekend. */
const samplesKeptMs = 11 * dayMs;
const measuredOverMs = 7 * dayMs;
const lowShare = 0.1;
const lowDays = 3;
const freedBytesMin = 16 << 20;
const freedShare = 0.01;

/** Where it begins to drop: a tenth of a small disk, 64 MiB of a large one. */
export const lowWaterOf = (sizeBytes: number): number => Math.min(64 << 20, Math.floor(sizeBytes / 10));

/**
 * Uses the rate of up to a week. After somebody made room (a rise by more than a hundredth of the
 * disk) it is measured from then on: otherwise the freed space would distort the rate. `samples`:
 * oldest first.
 */
export function forecast(
  samples: readonly RoomSample[],
  now: RoomSample,
  { sizeBytes, inodes }: Pick<RoomReport, 'sizeBytes' | 'inodes'>,
): RoomReport {
  const { roomBytes } = now;
  const step = Math.max(freedBytesMin, sizeBytes * freedShare);
  let first = now;
  for (const sample of samples.toReversed()) {
    // A clock that was set back leaves samples from the future.
    if (sample.at > first.at) continue;
    if (sample.at < now.at - measuredOverMs || first.roomBytes - sample.roomBytes > step) break;
    first = sample;
  }
  const elapsedMs = now.at - first.at;
  const bytesPerDay = elapsedMs < dayMs ? null : Math.round(((first.roomBytes - roomBytes) / elapsedMs) * dayMs);
  const untilDropping = Math.max(0, roomBytes - lowWaterOf(sizeBytes));
  const daysLeft = bytesPerDay !== null && bytesPerDay > 0 ? Math.floor(untilDropping / bytesPerDay) : null;
  const isLow = roomBytes < sizeBytes * lowShare || (daysLeft !== null && daysLeft <= lowDays);
  return { sizeBytes, roomBytes, bytesPerDay, daysLeft, inodes, isLow: isLow || areInodesLow(inodes) };
}

/** The room at the moment. */
function measureRoom(
  { sql }: Pick<Connection, 'sql'>,
  dataDir: string,
): Pick<RoomReport, 'sizeBytes' | 'roomBytes' | 'inodes'> {
  const { blocks, bavail, bsize, ...files } = statfsSync(dataDir);
  const { freelist_count } = sql('PRAGMA freelist_count').get() as { freelist_count: number };
  const { page_size } = sql('PRAGMA page_size').get() as { page_size: number };
  return {
    sizeBytes: blocks * bsize,
    roomBytes: bavail * bsize + freelist_count * page_size,
    inodes: inodesOf(files),
  };
}

export function roomReport(connection: Pick<Connection, 'sql'>, dataDir: string, now: UnixMs): RoomReport {
  const { roomBytes, ...disk } = measureRoom(connection, dataDir);
  return forecast(samplesOf(connection, now), { at: now, roomBytes }, disk);
}

function samplesOf({ sql }: Pick<Connection, 'sql'>, now: UnixMs): RoomSample[] {
  return sql('SELECT at, room_bytes AS roomBytes FROM room_sample WHERE at > ? ORDER BY at').all(
    now - measuredOverMs - hourMs,
  ) as unknown as RoomSample[];
}

/** For the writer: one sample an hour. */
export function sampleRoom(connection: Pick<Connection, 'sql'>, dataDir: string, now: UnixMs): void {
  const { sql } = connection;
  if (sql('SELECT 1 FROM room_sample WHERE at > ? AND at <= ?').get(now - sampledEveryMs, now)) return;
  sql(
    'INSERT INTO room_sample (at, room_bytes) VALUES (?, ?) ON CONFLICT (at) DO UPDATE SET room_bytes = excluded.room_bytes',
  ).run(now, measureRoom(connection, dataDir).roomBytes);
  sql('DELETE FROM room_sample WHERE at < ? OR at > ?').run(now - samplesKeptMs, now + hourMs);
}
