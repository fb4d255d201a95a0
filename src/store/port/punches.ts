import type { ClockBounds } from '../../platform/device-clock.ts';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { CheckInSource, PunchMark } from '../domains/corrections/tables.ts';
import type { DeviceNo, Seq } from './journal.ts';

export interface PunchRow {
  readonly id: number;
  /** As callers of the attendance API see it. */
  readonly shownId: number;
  readonly seq: Seq;
  readonly at: UnixSeconds;
  readonly deviceNo: DeviceNo;
  /** Terminal; null for the serial number of the device. */
  readonly terminalId: string | null;
  /** The place named by a check-in that only the cloud lists, or empty. */
  readonly placeInCloud: string;
  readonly checkType: string;
  readonly receivedAt: UnixMs;
  /** Bounds of its terminal's clock when it came in; null if unknown. */
  readonly clock: ClockBounds | null;
  /** The state of the record on its way to the cloud. */
  readonly state: 'waiting' | 'confirmed' | 'parked';
  readonly confirmedAt: UnixMs | null;
  readonly source: CheckInSource;
  /** Mark of a correction; null if there is none. */
  readonly mark: PunchMark | null;
}

/** Facts about a check-in from which hours are counted. */
export type PunchFacts = Pick<
  PunchRow,
  'shownId' | 'at' | 'deviceNo' | 'checkType' | 'receivedAt' | 'clock' | 'source' | 'mark'
>;

/**
 * Check-ins of several people in columns: an object for each would take several times the memory.
 */
export interface PunchTable {
  /** Places in the columns, by the id of the person in the store; oldest first. */
  readonly placesOf: Map<number, number[]>;
  readonly shownId: number[];
  readonly at: number[];
  readonly deviceNo: DeviceNo[];
  readonly source: CheckInSource[];
  readonly checkType: string[];
  readonly receivedAt: number[];
  /** NaN: unknown. */
  readonly clockLowMs: number[];
  /** NaN: none. */
  readonly clockHighMs: number[];
  /** Of corrections, by place. */
  readonly marks: Map<number, PunchMark>;
}

export const emptyPunchTable = (): PunchTable => ({
  ...{ placesOf: new Map(), marks: new Map() },
  ...{ shownId: [], at: [], deviceNo: [], source: [], checkType: [], receivedAt: [], clockLowMs: [], clockHighMs: [] },
});

/** The check-ins of a person by the id in the store, oldest first. */
export function punchesIn(table: PunchTable, id: number): PunchFacts[] {
  return (table.placesOf.get(id) ?? []).map(place => {
    const [lowMs, highMs] = [table.clockLowMs[place]!, table.clockHighMs[place]!];
    return {
      shownId: table.shownId[place]!,
      at: table.at[place]!,
      deviceNo: table.deviceNo[place]!,
      checkType: table.checkType[place]!,
      receivedAt: table.receivedAt[place]!,
      clock: Number.isNaN(lowMs) ? null : { lowMs, highMs: Number.isNaN(highMs) ? null : highMs },
      source: table.source[place]!,
      mark: table.marks.get(place) ?? null,
    };
  });
}
