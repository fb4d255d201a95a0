import { clockEarliest } from '../../runtime/clock.ts';
import { cursorsOf } from '../domains/forwarding/tables.ts';
import { keptDays, type RetireReport } from '../domains/room.ts';
import { unpack } from '../journal/segment.ts';
import { eachDevice, readSegment, UnreadableSegment } from '../journal/segment-row.ts';
import { firstReadable } from '../journal/unreadable-places.ts';
import { dropBlocksOfSegment, dropOldBlocks, dropOldestBlocks } from '../log-blocks/block-writer.ts';
import { bulkChangeKept, dropForgottenRows } from '../people/bulk-changes.ts';
import type { Channel, DeviceNo } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { isReadFailure } from '../schema/engine-failures.ts';

const day = 24 * 3600 * 1000;
/**
 * How long data stay that are no longer needed; staff can change it for segments and logs
 * (domains/room.ts). Attendance records are never removed here.
 */
const fixedDays = { reportsSeen: 7, inbox: 7, logCounts: 7, confirmations: 90 } as const;
const eventsMax = 200_000;
const refusalsMax = 5_000;
const stepRows = 5_000;
const headsLookedAtMax = 100_000;
/** How much is dropped at a time on a full disk: little, because deleting writes too. */
const biteSegments = 100;

interface SegmentHead {
  readonly first_seq: number;
  readonly count: number;
  readonly received_to: number;
  readonly devices: Uint8Array;
  readonly bytes: number;
}

/**
 * The rows of a table that are older than ?1. A wrong clock may have dated rows after now (?2), or
 * before there were boxes: such a row counts as old as the next one, by `order`, with a plausible
 * date.
 */
const olderThan = (table: string, date: string, order: string): string => {
  const old = `${date} >= ${clockEarliest} AND ${date} < ?1`;
  return `(${old}) OR ((${date} > ?2 OR ${date} < ${clockEarliest}) AND ${order} < (SELECT max(${order}) FROM ${table} WHERE ${old}))`;
};

const heads = 'SELECT first_seq, count, received_to, devices, length(sealed_records) AS bytes FROM segment';

/**
 * Drops data that are no longer needed, oldest first, in steps; never an attendance record, never
 * what the cloud has not had yet.
 */
export class Retention {
  readonly #connection: Connection;
  readonly #upstream: boolean;
  #headsPage = 500;

  constructor(connection: Connection, upstream: boolean) {
    this.#connection = connection;
    this.#upstream = upstream;
  }

