import { statfsSync } from 'node:fs';
import type { UnixMs } from '../../runtime/clock.ts';
import { areInodesLow, type Inodes, inodesOf } from '../../runtime/inodes.ts';
import type { Connection } from '../schema/database.ts';

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
 * Order of deletion on a full disk (room.ts). Attendance records and the audit chain `done` are
 * never deleted.
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
