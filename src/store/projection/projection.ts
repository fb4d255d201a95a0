import type { ActionTable } from '../../platform/actions.ts';
import { localDays } from '../../platform/local-day.ts';
import type { Connection } from '../database.ts';
import { segmentPlace, unpack } from '../journal/segment.ts';
import type { DeviceNo, JournalRecord } from '../port.ts';
import { BrokenSeal } from '../sealing.ts';
import { ReportTables } from './report-tables.ts';

/** Packed segments of the last commits stay in memory this long, so that the tables are filled without opening them again. */
const recentBytesMax = 8 << 20;

/**
 * Fills the tables that people and integrators read from the journal, right behind the commits, with its own cursor in the same transaction: a
 * crash in between repeats nothing and loses nothing. Runs in the writer thread, between commits.
 */
export class Projection {
  readonly #connection: Connection;
  readonly #dayOf: (now: number) => string;
  readonly #reports: ReportTables;
  readonly #recent = new Map<number, Buffer>();
  #recentBytes = 0;
  /** Every record up to here is in the tables. */
  seq: number;
  damaged = 0;

  constructor(connection: Connection, actions: ActionTable, timeZone: string) {
    this.#connection = connection;
    this.#dayOf = localDays(timeZone);
    this.#reports = new ReportTables(connection, actions);
    this.seq = (connection.sql('SELECT seq FROM projection_cursor WHERE id = 1').get() as { seq: number }).seq;
  }

  /** A segment that was just committed: kept for a moment, if there is room. */
  remember(firstSeq: number, copy: () => Buffer): void {
    if (this.#recentBytes > recentBytesMax) return;
    const packed = copy();
    this.#recent.set(firstSeq, packed);
    this.#recentBytes += packed.length;
  }

  /** The caller's transaction failed or was rolled back: forget what it made. */
  forgetFrom(firstSeq: number): void {
    for (const [seq, packed] of this.#recent)
      if (seq >= firstSeq) {
        this.#recent.delete(seq);
        this.#recentBytes -= packed.length;
      }
  }

  /** Takes whole segments until at least `recordsMin` records are in the tables or none is left. False when none was. */
  project(recordsMin: number): boolean {
    const { database, sql } = this.#connection;
    if (!this.#next()) return false;
    // The commit rides on the next one that is synced: what a power cut takes is projected again from the journal.
    database.exec('PRAGMA synchronous = NORMAL');
    database.exec('BEGIN IMMEDIATE');
    try {
      const seen = new Map<DeviceNo, number>();
      const skews = new Map<DeviceNo, number>();
      const logCounts = new Map<string, number>();
      let to = this.seq;
      for (let taken = 0; taken < recordsMin; ) {
        const segment = this.#next(to);
        if (!segment) break;
        this.#takeSegment(segment.first_seq, seen, skews, logCounts);
        taken += segment.count;
        to = segment.first_seq + segment.count - 1;
      }
      for (const [device, at] of seen)
        sql(
          `INSERT INTO last_seen (device_no, received_at, clock_skew_seconds) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET received_at = max(received_at, excluded.received_at),
             clock_skew_seconds = coalesce(excluded.clock_skew_seconds, clock_skew_seconds)`,
        ).run(device, at, skews.get(device) ?? null);
      for (const [key, stored] of logCounts)
        sql(
          'INSERT INTO log_day_count (day, device_no, stored) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET stored = stored + excluded.stored',
        ).run(key.slice(0, 10), Number(key.slice(11)), stored);
      sql('UPDATE projection_cursor SET seq = ? WHERE id = 1').run(to);
      database.exec('COMMIT');
      this.seq = to;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    } finally {
      database.exec('PRAGMA synchronous = FULL');
    }
    return true;
  }

  #next(after = this.seq): { first_seq: number; count: number } | undefined {
    return this.#connection
      .sql('SELECT first_seq, count FROM segment WHERE first_seq > ? ORDER BY first_seq LIMIT 1')
      .get(after) as { first_seq: number; count: number } | undefined;
  }

  #takeSegment(
    firstSeq: number,
    seen: Map<DeviceNo, number>,
    skews: Map<DeviceNo, number>,
    logCounts: Map<string, number>,
  ): void {
    const packed = this.#open(firstSeq);
    if (!packed) return;
    unpack(packed, firstSeq, record => {
      const last = seen.get(record.deviceNo);
      if (last === undefined || last < record.receivedAt) seen.set(record.deviceNo, record.receivedAt);
      if (record.channel === 'log') {
        this.#takeLog(record);
        const key = `${this.#dayOf(record.receivedAt)} ${record.deviceNo}`;
        logCounts.set(key, (logCounts.get(key) ?? 0) + 1);
      } else if (!record.marks.quarantined && !record.marks.invalid) {
        const skew = this.#reports.take(record);
        if (skew !== null) skews.set(record.deviceNo, skew);
      }
    });
  }

  #takeLog(record: JournalRecord): void {
    const { payload, marks } = record;
    this.#connection
      .sql('INSERT INTO device_log (seq, device_no, received_at, path, marks, text) VALUES (?, ?, ?, ?, ?, ?)')
      .run(
        record.seq,
        record.deviceNo,
        record.receivedAt,
        record.logPath,
        (marks.truncated ? 1 : 0) | (marks.repaired ? 2 : 0),
        (payload as Buffer).toString('utf8'),
      );
  }

  /** Null for a damaged segment: counted, shown, passed over. */
  #open(firstSeq: number): Buffer | null {
    const recent = this.#recent.get(firstSeq);
    if (recent) {
      this.#recent.delete(firstSeq);
      this.#recentBytes -= recent.length;
      return recent;
    }
    const { sealed_records } = this.#connection
      .sql('SELECT sealed_records FROM segment WHERE first_seq = ?')
      .get(firstSeq) as {
      sealed_records: Uint8Array;
    };
    try {
      return this.#connection.seal.open(sealed_records, segmentPlace(firstSeq));
    } catch (error) {
      if (!(error instanceof BrokenSeal)) throw error;
      this.damaged++;
      return null;
    }
  }
}
