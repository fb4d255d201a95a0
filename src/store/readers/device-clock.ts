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
  readonly clockSkewSeconds: number | null;
}

/** A row with what was known of the clock that made it, for the columns that say so. */
export function withClock<Row extends RecordClockColumns>(row: Row) {
  const { clockLowMs, clockHighMs, clockSkewSeconds, ...rest } = row;
  return { ...rest, clock: clockOf({ clockLowMs, clockHighMs, clockSkewSeconds }) };
}

/** What was known of the clock that made a record. Of an older program only a fast clock counts. */
export function clockOf({ clockLowMs, clockHighMs, clockSkewSeconds }: RecordClockColumns): ClockBounds | null {
  if (clockLowMs !== null) return { lowMs: clockLowMs, highMs: clockHighMs };
  return clockSkewSeconds !== null && clockSkewSeconds > 0 ? { lowMs: clockSkewSeconds * 1000, highMs: null } : null;
}
