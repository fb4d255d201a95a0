import type { UnixMs } from '../../runtime/clock.ts';
import type { Channel, DeviceNo, JournalRecord, Seq } from './journal.ts';
import type { ParkedRecord } from './parked-record.ts';
import type { StorePart } from './part.ts';

/** The part of the store's port that serves the uplink: what waits, and the cloud's answers. */

/** The transports to the cloud: over which a record was confirmed. */
export type Via = 'mqtt' | 'http' | 'batch';

export interface Confirmation {
  readonly deviceNo: DeviceNo;
  /** Channel; null for both (a batch holds both in the journal's order). */
  readonly channel: Channel | null;
  readonly upToSeq: Seq;
  /** No record of the device up to here waits, of either channel; at most `upToSeq`. */
  readonly floorSeq: Seq;
  readonly at: UnixMs;
  readonly via: Via;
}

export interface ForwardingWrites {
  confirm(input: { confirmations: readonly Confirmation[] }): void;
  /** Parks a record; the cursor of that device and channel moves past `seq`. */
  park(input: { seq: Seq; deviceNo: DeviceNo; channel: Channel; at: UnixMs; code: number; reason: string }): void;
  /** `seq` null: all parked records. Returns how many. */
  sendParkedAgain(input: { seq: Seq | null }): number;
  /** The cloud accepted a parked record after all, or refused it again with this reason. */
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
   * When the oldest record after `after` that waits for the cloud was received; null if none waits.
   */
  oldestWaiting(after: Seq): Promise<UnixMs | null>;
  /**
   * Logs of a device that the cloud confirmed at or after a moment; at most 100,000 are counted.
   */
  confirmedLogs(deviceNo: DeviceNo, since: UnixMs): Promise<number>;
  record(seq: Seq): Promise<JournalRecord | null>;
}

export type ForwardingStore = StorePart<ForwardingReads, ForwardingWrites>;
