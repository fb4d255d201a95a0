import { attendanceLimits } from './attendance.ts';
import { type Envelope, unixSeconds } from './envelope.ts';

/**
 * How many seconds a device's clock is ahead of the box's, judged by one message; null if that has
 * no time. The message's own time decides; without one, a punch later than its receipt shows that
 * the clock is ahead by at least that much.
 */
export function clockSkewOf(envelope: Pick<Envelope, 'time' | 'data'>, receivedAt: number): number | null {
  const received = Math.floor(receivedAt / 1000);
  const said = unixSeconds(envelope.time);
  if (said !== null) return said - received;
  const records = Array.isArray(envelope.data.records) ? envelope.data.records : [];
  let ahead: number | null = null;
  for (const record of records) {
    const time = unixSeconds((record as { check_time?: unknown } | null)?.check_time);
    if (time !== null && time > received) ahead = Math.max(ahead ?? 0, time - received);
  }
  return ahead;
}

/** What is worth a mark: null within the tolerance, so that network delay is none. */
export const markedSkew = (skew: number | null): number | null =>
  skew !== null && Math.abs(skew) > attendanceLimits.clockSkewSecondsMax ? skew : null;
