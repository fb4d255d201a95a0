import type { UnixMs } from '../platform/clock.ts';
import type { DeviceNo, LogRow, ParkedRecord, Seq } from './port.ts';

/** What people ask about devices. */
export interface DeviceReads {
  /** Of these, those that have an event: they were here once, though they may never have said anything. */
  cameOnce(deviceNos: readonly DeviceNo[]): Promise<Set<DeviceNo>>;
  seen(deviceNo: DeviceNo): Promise<{ readonly at: UnixMs; readonly clockSkewSeconds: number | null } | null>;
  /** When it last logged in; null when its last 50 events do not tell. */
  lastConnected(deviceNo: DeviceNo): Promise<UnixMs | null>;
  /** How many messages wait for a device. */
  inboxCount(deviceNo: DeviceNo): Promise<number>;
  /** The newest logs of a device, newest first; `after`: only those with a greater seq. */
  lastLogs(deviceNo: DeviceNo, query: { limit: number; after?: Seq }): Promise<LogRow[]>;
  /** The end of the journal as it was at a moment. Received times that run backwards (a box below catches up) make it a near one. */
  seqBefore(at: UnixMs): Promise<Seq>;
  /** In the order of the journal. */
  parkedPage(query: { after: number; limit: number }): Promise<ParkedRecord[]>;
}
