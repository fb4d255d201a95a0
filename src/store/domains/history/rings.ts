import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { blob, integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { addPackedWaits, packWaits, waitBuckets } from '../../../runtime/wait-times.ts';
import type { Connection } from '../../schema/database.ts';

/**
 * How the box fared: two rings. A row is overwritten when its time comes round again, so that a
 * write touches one page and nothing has to be deleted.
 */

/** By the minute for 48 hours, by the hour for 400 days. */
export type HistoryRing = 'minute' | 'hour';
export const historyLength = { minute: 48 * 60, hour: 400 * 24 } as const satisfies Record<HistoryRing, number>;
export const historyStepMs = { minute: 60_000, hour: 3_600_000 } as const satisfies Record<HistoryRing, number>;

/** Figures that both rings keep. Null if the box had none, such as a line where it stands alone. */
const figureColumns = {
  /** The most records that waited for the cloud. */
  waiting: integer(),
  /** How many the journal took. */
  records: integer().notNull(),
  /** How long they waited for their commit (`packWaits`). */
  waits: blob({ mode: 'buffer' }).notNull(),
  /** The least that was free on the disk. */
  freeBytes: integer('free_bytes'),
  /** The highest, in tenths of a degree Celsius. */
  temperatureTenths: integer('temperature_tenths'),
  /** How long the line was up. */
  lineSeconds: integer('line_seconds'),
};

/** The last 48 hours. */
export const historyMinute = sqliteTable('history_minute', {
  /** The minute modulo the ring's length. */
  slot: integer().primaryKey(),
  /** Minutes since 1970. */
  minute: integer().notNull(),
  ...figureColumns,
  /** How many devices were online. */
  online: integer().notNull(),
  /** Which: bit n is that of `device_no` n. */
  onlineDevices: blob('online_devices', { mode: 'buffer' }).notNull(),
});

/** The last 400 days. */
export const historyHour = sqliteTable('history_hour', {
  /** The hour modulo the ring's length. */
  slot: integer().primaryKey(),
  /** Hours since 1970. */
  hour: integer().notNull(),
  /** In how many of its minutes the box ran. */
  minutes: integer().notNull(),
  ...figureColumns,
  /** Minutes of all devices together. */
  online: integer().notNull(),
  /** Minutes of each device: byte n is that of `device_no` n, deflated. */
  onlineMinutes: blob('online_minutes', { mode: 'buffer' }).notNull(),
});

export interface Figures {
  readonly waiting: number | null;
  readonly records: number;
  readonly waits: Uint8Array;
  readonly freeBytes: number | null;
  readonly temperatureTenths: number | null;
  readonly lineSeconds: number | null;
  /** Devices in a minute; minutes of all devices in an hour. */
  readonly online: number;
}

export interface MinuteRow extends Figures {
  readonly minute: number;
  readonly onlineDevices: Uint8Array;
}

export interface HourRow extends Figures {
  readonly hour: number;
  readonly minutes: number;
}

export const slotOf = (ring: HistoryRing, number: number): number => number % historyLength[ring];

const figures = `waiting, records, waits, free_bytes AS freeBytes, temperature_tenths AS temperatureTenths,
  line_seconds AS lineSeconds, online`;
const columns = {
  minute: `minute, ${figures}`,
  minuteOfDevices: `minute, ${figures}, online_devices AS onlineDevices`,
  hour: `hour, minutes, ${figures}`,
  hourOfDevices: 'hour, minutes, online_minutes AS onlineMinutes',
} as const;

/** The minutes or hours from `from` to before `to`, in their order, by slot: one range or two. */
export function* ringRows<Row>(
  { sql }: Pick<Connection, 'sql'>,
  what: keyof typeof columns,
  from: number,
  to: number,
): Generator<Row> {
  const ring = what.startsWith('minute') ? 'minute' : 'hour';
  const length = historyLength[ring];
  const first = Math.max(from, to - length, 0);
  if (first >= to) return;
  const statement = sql(
    `SELECT ${columns[what]} FROM history_${ring}
       WHERE slot BETWEEN ? AND ? AND ${ring} BETWEEN ? AND ? ORDER BY slot`,
  );
  const [start, end] = [first % length, (to - 1) % length];
  const ranges =
    start <= end
      ? [[start, end]]
      : [
          [start, length - 1],
          [0, end],
        ];
  for (const [low, high] of ranges) yield* statement.all(low!, high!, first, to - 1) as unknown as Row[];
}

const least = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.min(one, other);
const most = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.max(one, other);

/** Sums and extremes of some minutes of an hour. */
export function figuresOf(rows: readonly Figures[]): Figures {
  const waits = new Float64Array(waitBuckets);
  let waiting: number | null = null;
  let records = 0;
  let freeBytes: number | null = null;
  let temperatureTenths: number | null = null;
  let lineSeconds: number | null = null;
  let online = 0;
  for (const row of rows) {
    addPackedWaits(row.waits, waits);
    waiting = most(waiting, row.waiting);
    records += row.records;
    freeBytes = least(freeBytes, row.freeBytes);
    temperatureTenths = most(temperatureTenths, row.temperatureTenths);
    lineSeconds = row.lineSeconds === null ? lineSeconds : (lineSeconds ?? 0) + row.lineSeconds;
    online += row.online;
  }
  return { waiting, records, waits: packWaits(waits), freeBytes, temperatureTenths, lineSeconds, online };
}

/** Minutes of each device, by its number, out of the minutes of an hour. */
export function onlineMinutesOf(rows: readonly Pick<MinuteRow, 'onlineDevices'>[]): Uint8Array {
  const minutes = new Uint8Array(8 * Math.max(0, ...rows.map(row => row.onlineDevices.length)));
  for (const { onlineDevices } of rows)
    for (let place = 0; place < onlineDevices.length; place++) {
      const eight = onlineDevices[place]!;
      if (eight === 0) continue;
      for (let bit = 0; bit < 8; bit++) if (eight & (1 << bit)) minutes[place * 8 + bit]!++;
    }
  return minutes;
}

/** Most devices are online all the time: 5,000 of them take some 40 to 600 bytes. */
export const packMinutes = (minutes: Uint8Array): Buffer => deflateRawSync(minutes);

/** More devices than a box can have. */
const minutesBytesMax = 1 << 20;

/** Empty where what is kept is damaged. */
export function unpackMinutes(packed: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: minutesBytesMax });
  } catch {
    return new Uint8Array();
  }
}
