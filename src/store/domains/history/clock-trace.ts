import type { UnixMs } from '../../../runtime/clock.ts';
import type { DeviceNo } from '../../port/journal.ts';
import type { Connection } from '../../schema/database.ts';

/** Evidence about a device's clock, from the records that came in a part of a span. */
interface DeviceClockTrace {
  readonly part: number;
  /** The offset of the clock lies between both, in milliseconds ahead of the box's. */
  readonly lowMs: number;
  /** Upper bound; null without an answer of the device. */
  readonly highMs: number | null;
  /** The one that was longest on its way was so for at least so many milliseconds. */
  readonly delayMs: number;
}

/** Of each table: with more in the span, the newest. They cost the reader thread some 100 ms. */
const rowsMax = 50_000;

const table = (name: string): string => `SELECT * FROM (
  SELECT received_at, check_time_seconds, clock_low_ms, clock_high_ms, device_no FROM ${name}
    WHERE check_time_seconds BETWEEN CAST(?2 AS INTEGER) / 1000 - 604800 AND CAST(?3 AS INTEGER) / 1000 + 86400
    ORDER BY check_time_seconds DESC LIMIT ${rowsMax}) AS newest
  WHERE device_no = ?1 AND received_at >= ?2 AND received_at < ?3 AND clock_low_ms IS NOT NULL`;

/**
 * Evidence about a device's clock from its records, by parts of a span of receipt. There is no
 * index by device: it looks at the records of all devices in that time, and of the week before it,
 * from which records arrive late.
 */
const trace = `SELECT CAST((received_at - ?2) / ?4 AS INTEGER) AS part,
    max(clock_low_ms) AS lowMs, min(clock_high_ms) AS highMs,
    max(received_at - check_time_seconds * 1000 + clock_low_ms) AS delayMs
  FROM (${['checkin', 'checkin_unresolved', 'access_record'].map(table).join(' UNION ALL ')}) AS rows GROUP BY part ORDER BY part`;

export const deviceClockTraces = ({ sql }: Pick<Connection, 'sql'>) => ({
  /**
   * Only parts in which records came; records of programs that knew nothing of clocks are left out.
   */
  deviceClockTrace: async ({
    deviceNo,
    from,
    to,
    partMs,
  }: {
    deviceNo: DeviceNo;
    from: UnixMs;
    to: UnixMs;
    partMs: number;
  }): Promise<DeviceClockTrace[]> => sql(trace).all(deviceNo, from, to, partMs) as unknown as DeviceClockTrace[],
});
