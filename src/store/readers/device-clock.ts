import type { ClockBounds, ClockEpoch } from '../../platform/device-clock.ts';
import type { deviceClock } from '../schema/index.ts';

export type ClockColumns = Omit<typeof deviceClock.$inferSelect, 'deviceNo' | 'begunAt' | 'isEnded'>;

export const epochOf = (row: ClockColumns): ClockEpoch => ({
  firstSaid: row.firstSaid,
  lastSaid: row.lastSaid,
  lowMs: row.lowMs,
  lowAt: row.lowAt,
  highMs: row.highMs,
  highAt: row.highAt,
  near: {
    count: row.nearCount,
    hours: row.nearHours,
    lastAt: row.nearLastAt,
    gapMinMs: row.nearGapMinMs,
    gapMaxMs: row.nearGapMaxMs,
  },
});

export interface RecordClockColumns {
  readonly clockLowMs: number | null;
  readonly clockHighMs: number | null;
}

/** A row with what was known of the clock that made it, for the columns that say so. */
export function withClock<Row extends RecordClockColumns>(row: Row) {
  const { clockLowMs, clockHighMs, ...rest } = row;
  return { ...rest, clock: clockOf({ clockLowMs, clockHighMs }) };
}

/** Bounds of the clock that made a record; null if unknown. */
export function clockOf({ clockLowMs, clockHighMs }: RecordClockColumns): ClockBounds | null {
  return clockLowMs === null ? null : { lowMs: clockLowMs, highMs: clockHighMs };
}
