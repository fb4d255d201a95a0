import type { Connection } from './database.ts';
import { eachDevice, segmentPlace, unpack } from './journal/segment.ts';
import type { Channel, DeviceNo, RetireReport } from './port.ts';
import { BrokenSeal } from './sealing.ts';

const day = 24 * 3600 * 1000;
/** How long what is no longer needed stays. Attendance records have no end here. */
export const keptDays = { segments: 7, logs: 90, reportsSeen: 7, inbox: 7, logCounts: 7, confirmations: 90 } as const;
const eventsMax = 200_000;
const refusalsMax = 5_000;
const stepRows = 5_000;
const headsPage = 500;
const headsLookedAtMax = 100_000;
/** On a full disk little is dropped at a time: deleting writes too. */
const bite = { logRows: 2000, segments: 100 } as const;

interface SegmentHead {
  readonly first_seq: number;
  readonly count: number;
  readonly received_to: number;
  readonly channels: number;
  readonly devices: Uint8Array;
  readonly bytes: number;
}

/** How far a device's messages and logs are forwarded. */
type Cursors = Readonly<Record<Channel, number>>;

const heads = 'SELECT first_seq, count, received_to, channels, devices, length(sealed_records) AS bytes FROM segment';

/** Drops what nobody needs any more, oldest first, in steps; never an attendance record, never what the cloud has not had. */
export class Retention {
  readonly #connection: Connection;
  readonly #upstream: boolean;

  constructor(connection: Connection, upstream: boolean) {
    this.#connection = connection;
    this.#upstream = upstream;
  }

  /** One step of the daily work, inside the caller's transaction. */
  retire(now: number, projectedSeq: number): RetireReport {
    const { sql } = this.#connection;
    const segments = this.dropForwardedSegments(projectedSeq, {
      receivedBefore: now - keptDays.segments * day,
      withLogs: false,
      most: 500,
    });
    const logs = sql(
      'DELETE FROM device_log WHERE seq IN (SELECT seq FROM device_log WHERE received_at < ? ORDER BY seq LIMIT ?)',
    ).run(now - keptDays.logs * day, stepRows);
    sql('DELETE FROM report_seen WHERE seen_at < ?').run(now - keptDays.reportsSeen * day);
    sql('DELETE FROM inbox WHERE put_at < ?').run(now - keptDays.inbox * day);
    sql('DELETE FROM log_day_count WHERE day < ?').run(
      new Date(now - keptDays.logCounts * day).toISOString().slice(0, 10),
    );
    sql('DELETE FROM confirmation WHERE confirmed_at < ?').run(now - keptDays.confirmations * day);
    const events = sql('DELETE FROM event WHERE id <= (SELECT max(id) FROM event) - ?').run(eventsMax);
    sql('DELETE FROM refusal WHERE rowid IN (SELECT rowid FROM refusal ORDER BY last_at DESC LIMIT -1 OFFSET ?)').run(
      refusalsMax,
    );
    return { segments: segments.count, logs: Number(logs.changes), events: Number(events.changes) };
  }

  /** Segments that the tables hold and that every cursor has passed; `withLogs`: their log rows too. */
  dropForwardedSegments(
    projectedSeq: number,
    options: { receivedBefore: number; withLogs: boolean; most: number; mostBytes?: number },
  ): { count: number; records: number } {
    const { sql } = this.#connection;
    let count = 0;
    let records = 0;
    let bytes = 0;
    for (const head of this.#headsInOrder()) {
      if (count === options.most || bytes >= (options.mostBytes ?? Number.POSITIVE_INFINITY)) break;
      const last = head.first_seq + head.count - 1;
      if (last > projectedSeq || head.received_to >= options.receivedBefore) break;
      if (!this.#forwarded(head, last)) continue;
      sql('DELETE FROM segment WHERE first_seq = ?').run(head.first_seq);
      if (options.withLogs) sql('DELETE FROM device_log WHERE seq BETWEEN ? AND ?').run(head.first_seq, last);
      count++;
      records += head.count;
      bytes += head.bytes;
    }
    return { count, records };
  }

  /** Page by page, past the segments that must stay: one device that lags holds nobody else's back. */
  *#headsInOrder(): Iterable<SegmentHead> {
    const { sql } = this.#connection;
    let after = 0;
    for (let looked = 0; looked < headsLookedAtMax; looked += headsPage) {
      const page = sql(`${heads} WHERE first_seq > ? ORDER BY first_seq LIMIT ?`).all(
        after,
        headsPage,
      ) as unknown as SegmentHead[];
      yield* page;
      if (page.length < headsPage) return;
      after = page.at(-1)!.first_seq;
    }
  }

  /** Logs that the cloud may not have had, about `mostBytes`: rows, and segments that hold nothing else. The last resort before refusing. Answers how many records. */
  dropOldestLogs(mostBytes: number): number {
    const { sql } = this.#connection;
    const rows = firstOf(
      sql('SELECT seq, 1 AS count, octet_length(text) AS bytes FROM device_log ORDER BY seq LIMIT ?').all(bite.logRows),
      mostBytes,
    );
    if (rows.through >= 0) sql('DELETE FROM device_log WHERE seq <= ?').run(rows.through);
    const segments = firstOf(
      sql(
        `SELECT first_seq AS seq, count, length(sealed_records) AS bytes FROM segment
           WHERE channels = 2 AND first_seq < (SELECT max(first_seq) FROM segment) ORDER BY first_seq LIMIT ?`,
      ).all(bite.segments),
      mostBytes,
    );
    if (segments.through >= 0) sql('DELETE FROM segment WHERE channels = 2 AND first_seq <= ?').run(segments.through);
    return Math.max(rows.records, segments.records);
  }

  #forwarded(head: SegmentHead, last: number): boolean {
    const { sql } = this.#connection;
    if (sql('SELECT 1 FROM parked WHERE seq BETWEEN ? AND ? LIMIT 1').get(head.first_seq, last)) return false;
    if (!this.#upstream) return true;
    let passed = true;
    eachDevice(head.devices, head.channels, (device, count, channel) => {
      if (count === 0 || !passed) return;
      const row = sql(
        `SELECT max(forwarded_seq, forwarded_message_seq) AS device, max(forwarded_seq, forwarded_log_seq) AS log
           FROM device WHERE device_no = ?`,
      ).get(device) as Cursors | undefined;
      // A device that was removed from the site has nobody left to forward for.
      if (row && this.#waitsIn(head, last, device, channel, row)) passed = false;
    });
    return passed;
  }

  /** Its last record in the segment may stand before the segment's end. */
  #waitsIn(head: SegmentHead, last: number, device: DeviceNo, channel: Channel | null, cursors: Cursors): boolean {
    const [one, other] = channel ? [cursors[channel], cursors[channel]] : [cursors.device, cursors.log];
    if (Math.min(one, other) >= last) return false;
    if (Math.max(one, other) < head.first_seq) return true;
    const { sql, seal } = this.#connection;
    const row = sql('SELECT sealed_records FROM segment WHERE first_seq = ?').get(head.first_seq) as {
      sealed_records: Uint8Array;
    };
    let waits = false;
    try {
      unpack(seal.open(row.sealed_records, segmentPlace(head.first_seq)), head.first_seq, record => {
        if (record.deviceNo !== device || (channel && record.channel !== channel)) return;
        if (record.seq > cursors[record.channel] && !record.marks.quarantined && !record.marks.local) waits = true;
      });
    } catch (error) {
      if (!(error instanceof BrokenSeal)) throw error;
    }
    return waits;
  }
}

/** Through which `seq` the first rows are about so many bytes, and how many records they hold; at least one row. */
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
