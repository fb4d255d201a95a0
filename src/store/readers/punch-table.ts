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

/**
 * Columns of check-ins, a list for each. `brief`: without the last three, of which neither hours
 * nor a list of people has anything.
 */
const columns = ['id', 'coalesce(shown_id, id)', 'check_time_seconds', 'employee_id', 'device_no', 'check_type'];
const columnsOfReceipt = ['received_at', 'clock_low_ms', 'clock_high_ms'];
/** Of PostgreSQL no list has anything where there are no check-ins. */
export type PunchColumns = readonly [
  ...[ids: number[] | null, shownIds: number[], times: UnixSeconds[], people: number[], deviceNos: DeviceNo[]],
  ...[types: string[], receivedAt?: UnixMs[], clockLowMs?: (number | null)[], clockHighMs?: (number | null)[]],
];
/** Columns as lists in one JSON: an array for each check-in would be garbage at once. */
export const punchLists = (brief: boolean): string =>
  `json_array(${[...columns, ...(brief ? [] : columnsOfReceipt)].map(one => `json_group_array(${one})`).join(', ')})`;

/** Places of a row's numbers in a chunk, where they stand together. */
const numbered = { shownId: 0, at: 1, deviceNo: 2, type: 3, person: 4, receivedAt: 5, clockLow: 6, clockHigh: 7 };
const chunkRows = 4096;

/**
 * Check-ins of several people as numbers in a few buffers: an object for each would take several
 * times the memory. Plain data, which crosses threads.
 */
export interface PunchTable {
  readonly isBrief: boolean;
  /** Numbers of people, by the id in the store. */
  readonly people: Map<number, number>;
  /** By the number of the person: how many there are, and where they begin. */
  readonly counts: number[];
  readonly begins: number[];
  /** Rows by person, of each oldest first, and their times. */
  order: Int32Array;
  times: Float64Array;
  readonly chunks: Float64Array[];
  readonly types: string[];
  /** Of corrections, by row. */
  readonly marks: Map<number, PunchMark>;
  size: number;
}

export const emptyPunchTable = (isBrief = false): PunchTable => ({
  ...{ isBrief, people: new Map(), counts: [], begins: [], order: new Int32Array(0), times: new Float64Array(0) },
  ...{ chunks: [], types: [], marks: new Map(), size: 0 },
});

/** Comes before `inOrder`. `marks`: by the ids that callers see. */
export function addPunches(table: PunchTable, lists: PunchColumns, marks: ReadonlyMap<number, PunchMark> | null): void {
  const [, shownIds, times, people, deviceNos, types, receivedAt, clockLowMs, clockHighMs] = lists;
  const persons = people.map(id => numberOf(table, id));
  const typeNos = types.map(type => typeNoOf(table, type));
  const numbers = [shownIds, times, deviceNos, typeNos, persons];
  if (!table.isBrief) numbers.push(receivedAt!, clockLowMs!.map(orNaN), clockHighMs!.map(orNaN));
  if (marks && marks.size > 0)
    for (const [index, id] of shownIds.entries()) {
      const mark = marks.get(id);
      if (mark) table.marks.set(table.size + index, mark);
    }
  for (let done = 0; done < people.length; ) {
    const first = table.size % chunkRows;
    if (first === 0) table.chunks.push(new Float64Array(rowNumbers(table) * chunkRows));
    const chunk = table.chunks.at(-1)!;
    const end = Math.min(people.length, done + chunkRows - first);
    for (const [column, list] of numbers.entries()) {
      let at = first * numbers.length + column;
      for (let index = done; index < end; index++, at += numbers.length) chunk[at] = list[index]!;
    }
    table.size += end - done;
    done = end;
  }
}

/** Without the last three, of a brief one. */
const rowNumbers = ({ isBrief }: PunchTable): number => (isBrief ? numbered.receivedAt : numbered.clockHigh + 1);

const orNaN = (value: number | null): number => value ?? Number.NaN;

/** Counts one check-in of the person. */
function numberOf({ people, counts }: PunchTable, id: number): number {
  let number = people.get(id);
  if (number === undefined) {
    number = counts.push(0) - 1;
    people.set(id, number);
  }
  counts[number]!++;
  return number;
}

function typeNoOf({ types }: PunchTable, type: string): number {
  const known = types.indexOf(type);
  return known < 0 ? types.push(type) - 1 : known;
}

/** With all check-ins in it: finds those of each person, who come one after the other by then. */
export function inOrder(table: PunchTable): PunchTable {
  const { counts, begins, chunks, size } = table;
  const order = new Int32Array(size);
  const times = new Float64Array(size);
  let begin = 0;
  for (const [person, count] of counts.entries()) {
    begins[person] = begin;
    begin += count;
  }
  const next = Int32Array.from(begins);
  const each = rowNumbers(table);
  for (const [number, chunk] of chunks.entries()) {
    const first = number * chunkRows;
    const rows = Math.min(chunkRows, size - first);
    for (let row = 0; row < rows; row++) {
      const place = next[chunk[row * each + numbered.person]!]!++;
      order[place] = first + row;
      times[place] = chunk[row * each + numbered.at]!;
    }
  }
  table.order = order;
  table.times = times;
  return table;
}

/** Places of the check-ins of a person by the id in the store, oldest first. */
export function punchPlaces({ people, begins, counts }: PunchTable, id: number): { begin: number; end: number } {
  const person = people.get(id);
  if (person === undefined) return { begin: 0, end: 0 };
  const begin = begins[person]!;
  return { begin, end: begin + counts[person]! };
}

function numberAt(table: PunchTable, place: number, column: number): number {
  const row = table.order[place]!;
  return table.chunks[Math.floor(row / chunkRows)]![(row % chunkRows) * rowNumbers(table) + column]!;
}
export const shownIdAt = (table: PunchTable, place: number): number => numberAt(table, place, numbered.shownId);
export const deviceNoAt = (table: PunchTable, place: number): DeviceNo =>
  numberAt(table, place, numbered.deviceNo) as DeviceNo;
export const markAt = ({ marks, order }: PunchTable, place: number): PunchMark | null =>
  marks.get(order[place]!) ?? null;

export function punchAt(table: PunchTable, place: number): PunchFacts {
  const { isBrief, types } = table;
  const row = table.order[place]!;
  const chunk = table.chunks[Math.floor(row / chunkRows)]!;
  const first = (row % chunkRows) * rowNumbers(table);
  const deviceNo = chunk[first + numbered.deviceNo]! as DeviceNo;
  return {
    shownId: chunk[first + numbered.shownId]!,
    at: chunk[first + numbered.at]!,
    deviceNo,
    checkType: types[chunk[first + numbered.type]!]!,
    receivedAt: isBrief ? Number.NaN : chunk[first + numbered.receivedAt]!,
    clock: isBrief ? null : clockOf(chunk[first + numbered.clockLow]!, chunk[first + numbered.clockHigh]!),
    source: sourceOf(deviceNo),
    mark: markAt(table, place),
  };
}

const clockOf = (lowMs: number, highMs: number): ClockBounds | null =>
  Number.isNaN(lowMs) ? null : { lowMs, highMs: Number.isNaN(highMs) ? null : highMs };

/** The check-ins of a person by the id in the store, oldest first. */
export function punchesIn(table: PunchTable, id: number): PunchFacts[] {
  const { begin, end } = punchPlaces(table, id);
  return Array.from({ length: end - begin }, (_, index) => punchAt(table, begin + index));
}
