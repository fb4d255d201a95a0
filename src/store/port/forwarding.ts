import type { UnixMs } from '../../runtime/clock.ts';
import type { Channel, DeviceNo, JournalRecord, Seq } from './journal.ts';
import type { ParkedRecord } from './parked-record.ts';
import type { StorePart } from './part.ts';

/** The part of the store's port that serves the uplink: what waits, what the cloud said of it. */

export interface Confirmation {
  readonly deviceNo: DeviceNo;
  /** Null: of both (a batch holds both in the journal's order). */
  readonly channel: Channel | null;
  readonly upToSeq: Seq;
  /** Nothing of the device at or below it waits, of either channel; at most `upToSeq`. */
  readonly floorSeq: Seq;
  readonly at: UnixMs;
  readonly via: 'mqtt' | 'http' | 'batch';
}

export interface ForwardingWrites {
  confirm(input: { confirmations: readonly Confirmation[] }): void;
  /** The cursor of that device and channel moves past `seq`. */
  park(input: { seq: Seq; deviceNo: DeviceNo; channel: Channel; at: UnixMs; code: number; reason: string }): void;
  /** `seq` null: all of them. Returns how many. */
  sendParkedAgain(input: { seq: Seq | null }): number;
  /** The cloud took it after all, or (`keep`) refused it again with this reason. */
  settleParked(input: { seq: Seq; outcome: 'confirmed' | { code: number; reason: string }; at: UnixMs }): void;
}

export interface ForwardingReads {
  parkedCount(): Promise<number>;
  parked(options?: { deviceNo?: DeviceNo; sendAgain?: boolean; limit?: number }): Promise<ParkedRecord[]>;
  /**
   * Waiting for the cloud, by device: all journal records after its cursor that are to be
   * forwarded.
   */
  waiting(through?: Seq): Promise<{ total: number; oldestAt: UnixMs | null; byDevice: Map<DeviceNo, number> }>;
  /**
   * When the oldest record after `after` that waits for the cloud came in; null where none does.
   */
  oldestWaiting(after: Seq): Promise<UnixMs | null>;
  /**
   * Logs of a device that the cloud confirmed at or after a moment; at most 100,000 are counted.
   */
  confirmedLogs(deviceNo: DeviceNo, since: UnixMs): Promise<number>;
  record(seq: Seq): Promise<JournalRecord | null>;
}

export type ForwardingStore = StorePart<ForwardingReads, ForwardingWrites>;
