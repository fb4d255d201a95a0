import { figuresOf, type MinuteRow, onlineMinutesOf, packMinutes, ringRows, slotOf } from '../../history-ring.ts';
import { historyLength } from '../../port/history.ts';
import type { StoreWrites } from '../../port/store.ts';
import type { OperationContext } from '../operation-context.ts';

/** Of a row that takes the slot of an old one. */
const figures = `waiting = excluded.waiting, records = excluded.records, waits = excluded.waits, free_bytes = excluded.free_bytes,
  temperature_tenths = excluded.temperature_tenths, line_seconds = excluded.line_seconds, online = excluded.online`;

/** Writes one row; with the first minute of an hour also a row for each hour that has ended. */
export function noteMinute(context: OperationContext, input: Parameters<StoreWrites['noteMinute']>[0]): void {
  const { sql } = context;
  const hour = Math.floor(input.minute / 60);
  const isFirst = ringRows(context, 'minute', hour * 60, hour * 60 + 60).next().done === true;
  if (isFirst) keepEndedHours(context, hour);
  sql(
    `INSERT INTO history_minute (slot, minute, waiting, records, waits, free_bytes, temperature_tenths,
       line_seconds, online, online_devices) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (slot) DO UPDATE SET minute = excluded.minute, ${figures}, online_devices = excluded.online_devices`,
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
         ON CONFLICT (slot) DO UPDATE SET hour = excluded.hour, minutes = excluded.minutes, ${figures}, online_minutes = excluded.online_minutes`,
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
