import type { RefusalCode } from '../../platform/refusals.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { DeviceReads, DeviceWrites } from './devices.ts';
import type { DeviceNo, IncomingRecord } from './journal.ts';
import type { StorePart } from './part.ts';

/** The part of the store's port that serves the gateways of devices. */

/** Over which gateway a device connects. Tables, the API and `status --json` call it `door`. */
export type GatewayName = 'mqtt' | 'http';

export interface RefusalNote {
  readonly at: UnixMs;
  readonly door: GatewayName;
  /** The client id as it was sent (cut to 80 characters). */
  readonly clientId: string;
  readonly address: string;
  readonly code: RefusalCode;
  readonly detail: string;
  /** How many refusals it counts for; absent: one. */
  readonly times?: number;
}

export interface DeviceEvent {
  readonly at: UnixMs;
  readonly deviceNo: DeviceNo;
  /**
   * Kind, such as `connected`, `disconnected`, `foreign_subscribe`, `key_issued`, `mid_reused`,
   * `keep_alive_out_of_range`.
   */
  readonly kind: string;
  readonly detail: string;
}

export interface InboxMessage {
  readonly id: number;
  readonly deviceNo: DeviceNo;
  readonly putAt: UnixMs;
  readonly payload: Uint8Array;
}

/** A line of a batch that was refused for good, as the box below is told. */
export interface RefusedLine {
  readonly seq: number;
  readonly code: number;
  readonly msg: string;
}

export interface GatewayWrites {
  noteRefusal(input: RefusalNote): void;
  noteEvents(input: { events: readonly DeviceEvent[] }): void;

  /** Returns its id and how many of the oldest were dropped to stay within `max`. */
  putInbox(input: { deviceNo: DeviceNo; payload: Uint8Array; at: UnixMs; max: number }): {
    id: number;
    dropped: number;
  };
  removeInbox(input: { ids: readonly number[] }): void;

  /**
   * One batch of a box below: records, refused lines and its cursor in one transaction. Lines with
   * `seq` at or under the cursor are skipped. Of each box the newest 4000 refused lines are kept.
   */
  receiveBatch(input: {
    boxNo: DeviceNo;
    epoch: string;
    records: readonly { seq: number; record: IncomingRecord }[];
    refused: readonly RefusedLine[];
    ackedSeq: number;
  }): { stored: number };
}

export interface GatewayReads {
  /** Oldest first, up to about `bytesMax`, after at least one. */
  inbox(deviceNo: DeviceNo, options: { limit: number; bytesMax: number }): Promise<InboxMessage[]>;
  /** The devices with at least one message in their inbox. */
  inboxOwners(): Promise<Set<DeviceNo>>;
  /**
   * Logs that were stored for each device on that day (`YYYY-MM-DD` in the site's time zone), to go
   * on counting after a restart.
   */
  logCounts(day: string): Promise<Map<DeviceNo, number>>;
  /** The highest `seq` of a batch of this box and epoch that is committed; 0 before the first. */
  batchCursor(boxNo: DeviceNo, epoch: string): Promise<number>;
  /** The refused lines of a box and epoch with a `seq` between the two, both included, by `seq`. */
  batchRefusals(boxNo: DeviceNo, epoch: string, from: number, to: number): Promise<RefusedLine[]>;
  refusals(options?: {
    clientId?: string;
    limit?: number;
  }): Promise<(RefusalNote & { count: number; firstAt: UnixMs })[]>;
  /** Newest first. An index gives them, so that a start does not need the reader thread. */
  refusalsSince(at: UnixMs, limit: number): Promise<{ clientId: string; code: RefusalCode; at: UnixMs }[]>;
  events(deviceNo: DeviceNo, limit: number): Promise<DeviceEvent[]>;
}

/** Reads and writes of the gateways. The journal, which takes the records, is beside it. */
export type GatewayStore = StorePart<
  GatewayReads & Pick<DeviceReads, 'lastAddresses' | 'lastConnected' | 'newDevicesSince' | 'wereHere'>,
  GatewayWrites & DeviceWrites
>;
