import type { ProductId } from '../../platform/device-id.ts';
import type { DeviceReads } from '../port/devices.ts';
import type { Directory } from '../port/directory.ts';
import type { DeviceNo, LogRow, Seq } from '../port/journal.ts';
import type { ParkedRecord } from '../port/store.ts';
import type { Connection } from '../schema/database.ts';

const eventsLookedAt = 50;

interface FoundLog {
  readonly seq: number;
  readonly received_at: number;
  readonly path: string;
  readonly marks: number;
  readonly text: string;
}

/**
 * What people ask about devices. Each statement reads by an index, and no more rows than it
 * answers.
 */
export function deviceReads({ sql }: Connection, directory: Directory): DeviceReads {
  return {
    async cameOnce(deviceNos) {
      const find = sql('SELECT 1 FROM event WHERE device_no = ? LIMIT 1');
      return new Set(deviceNos.filter(deviceNo => find.get(deviceNo) !== undefined));
    },

    async lastAddresses() {
      const rows = sql('SELECT device_no, last_address FROM device WHERE last_address IS NOT NULL').all() as {
        device_no: DeviceNo;
        last_address: string;
      }[];
      return new Map(rows.map(row => [row.device_no, row.last_address]));
    },

    async newDevicesSince(since) {
      return sql(
        `SELECT product_id AS productId, first_seen_at AS at FROM device WHERE listed = 0 AND first_seen_at >= ? AND (belongs_to IS NULL OR belongs_to = 'here') ORDER BY first_seen_at`,
      ).all(since) as { productId: ProductId; at: number }[];
    },

    async seen(deviceNo) {
      const row = sql('SELECT received_at, clock_skew_seconds FROM last_seen WHERE device_no = ?').get(deviceNo) as
        | { received_at: number; clock_skew_seconds: number | null }
        | undefined;
      return row ? { at: row.received_at, clockSkewSeconds: row.clock_skew_seconds } : null;
    },

    async lastConnected(deviceNo) {
      const rows = sql('SELECT at, kind FROM event WHERE device_no = ? ORDER BY id DESC LIMIT ?').all(
        deviceNo,
        eventsLookedAt,
      ) as { at: number; kind: string }[];
      return rows.find(({ kind }) => kind === 'connected')?.at ?? null;
    },

    async inboxCount(deviceNo) {
      const row = sql('SELECT count(*) AS count FROM inbox WHERE device_no = ?').get(deviceNo) as { count: number };
      return row.count;
    },

    async lastLogs(deviceNo, { limit, after }) {
      const rows = sql(
        `SELECT seq, received_at, path, marks, text FROM device_log WHERE device_no = ? AND seq > ?
           ORDER BY seq DESC LIMIT ?`,
      ).all(deviceNo, after ?? -1, limit) as unknown as FoundLog[];
      const device_id = directory.deviceByNo(deviceNo)?.deviceId ?? `#${deviceNo}`;
      return rows.map(({ seq, received_at, path, marks, text }): LogRow => {
        const slash = path.indexOf('/');
        return {
          seq: seq as Seq,
          deviceNo,
          device_id,
          model: path.slice(0, slash),
          sn: path.slice(slash + 1),
          received_at,
          text,
          truncated: (marks & 1) !== 0,
          repaired: (marks & 2) !== 0,
          clamped: (marks & 4) !== 0,
        };
      });
    },

    async seqBefore(at) {
      const ends = sql(
        'SELECT (SELECT min(first_seq) FROM segment) AS low, (SELECT max(first_seq) FROM segment) AS high',
      ).get() as {
        low: number | null;
        high: number | null;
      };
      if (ends.low === null || ends.high === null) return 0 as Seq;
      const next = sql(
        'SELECT first_seq, count, received_from FROM segment WHERE first_seq >= ? ORDER BY first_seq LIMIT 1',
      );
      let before = ends.low - 1;
      let within = ends.high + 1;
      while (within > before + 1) {
        const middle = Math.floor((before + within) / 2);
        const row = next.get(middle) as { first_seq: number; count: number; received_from: number } | undefined;
        if (!row || row.first_seq >= within || row.received_from >= at) within = middle;
        else before = row.first_seq + row.count - 1;
      }
      return before as Seq;
    },

    async parkedPage({ after, limit }) {
      const rows = sql('SELECT * FROM parked WHERE seq > ? ORDER BY seq LIMIT ?').all(after, limit) as {
        seq: number;
        device_no: number;
        parked_at: number;
        code: number;
        reason: string;
        send_again: number;
      }[];
      return rows.map(
        (row): ParkedRecord => ({
          seq: row.seq as Seq,
          deviceNo: row.device_no as DeviceNo,
          parkedAt: row.parked_at,
          code: row.code,
          reason: row.reason,
          sendAgain: row.send_again !== 0,
        }),
      );
    },
  };
}
