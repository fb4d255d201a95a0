import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { OfDevices } from './of-box.ts';

/** A check-in or an access record as people see it. */
export interface SeenRecord {
  readonly id: number;
  readonly at: UnixSeconds;
  readonly receivedAt: UnixMs;
  /** Empty: only the cloud lists it; no device of the site reported it. */
  readonly deviceId: string;
  /** The name of the device; empty: it has none. */
  readonly device: string;
  /** Empty: the organization does not know the person. */
  readonly extId: string;
  readonly name: string;
  readonly checkType: string;
}

export interface LatestCheckin extends SeenRecord {
  /** As the device named a person whom the organization does not know; else empty. */
  readonly said: string;
}

export interface DayReads {
  /**
   * Check-ins by parts of a span: how many in each, oldest first. Both ends in seconds, `to`
   * exclusive.
   */
  checkinCounts(span: { from: UnixSeconds; to: UnixSeconds; partSeconds: number } & OfDevices): Promise<number[]>;
  /** How many people the span has check-ins of. */
  checkinPeople(span: { from: UnixSeconds; to: UnixSeconds } & OfDevices): Promise<number>;
  /**
   * The latest by receipt, newest first, of people whom the organization does not know as well;
   * `after`: only those with a greater id. Of some devices only those among the last 100,000 of
   * all.
   */
  latestCheckins(query: { limit: number; after?: number } & OfDevices): Promise<LatestCheckin[]>;
}
