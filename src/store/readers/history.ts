import {
  type Figures,
  figuresOf,
  type HourRow,
  type MinuteRow,
  onlineMinutesOf,
  ringRows,
  unpackMinutes,
} from '../history-ring.ts';
import { type HistoryPoint, type HistoryReads, historyStepMs } from '../port/history.ts';
import type { Connection } from '../schema/database.ts';
import { deviceClockTraces } from './device-clock-trace.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads of the two rings: at most 2,880 minutes, or 9,600 hours. They run in the reader thread. The
 * hour that is not over yet comes from its minutes.
 */
export function historyReads(connection: Pick<Connection, 'sql'>): HistoryReads {
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

    async history({ ring, ...span }) {
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

    async deviceHours({ deviceNo, ...span }) {
      return onlineHours(span).map(({ at, minutes, online }) => ({ at, minutes, online: online[deviceNo] ?? 0 }));
    },

    onlineHours: async span => onlineHours(span),
  };
}

function pointOf(at: number, minutes: number, row: Figures): HistoryPoint {
  const { waiting, records, waits, freeBytes, temperatureTenths, lineSeconds, online } = row;
  return { at, minutes, waiting, records, waits, freeBytes, temperatureTenths, lineSeconds, online };
}
