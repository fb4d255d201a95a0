import type { UnixMs } from '../../runtime/clock.ts';
import type { DeviceNo, Seq } from './journal.ts';

export interface ParkedRecord {
  readonly seq: Seq;
  readonly deviceNo: DeviceNo;
  readonly parkedAt: UnixMs;
  readonly code: number;
  readonly reason: string;
  /** A person asked to send it again; the forwarder will. */
  readonly sendAgain: boolean;
}
