import type { BoxReport } from '../../platform/box-report.ts';
import type { DeviceId } from '../../platform/device-id.ts';
import type { UnixMs } from '../../runtime/clock.ts';

/** The part of the store's port for how the boxes below are (docs/line.md). */

/** Facts known here about a box below. Times are by the clock of this side. */
export interface BoxHeard {
  readonly boxId: DeviceId;
  readonly heardAt: UnixMs;
  /** Report; null if its program is older than such reports. */
  readonly report: BoxReport | null;
  /** When the report came; 0: none has. */
  readonly reportedAt: UnixMs;
  /** Records that waited there at least ten minutes before the report; null if unknown. */
  readonly waitedBefore: number | null;
}

export interface FleetWrites {
  /** A box below was heard. `report` null: it only sent something; its last report stays. */
  noteBoxHeard(input: { boxId: DeviceId; at: UnixMs; report: BoxReport | null }): void;
}

export interface FleetReads {
  /** Of all boxes that were ever heard and not taken off the list since, in no order. */
  boxesHeard(): Promise<BoxHeard[]>;
}
