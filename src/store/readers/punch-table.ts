import type { ClockBounds } from '../../platform/device-clock.ts';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import { sourceOf } from '../domains/corrections/reads.ts';
import type { CheckInSource, PunchMark } from '../domains/corrections/tables.ts';
import type { DeviceNo } from '../port/journal.ts';

/** Facts about a check-in from which hours are counted. */
export interface PunchFacts {
  /** As callers of the attendance API see it. */
  readonly shownId: number;
  readonly at: UnixSeconds;
  readonly deviceNo: DeviceNo;
  readonly checkType: string;
  readonly receivedAt: UnixMs;
  /** Bounds of its terminal's clock when it came in; null if unknown. */
  readonly clock: ClockBounds | null;
  readonly source: CheckInSource;
  /** Mark of a correction; null if there is none. */
  readonly mark: PunchMark | null;
}

/** `brief`: without the last three, of which neither hours nor a list of people has anything. */
export const punchColumns = (brief: boolean): string =>
  `id, check_time_seconds, employee_id, shown_id, device_no, check_type${brief ? '' : ', received_at, clock_low_ms, clock_high_ms'}`;
export type PunchColumns = readonly [
  ...[id: number, at: number, employeeId: number, shownId: number | null, deviceNo: DeviceNo, checkType: string],
  ...[receivedAt?: number, clockLowMs?: number | null, clockHighMs?: number | null],
];

/**
 * Numbers of a row: shownId, at, deviceNo, place of the type, receivedAt, two bounds, and the
 * person.
 */
const rowNumbers = 8;
const chunkRows = 4096;

/**
 * Check-ins of several people as numbers in a few buffers: an object for each would take several
 * times the memory. Plain data, which crosses threads.
 */
export interface PunchTable {
  /** By the id of the person in the store: how many, and where they begin in `order`. */
  readonly people: Map<number, { count: number; begin: number }>;
  /** Places by person, of each oldest first. */
  order: Int32Array;
  readonly chunks: Float64Array[];
  readonly types: string[];
  /** Of corrections, by place. */
  readonly marks: Map<number, PunchMark>;
  size: number;
}

export const emptyPunchTable = (): PunchTable => ({
  ...{ people: new Map(), order: new Int32Array(0), chunks: [], types: [], marks: new Map(), size: 0 },
});

/** Comes before `inOrder`. */
export function addPunch(table: PunchTable, row: PunchColumns, mark: PunchMark | undefined): void {
  const place = table.size++;
  const first = (place % chunkRows) * rowNumbers;
  if (first === 0) table.chunks.push(new Float64Array(chunkRows * rowNumbers));
  const numbers = table.chunks[table.chunks.length - 1]!;
  const [person, type] = [row[2], row[5]];
  const known = table.types.indexOf(type);
  numbers[first] = row[3] ?? row[0];
  numbers[first + 1] = row[1];
  numbers[first + 2] = row[4];
  numbers[first + 3] = known < 0 ? table.types.push(type) - 1 : known;
  numbers[first + 4] = row[6] ?? Number.NaN;
  numbers[first + 5] = row[7] ?? Number.NaN;
  numbers[first + 6] = row[8] ?? Number.NaN;
  numbers[first + 7] = person;
  const own = table.people.get(person);
  if (own) own.count++;
  else table.people.set(person, { count: 1, begin: 0 });
  if (mark) table.marks.set(place, mark);
}

/** With all check-ins in it: finds those of each person, who come one after the other by then. */
export function inOrder(table: PunchTable): PunchTable {
  const { people, chunks, size } = table;
  const order = new Int32Array(size);
  let begin = 0;
  for (const own of people.values()) {
    own.begin = begin;
    begin += own.count;
    own.count = 0;
  }
  for (let place = 0; place < size; place++) {
    const person = chunks[Math.floor(place / chunkRows)]![(place % chunkRows) * rowNumbers + 7]!;
    const own = people.get(person)!;
    order[own.begin + own.count++] = place;
  }
  table.order = order;
  return table;
}

/** Places of the check-ins of a person by the id in the store, oldest first. */
export function punchPlaces({ people, order }: PunchTable, id: number): Int32Array {
  const { begin = 0, count = 0 } = people.get(id) ?? {};
  return order.subarray(begin, begin + count);
}

const numberAt = ({ chunks }: PunchTable, place: number, column: number): number =>
  chunks[Math.floor(place / chunkRows)]![(place % chunkRows) * rowNumbers + column]!;
export const shownIdAt = (table: PunchTable, place: number): number => numberAt(table, place, 0);
export const timeAt = (table: PunchTable, place: number): UnixSeconds => numberAt(table, place, 1);
export const deviceNoAt = (table: PunchTable, place: number): DeviceNo => numberAt(table, place, 2) as DeviceNo;

export function punchAt(table: PunchTable, place: number): PunchFacts {
  const numbers = table.chunks[Math.floor(place / chunkRows)]!;
  const first = (place % chunkRows) * rowNumbers;
  const deviceNo = numbers[first + 2]! as DeviceNo;
  const [lowMs, highMs] = [numbers[first + 5]!, numbers[first + 6]!];
  return {
    shownId: numbers[first]!,
    at: numbers[first + 1]!,
    deviceNo,
    checkType: table.types[numbers[first + 3]!]!,
    receivedAt: numbers[first + 4]!,
    clock: Number.isNaN(lowMs) ? null : { lowMs, highMs: Number.isNaN(highMs) ? null : highMs },
    source: sourceOf(deviceNo),
    mark: table.marks.get(place) ?? null,
  };
}

/** The check-ins of a person by the id in the store, oldest first. */
export const punchesIn = (table: PunchTable, id: number): PunchFacts[] =>
  Array.from(punchPlaces(table, id), place => punchAt(table, place));
