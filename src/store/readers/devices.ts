import type { ProductId } from '../../platform/device-id.ts';
import type { DeviceReads } from '../port/devices.ts';
import type { DeviceNo, Seq } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';

const eventsLookedAt = 50;

/**
 * What people ask about devices. Each statement reads by an index, and no more rows than it
 * answers.
 */
export function deviceReads({ sql }: Connection): Omit<DeviceReads, 'lastLogs' | 'parkedPage'> {
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
  };
}
