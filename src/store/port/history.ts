import type { UnixMs } from '../../runtime/clock.ts';
import type { DeviceNo } from './journal.ts';

/** The part of the store's port that keeps how the box fared. */

/** By the minute for 48 hours, by the hour for 400 days. */
export type HistoryRing = 'minute' | 'hour';
export const historyLength = { minute: 48 * 60, hour: 400 * 24 } as const satisfies Record<HistoryRing, number>;
export const historyStepMs = { minute: 60_000, hour: 3_600_000 } as const satisfies Record<HistoryRing, number>;

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

export interface DeviceHour {
  readonly at: UnixMs;
  /** In how many minutes the box ran. */
  readonly minutes: number;
  /** In how many of them the device was online. */
  readonly online: number;
}

/** Evidence about a device's clock, from the records that came in a part of a span. */
export interface DeviceClockTrace {
  readonly part: number;
  /** The offset of the clock lies between both, in milliseconds ahead of the box's. */
  readonly lowMs: number;
  /** Upper bound; null without an answer of the device. */
  readonly highMs: number | null;
  /** The one that was longest on its way was so for at least so many milliseconds. */
  readonly delayMs: number;
}

export interface HistoryReads {
  /** Oldest first; `to` is exclusive. What is older than the ring, or was not lived, is missing. */
  history(span: { ring: HistoryRing; from: UnixMs; to: UnixMs }): Promise<HistoryPoint[]>;
  /** The hours of one device, oldest first. */
  deviceHours(span: { deviceNo: DeviceNo; from: UnixMs; to: UnixMs }): Promise<DeviceHour[]>;
  /**
   * Only parts in which records came; records of programs that knew nothing of clocks are left out.
   */
  deviceClockTrace(span: { deviceNo: DeviceNo; from: UnixMs; to: UnixMs; partMs: number }): Promise<DeviceClockTrace[]>;
  /** For each hour that the box ran, oldest first, the minutes of each device by its number. */
  onlineHours(span: { from: UnixMs; to: UnixMs }): Promise<{ at: UnixMs; minutes: number; online: Uint8Array }[]>;
}

export interface HistoryWrites {
  /** Keeps a minute, and with the first one of an hour the sums of the hours before it. */
  noteMinute(minute: HistoryMinute): void;
}