  /**
   * One step of the daily work, inside the caller's transaction. Drops nothing while the clock is
   * not trusted.
   */
  retire(now: number, projectedSeq: number): RetireReport {
    const { sql } = this.#connection;
    if (!believed(this.#connection, now)) return { segments: 0, logs: 0, events: 0, isClockTrusted: false };
    const kept = keptDays(this.#connection);
    const segments = this.dropForwardedSegments(projectedSeq, {
      now,
      receivedBefore: now - kept.records * day,
      withLogs: false,
      most: 500,
    });
    const logs = dropOldBlocks(
      this.#connection,
      olderThan('log_block', 'received_to', 'first_seq'),
      now - kept.logs * day,
      now,
    );
    const drop = (table: string, date: string, order: string, days: number) =>
      sql(`DELETE FROM ${table} WHERE ${olderThan(table, date, order)}`).run(now - days * day, now);
    drop('report_seen', 'seen_at', 'rowid', fixedDays.reportsSeen);
    drop('inbox', 'put_at', 'id', fixedDays.inbox);
    drop('confirmation', 'confirmed_at', 'rowid', fixedDays.confirmations);
    drop('bulk_change', 'at', 'id', bulkChangeKept.ms / day);
    dropForgottenRows(this.#connection, stepRows);
    sql('DELETE FROM log_day_count WHERE day < ?').run(
      new Date(now - fixedDays.logCounts * day).toISOString().slice(0, 10),
    );
    const events = sql('DELETE FROM event WHERE id <= (SELECT max(id) FROM event) - ?').run(eventsMax);
    // Rows dated by a wrong clock first: they would never be the oldest.
    sql(
      `DELETE FROM refusal WHERE rowid IN
         (SELECT rowid FROM refusal ORDER BY last_at > ?1, last_at DESC LIMIT -1 OFFSET ?2)`,
    ).run(now, refusalsMax);
    return {
      segments: segments.count,
      logs,
      events: Number(events.changes),
      isClockTrusted: true,
    };
  }

  /**
   * Drops segments that are in the tables and that every cursor has passed; `withLogs`: their logs
   * in the tables too. One dated by a wrong clock counts as old as the next with a plausible date,
   * so that it does not hold back those after it.
   */
  dropForwardedSegments(
    projectedSeq: number,
    options: { now: number; receivedBefore: number; withLogs: boolean; most: number; mostBytes?: number },
  ): { count: number; records: number } {
    const { sql } = this.#connection;
    const mostBytes = options.mostBytes ?? Number.POSITIVE_INFINITY;
    let count = 0;
    let records = 0;
    let bytes = 0;
    const drop = (head: SegmentHead) => {
      const last = lastOf(head);
      if (this.#connection.unreadable.hasSegment(head.first_seq)) return;
      if (count === options.most || bytes >= mostBytes || !this.#forwarded(head, last)) return;
      this.#drop(head, last);
      sql('DELETE FROM biometric_record WHERE seq BETWEEN ? AND ?').run(head.first_seq, last);
      if (options.withLogs) dropBlocksOfSegment(this.#connection, head.first_seq, last);
      count++;
      records += head.count;
      bytes += head.bytes;
    };
    const undated: number[] = [];
    for (const head of this.#headsInOrder()) {
      if (count === options.most || bytes >= mostBytes || lastOf(head) > projectedSeq) break;
      if (head.received_to > options.now || head.received_to < clockEarliest) {
        undated.push(head.first_seq);
        continue;
      }
      if (head.received_to >= options.receivedBefore) break;
      for (const firstSeq of undated.splice(0))
        drop(sql(`${heads} WHERE first_seq = ?`).get(firstSeq) as unknown as SegmentHead);
      drop(head);
    }
    return { count, records };
  }

  /**
   * Deleting reads the segment as a whole. One that cannot be read stays; the step that found it
   * fails, and the next one goes on without it.
   */
  #drop({ first_seq: first }: SegmentHead, last: number): void {
    try {
      this.#connection.sql('DELETE FROM segment WHERE first_seq = ?').run(first);
    } catch (error) {
      if (isReadFailure(error)) this.#connection.unreadable.addSegment({ first, last });
      throw error;
    }
  }

  /**
   * Page by page, skipping segments that must stay: a device that lags does not hold back those of
   * others. Where heads cannot be read, one by one, from behind that place at the next step.
   */
  *#headsInOrder(): Iterable<SegmentHead> {
    const { sql, unreadable } = this.#connection;
    let after = 0;
    for (let looked = 0; looked < headsLookedAtMax; looked += this.#headsPage) {
      after = unreadable.lastOfGap(after + 1) ?? after;
      const limit = this.#headsPage;
      let page: SegmentHead[];
      try {
        page = sql(`${heads} WHERE first_seq >= ? ORDER BY first_seq LIMIT ?`).all(
          after + 1,
          limit,
        ) as unknown as SegmentHead[];
      } catch (error) {
        if (isReadFailure(error)) this.#noteGap(after);
        throw error;
      }
      yield* page;
      if (page.length < limit) return;
      after = lastOf(page.at(-1)!);
    }
  }

  #noteGap(after: number): void {
    const next = this.#headsPage === 1 ? firstReadable(this.#connection, after + 1) : null;
    if (next !== null) this.#connection.unreadable.addGap({ first: after + 1, last: next - 1 });
    this.#headsPage = 1;
  }

  /**
   * Drops logs that the cloud may not have had, about `mostBytes`: blocks, and segments that hold
   * nothing else. The last resort before records are refused. Returns how many records
   * were dropped.
   */
  dropOldestLogs(mostBytes: number): number {
    const { sql } = this.#connection;
    const inTables = dropOldestBlocks(this.#connection, mostBytes);
    const segments = firstOf(
      sql(
        `SELECT first_seq AS seq, count, length(sealed_records) AS bytes FROM segment
           WHERE channels = 2 AND first_seq < (SELECT max(first_seq) FROM segment) ORDER BY first_seq LIMIT ?`,
      ).all(biteSegments),
      mostBytes,
    );
    if (segments.through >= 0) sql('DELETE FROM segment WHERE channels = 2 AND first_seq <= ?').run(segments.through);
    return Math.max(inTables, segments.records);
  }

  #forwarded(head: SegmentHead, last: number): boolean {
    const { sql } = this.#connection;
    if (sql('SELECT 1 FROM parked WHERE seq BETWEEN ? AND ? LIMIT 1').get(head.first_seq, last)) return false;
    if (!this.#upstream) return true;
    let passed = true;
    eachDevice(head.devices, (device, count, channel) => {
      if (count === 0 || !passed) return;
      const row = cursorsOf(this.#connection, device);
      // Records of a device that was removed from the site are not forwarded.
      if (row && this.#waitsIn(head, last, device, channel, row[channel])) passed = false;
    });
    return passed;
  }

  /** Its last record in the segment may be before the segment's end. */
  #waitsIn(head: SegmentHead, last: number, device: DeviceNo, channel: Channel, cursor: number): boolean {
    if (cursor >= last) return false;
    if (cursor < head.first_seq) return true;
    let waits = false;
    try {
      const packed = readSegment(this.#connection, head.first_seq);
      if (!packed) return false;
      unpack(packed, head.first_seq, record => {
        if (record.deviceNo !== device || record.channel !== channel) return;
        if (record.seq > cursor && !record.marks.local) waits = true;
      });
    } catch (error) {
      if (!(error instanceof UnreadableSegment)) throw error;
    }
    return waits;
  }
}

const lastOf = ({ first_seq, count }: SegmentHead): number => first_seq + count - 1;

/**
 * Up to which `seq` the first rows have about so many bytes, and how many records they hold; at
 * least one row.
 */
function firstOf(rows: readonly unknown[], mostBytes: number): { through: number; records: number } {
  let through = -1;
  let records = 0;
  let left = mostBytes;
  for (const row of rows as readonly { seq: number; count: number; bytes: number }[]) {
    if (left <= 0) break;
    through = row.seq;
    records += row.count;
    left -= row.bytes;
  }
  return { through, records };
}

const clockJumpMs = 2 * day;
/** Written so rarely that it does not wear the card. */
const clockNotedEveryMs = 6 * 3600 * 1000;

/**
 * Whether the clock is trusted. A clock that is more than two days ahead of the last trusted time
 * (set wrongly, or the box was off for long) is trusted after it has run on from there for two
 * days: otherwise a clock that is in 2036 for a day would delete every log and receipt.
 */
function believed({ sql }: Connection, now: number): boolean {
  const read = (key: string): number | null => {
    const row = sql('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
    return row ? Number(row.value) : null;
  };
  const note = (key: string) =>
    sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(
      key,
      String(now),
    );
  const last = read('retention_clock');
  const jumped = read('retention_clock_jumped');
  if (last !== null && now > last + clockJumpMs) {
    if (jumped === null || now < jumped) note('retention_clock_jumped');
    if (jumped === null || now < jumped + clockJumpMs) return false;
  }
  if (last === null || Math.abs(now - last) > clockNotedEveryMs) note('retention_clock');
  if (jumped !== null) sql("DELETE FROM meta WHERE key = 'retention_clock_jumped'").run();
  return true;
}
