import { figuresOf, type MinuteRow, onlineMinutesOf, packMinutes, ringRows, slotOf } from '../../history-ring.ts';
import { historyLength } from '../../port/history.ts';
import type { StoreWrites } from '../../port/store.ts';
import type { OperationContext } from '../operation-context.ts';

/** Writes one row; with the first minute of an hour also a row for each hour that has ended. */
export function noteMinute(context: OperationContext, input: Parameters<StoreWrites['noteMinute']>[0]): void {
  const { sql } = context;
  const hour = Math.floor(input.minute / 60);
  const isFirst = ringRows(context, 'minute', hour * 60, hour * 60 + 60).next().done === true;
  if (isFirst) keepEndedHours(context, hour);
  sql(
    `INSERT OR REPLACE INTO history_minute (slot, minute, waiting, records, waits, free_bytes, temperature_tenths,
       line_seconds, online, online_devices) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      `INSERT OR REPLACE INTO history_hour (slot, hour, minutes, waiting, records, waits, free_bytes, temperature_tenths,
         line_seconds, online, online_minutes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
