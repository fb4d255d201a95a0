import type { DayReads, SeenRecord } from '../port/day.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import type { KnownDevices } from './stored-devices.ts';

/** What happened on a day, for people who look. */
export function dayReads({ sql }: Connection, devices: KnownDevices): DayReads {
  return {
    async checkinCounts({ from, to, partSeconds }) {
      const parts = Array.from({ length: Math.ceil((to - from) / partSeconds) }, () => 0);
      for (const table of ['checkin', 'checkin_unresolved'] as const) {
        const rows = sql(
          `SELECT CAST((check_time_seconds - ?1) / ?3 AS INTEGER) AS part, count(*) AS count FROM ${table}
             WHERE check_time_seconds >= ?1 AND check_time_seconds < ?2 GROUP BY part`,
        ).all(from, to, partSeconds) as { part: number; count: number }[];
        for (const { part, count } of rows) parts[part]! += count;
      }
      return parts;
    },

    async checkinPeople({ from, to }) {
      const { people } = sql(
        `SELECT count(DISTINCT employee_id) AS people FROM checkin WHERE check_time_seconds >= ? AND check_time_seconds < ?`,
      ).get(from, to) as { people: number };
      return people;
    },

    async latestCheckins({ limit, after }) {
      const rows = sql(
        `SELECT r.id, r.device_no, r.received_at, r.check_type, r.check_time_seconds, coalesce(e.ext_id, '') AS ext_id,
           coalesce(e.name, '') AS name FROM checkin r LEFT JOIN employee e ON e.id = r.employee_id
           WHERE r.id > ? ORDER BY r.id DESC LIMIT ?`,
      ).all(after ?? -1, limit) as {
        id: number;
        device_no: number;
        received_at: number;
        check_type: string;
        check_time_seconds: number;
        ext_id: string;
        name: string;
      }[];
      return rows.map(
        (row): SeenRecord => ({
          id: row.id,
          at: row.check_time_seconds,
          receivedAt: row.received_at,
          deviceId: devices.deviceByNo(row.device_no as DeviceNo)?.deviceId ?? `#${row.device_no}`,
          extId: row.ext_id,
          name: row.name,
          checkType: row.check_type,
        }),
      );
    },
  };
}
