import type { ActionTable } from '../../platform/actions.ts';
import type { DateText } from '../../platform/shifts.ts';
import { reasonOf, type UnreadableReason } from '../../platform/unreadable.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import { localDays } from '../../runtime/wall-time.ts';
import { unpack } from '../journal/segment.ts';
import { readSegment, UnreadableSegment } from '../journal/segment-row.ts';
import { firstReadable } from '../journal/unreadable-places.ts';
import { LogBlockWriter } from '../log-blocks/block-writer.ts';
import type { BiometricIndex } from '../people/erasing.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { isReadFailure } from '../schema/engine-failures.ts';
import { DeviceClocks } from './device-clocks.ts';
import { RecentSegments } from './recent-segments.ts';
import { ReportTables } from './report-tables.ts';

/**
 * Packed segments of the last commits stay in memory this long, so that the tables are filled
 * without opening them again.
 */
const recentBytesMax = 8 << 20;

/** Messages of a device that nobody can read, in one slice. */
interface Malformed {
  readonly count: number;
  readonly since: UnixMs;
  readonly last: { readonly seq: number; readonly receivedAt: UnixMs; readonly why: UnreadableReason };
}

interface ProjectionOptions {
  readonly actions: ActionTable;
  readonly timeZone: string;
  readonly biometrics: BiometricIndex;
}

/**
 * Fills the tables that people and integrators read from the journal, shortly after the commits.
 * Moves its cursor in the same transaction, so that a crash repeats nothing and loses nothing. Runs
 * in the writer thread, between commits.
 */
export class Projection {
  readonly #connection: Connection;
  #dayOf: (now: UnixMs) => DateText;
  readonly #reports: ReportTables;
  readonly #clocks: DeviceClocks;
  readonly #biometrics: BiometricIndex;
  readonly #logBlocks: LogBlockWriter;
  readonly #recent = new RecentSegments(recentBytesMax);
  /** Every record up to here is in the tables. */
  seq: number;
  /** Bytes of the segments that were projected since the start. */
  #takenBytes = 0;
  /** Those of them that went into blocks. */
  #packedBytes = 0;

  constructor(connection: Connection, { actions, timeZone, biometrics }: ProjectionOptions) {
    this.#connection = connection;
    this.#dayOf = localDays(timeZone);
    this.#clocks = new DeviceClocks(connection);
    this.#reports = new ReportTables(connection, { actions, biometrics, clocks: this.#clocks });
    this.#biometrics = biometrics;
    this.#logBlocks = new LogBlockWriter(connection);
    this.seq = this.#cursor();
  }

  #cursor(): number {
    return (this.#connection.sql('SELECT seq FROM projection_cursor WHERE id = 1').get() as { seq: number }).seq;
  }

  /** Begins where the tables are now, since another process may have filled them meanwhile. */
  begin(): void {
    this.seq = this.#cursor();
    this.#clocks.forget();
  }

  /** Another process fills the tables, and is here. */
  follow(seq: number): void {
    if (seq > this.seq) this.#recent.take(seq);
    this.seq = Math.max(this.seq, seq);
  }

  /** Of rows and of sealed blocks that went into the tables since the start. */
  get writtenBytes(): number {
    return this.#takenBytes - this.#packedBytes + this.#logBlocks.writtenBytes;
  }

  /** Counts the logs of the records that come next on the days of another time zone. */
  countIn(timeZone: string): void {
    this.#dayOf = localDays(timeZone);
  }

  /** The site's date at a moment. */
  dateOf(at: UnixMs): DateText {
    return this.#dayOf(at);
  }

  /** The clock of the box was set. In the caller's transaction. */
  clockWasSet(): void {
    this.#clocks.endAll();
  }

  /** Somebody else may have changed people or devices. */
  forgetPeople(): void {
    this.#reports.forgetPeople();
  }

  /** Share of the memory for such segments that is in use. */
  get recentFilled(): number {
    return this.#recent.filled;
  }

  /** Keeps a copy of a segment that was just committed for a moment, if there is room. */
  remember(firstSeq: number, packed: Buffer, count: number): void {
    this.#recent.add(firstSeq, packed, count);
  }

  /** The caller's transaction failed or was rolled back: forgets what it wrote. */
  forgetFrom(firstSeq: number): void {
    this.#recent.forgetFrom(firstSeq);
  }

  /**
   * Projects whole segments for about `sliceMs` (0: one) and about `bytesMax`, until `isAsked` says
   * that somebody waits, or until the tables have caught up with the journal; its commit comes on
   * top. Returns false if there was nothing to do. A segment that cannot be read is passed over.
   */
  project(sliceMs: number, bytesMax: number, isAsked: () => boolean): boolean {
    const { unreadable } = this.#connection;
    for (;;) {
      const known = unreadable.size;
      try {
        return this.#projectSlice(sliceMs, bytesMax, isAsked);
      } catch (error) {
        // The read that failed has ended the transaction; the next one does without it.
        if (!isReadFailure(error) || unreadable.size === known) throw error;
      }
    }
  }

