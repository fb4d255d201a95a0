import type { UnixMs } from '../../../runtime/clock.ts';
import type { OperationContext, Reading, ReadsOf, WritesOf } from '../../domain.ts';
import type { DeviceNo } from '../../port/journal.ts';
import type { Connection } from '../../schema/database.ts';
import {
  type Figures,
  figuresOf,
  type HistoryRing,
  type HourRow,
  historyLength,
  historyStepMs,
  type MinuteRow,
  onlineMinutesOf,
  packMinutes,
  ringRows,
  slotOf,
  unpackMinutes,
} from './rings.ts';

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

const deviceClockTraces = ({ sql }: Pick<Connection, 'sql'>) => ({
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

interface HistoryFigures {
  /** The most records that waited for the cloud; null: there is no cloud. */
  readonly waiting: number | null;
  /** How many the journal took. */
  readonly records: number;
  /** How long each waited for its commit (`packWaits`). */
  readonly waits: Uint8Array;
  /** The least that was free on the disk; null: the system did not say. */
  readonly freeBytes: number | null;
  /** The highest, in tenths of a degree Celsius; null: the board has no sensor. */
  readonly temperatureTenths: number | null;
  /** For how long the line was up; null: there is no cloud. */
  readonly lineSeconds: number | null;
}

/** One minute of the box. */
export interface HistoryMinute extends HistoryFigures {
  /** Minutes since 1970. */
  readonly minute: number;
  /** Devices that were online: bit n is that of `device_no` n. */
  readonly onlineDevices: Uint8Array;
}

/** One minute or one hour as it is kept. */
export interface HistoryPoint extends HistoryFigures {
  /** Its beginning. */
  readonly at: UnixMs;
  /** In how many of its minutes the box ran; a span in which it never ran has no point. */
  readonly minutes: number;
  /** Minutes of all devices together. */
  readonly online: number;
}

interface DeviceHour {
  readonly at: UnixMs;
  /** In how many minutes the box ran. */
  readonly minutes: number;
  /** In how many of them the device was online. */
  readonly online: number;
}

interface Span {
  readonly from: UnixMs;
  readonly to: UnixMs;
}

/**
 * Reads of the two rings: at most 2,880 minutes, or 9,600 hours. They run in the reader thread. The
 * hour that is not over yet comes from its minutes.
 */
function reads({ connection }: Reading) {
  const rowsOf = <Row>(what: Parameters<typeof ringRows>[1], { from, to }: Span, stepMs: number): Row[] => [
    ...ringRows<Row>(connection, what, Math.floor(from / stepMs), Math.ceil(to / stepMs)),
  ];

  /** The minutes after `hour` and before `to`, by hour. */
  const openHours = (hour: number, { to }: Span) =>
    Map.groupBy(
      rowsOf<MinuteRow>(
        'minuteOfDevices',
        { from: hour * historyStepMs.hour, to: Math.ceil(to / historyStepMs.hour) * historyStepMs.hour },
        historyStepMs.minute,
      ),
      ({ minute }) => Math.floor(minute / 60),
    );
  const firstHour = ({ from }: Span) => Math.floor(from / historyStepMs.hour);

  const onlineHours = (span: Span) => {
    const hours = rowsOf<{ hour: number; minutes: number; onlineMinutes: Uint8Array }>(
      'hourOfDevices',
      span,
      historyStepMs.hour,
    ).map(({ hour, minutes, onlineMinutes }) => ({
      at: hour * historyStepMs.hour,
      minutes,
      online: unpackMinutes(onlineMinutes),
      hour,
    }));
    const next = (hours.at(-1)?.hour ?? firstHour(span) - 1) + 1;
    for (const [hour, rows] of openHours(next, span))
      hours.push({ at: hour * historyStepMs.hour, minutes: rows.length, online: onlineMinutesOf(rows), hour });
    return hours.map(({ at, minutes, online }) => ({ at, minutes, online }));
  };

  return {
    ...deviceClockTraces(connection),

    /**
     * Oldest first; `to` is exclusive. What is older than the ring, or was not lived, is missing.
     */
    async history({ ring, ...span }: Span & { readonly ring: HistoryRing }): Promise<HistoryPoint[]> {
      if (ring === 'minute')
        return rowsOf<MinuteRow>('minute', span, historyStepMs.minute).map(row =>
          pointOf(row.minute * historyStepMs.minute, 1, row),
        );
      const hours = rowsOf<HourRow>('hour', span, historyStepMs.hour);
      const points = hours.map(row => pointOf(row.hour * historyStepMs.hour, row.minutes, row));
      for (const [hour, rows] of openHours((hours.at(-1)?.hour ?? firstHour(span) - 1) + 1, span))
        points.push(pointOf(hour * historyStepMs.hour, rows.length, figuresOf(rows)));
      return points;
    },

    /** The hours of one device, oldest first. */
    async deviceHours({ deviceNo, ...span }: Span & { readonly deviceNo: DeviceNo }): Promise<DeviceHour[]> {
      return onlineHours(span).map(({ at, minutes, online }) => ({ at, minutes, online: online[deviceNo] ?? 0 }));
    },

    /** For each hour that the box ran, oldest first, the minutes of each device by its number. */
    onlineHours: async (span: Span) => onlineHours(span),
  };
}

function pointOf(at: number, minutes: number, row: Figures): HistoryPoint {
  const { waiting, records, waits, freeBytes, temperatureTenths, lineSeconds, online } = row;
  return { at, minutes, waiting, records, waits, freeBytes, temperatureTenths, lineSeconds, online };
}

/** Of a row that takes the slot of an old one. */
const renewed = `waiting = excluded.waiting, records = excluded.records, waits = excluded.waits, free_bytes = excluded.free_bytes,
  temperature_tenths = excluded.temperature_tenths, line_seconds = excluded.line_seconds, online = excluded.online`;

/** Keeps a minute, and with the first one of an hour the sums of the hours before it. */
function noteMinute(context: OperationContext, input: HistoryMinute): void {
  const { sql } = context;
  const hour = Math.floor(input.minute / 60);
  const isFirst = ringRows(context, 'minute', hour * 60, hour * 60 + 60).next().done === true;
  if (isFirst) keepEndedHours(context, hour);
  sql(
    `INSERT INTO history_minute (slot, minute, waiting, records, waits, free_bytes, temperature_tenths,
       line_seconds, online, online_devices) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (slot) DO UPDATE SET minute = excluded.minute, ${renewed}, online_devices = excluded.online_devices`,
  ).run(
    slotOf('minute', input.minute),
    input.minute,
    input.waiting,
    input.records,
    input.waits,
    input.freeBytes,
    input.temperatureTenths,
    input.lineSeconds,
    bitsIn(input.onlineDevices),
    input.onlineDevices,
  );
}

/** Hours before `hour` that have minutes and no row of their own. */
function keepEndedHours(context: OperationContext, hour: number): void {
  const { sql } = context;
  const byHour = Map.groupBy(
    ringRows<MinuteRow>(context, 'minuteOfDevices', hour * 60 - historyLength.minute, hour * 60),
    ({ minute }) => Math.floor(minute / 60),
  );
  for (const [ended, rows] of byHour) {
    if (sql('SELECT 1 FROM history_hour WHERE slot = ? AND hour = ?').get(slotOf('hour', ended), ended)) continue;
    const sums = figuresOf(rows);
    sql(
      `INSERT INTO history_hour (slot, hour, minutes, waiting, records, waits, free_bytes, temperature_tenths,
         line_seconds, online, online_minutes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (slot) DO UPDATE SET hour = excluded.hour, minutes = excluded.minutes, ${renewed}, online_minutes = excluded.online_minutes`,
    ).run(
      slotOf('hour', ended),
      ended,
      rows.length,
      sums.waiting,
      sums.records,
      sums.waits,
      sums.freeBytes,
      sums.temperatureTenths,
      sums.lineSeconds,
      sums.online,
      packMinutes(onlineMinutesOf(rows)),
    );
  }
}

function bitsIn(bytes: Uint8Array): number {
  let bits = 0;
  for (const byte of bytes) for (let rest = byte; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

/** How the box fared. */
export const history = { reads, writes: { noteMinute } };

export type HistoryReads = ReadsOf<typeof history>;
export type HistoryWrites = WritesOf<typeof history>;