  #projectSlice(sliceMs: number, bytesMax: number, isAsked: () => boolean): boolean {
    const { database, later } = this.#connection;
    let segment = this.#next(this.seq);
    if (!segment) return false;
    const until = performance.now() + sliceMs;
    const bytesUntil = this.#takenBytes + bytesMax;
    try {
      // This commit is not synced by itself but with the next one: what a power cut loses is
      // projected again from the journal. The caller makes the checkpoints.
      this.#connection.syncCommits(false);
      this.#connection.begin('tables');
      if (this.#cursor() !== this.seq) {
        // Another process has filled them since this one last looked.
        database.exec('ROLLBACK');
        this.begin();
        return true;
      }
      // Receipt of its last record in the journal, not the greatest: a clock of the box that was
      // ahead for a day must not stand there for years.
      const heard = new Map<DeviceNo, UnixMs>();
      const logsOfDays = new Map<string, Map<DeviceNo, number>>();
      const malformed = new Map<DeviceNo, Malformed>();
      let to = this.seq;
      do {
        this.#takeSegment(segment.first_seq, heard, logsOfDays, malformed);
        to = segment.first_seq + segment.count - 1;
        segment = this.#next(to);
      } while (segment && performance.now() < until && this.#takenBytes < bytesUntil && !isAsked());
      this.#logBlocks.finish();
      for (const [device, receivedAt] of heard)
        later(
          'INSERT INTO last_seen (device_no, received_at) VALUES (?, ?) ON CONFLICT (device_no) DO UPDATE SET received_at = excluded.received_at',
          ...[device, receivedAt],
        );
      for (const [device, { count, since, last }] of malformed)
        later(
          `UPDATE last_seen SET malformed_count = malformed_count + ?, malformed_since = coalesce(malformed_since, ?),
             malformed_at = ?, malformed_seq = ?, malformed_why = ? WHERE device_no = ?`,
          ...[count, since, last.receivedAt, last.seq, last.why, device],
        );
      for (const [day, counts] of logsOfDays)
        for (const [device, stored] of counts)
          later(
            'INSERT INTO log_day_count (day, device_no, stored) VALUES (?, ?, ?) ON CONFLICT (day, device_no) DO UPDATE SET stored = log_day_count.stored + excluded.stored',
            ...[day, device, stored],
          );
      later('UPDATE projection_cursor SET seq = ? WHERE id = 1', to);
      this.#reports.save();
      this.#clocks.save();
      database.exec('COMMIT');
      this.seq = to;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      this.#clocks.forget();
      this.#reports.forget();
      this.#logBlocks.forget();
      throw error;
    } finally {
      this.#connection.syncCommits(true);
    }
    return true;
  }

  #next(after: number): { first_seq: number; count: number } | undefined {
    const count = this.#recent.countAt(after + 1);
    if (count !== undefined) return { first_seq: after + 1, count };
    const { sql, unreadable } = this.#connection;
    const from = (unreadable.lastOfGap(after + 1) ?? after) + 1;
    try {
      return sql('SELECT first_seq, count FROM segment WHERE first_seq >= ? ORDER BY first_seq LIMIT 1').get(from) as
        | { first_seq: number; count: number }
        | undefined;
    } catch (error) {
      const next = isReadFailure(error) ? firstReadable(this.#connection, from) : null;
      if (next !== null) unreadable.addGap({ first: after + 1, last: next - 1 });
      throw error;
    }
  }

  #takeSegment(
    firstSeq: number,
    heard: Map<DeviceNo, UnixMs>,
    logsOfDays: Map<string, Map<DeviceNo, number>>,
    malformed: Map<DeviceNo, Malformed>,
  ): void {
    const packed = this.#open(firstSeq);
    if (!packed) return;
    this.#takenBytes += packed.length;
    unpack(packed, firstSeq, record => {
      const { deviceNo, receivedAt } = record;
      heard.set(deviceNo, receivedAt);
      if (record.channel === 'log') {
        this.#logBlocks.add(record);
        this.#packedBytes += record.payload.length;
        const day = this.#dayOf(receivedAt);
        let counts = logsOfDays.get(day);
        if (!counts) {
          counts = new Map();
          logsOfDays.set(day, counts);
        }
        counts.set(deviceNo, (counts.get(deviceNo) ?? 0) + 1);
      } else if (record.marks.malformed) {
        const known = malformed.get(deviceNo);
        const last = { seq: record.seq, receivedAt, why: reasonOf(record.payload) };
        malformed.set(deviceNo, { count: (known?.count ?? 0) + 1, since: known?.since ?? receivedAt, last });
      } else if (!record.marks.invalid) this.#reports.add(record);
      else this.#biometrics.addRecord(record);
    });
    this.#reports.takeAll();
  }

  /** Null for a damaged segment, which is counted, shown and skipped. */
  #open(firstSeq: number): Buffer | null {
    const recent = this.#recent.take(firstSeq);
    if (recent) return recent;
    try {
      return readSegment(this.#connection, firstSeq);
    } catch (error) {
      if (!(error instanceof UnreadableSegment)) throw error;
      return null;
    }
  }
}
