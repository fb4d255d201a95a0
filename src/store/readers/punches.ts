import { and, asc, eq, sql as expression, gte, lt } from 'drizzle-orm';
import { placeNamed } from '../../platform/check-data.ts';
import type { ClockBounds } from '../../platform/device-clock.ts';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import { punchMarks, sourceOf } from '../domains/corrections/reads.ts';
import { addedDeviceNo, type CheckInSource, type PunchMark } from '../domains/corrections/tables.ts';
import { confirmation, parked } from '../domains/forwarding/tables.ts';
import { cloudDeviceNo } from '../domains/mirror/tables.ts';
import type { DeviceNo, Seq } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { type Params, query } from '../schema/query.ts';
import { checkin } from '../schema/records.ts';
import { after, withClock } from './columns.ts';
import { Slices } from './slices.ts';
import type { KnownDevices } from './stored-devices.ts';

/** From the first second, inclusive, to the last, exclusive. */
export interface Span {
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
}

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

/** Numbers of a row: shownId, at, deviceNo, place of the type, receivedAt, and two bounds. */
const rowNumbers = 7;
const chunkRows = 4096;

/**
 * Check-ins of several people as numbers in a few buffers: an object for each would take several
 * times the memory. Plain data, which crosses threads.
 */
export interface PunchTable {
  /** Places by the id of the person in the store; oldest first. */
  readonly placesOf: Map<number, number[]>;
  readonly chunks: Float64Array[];
  readonly types: string[];
  /** Of corrections, by place. */
  readonly marks: Map<number, PunchMark>;
  size: number;
}

export const emptyPunchTable = (): PunchTable => ({
  ...{ placesOf: new Map(), chunks: [], types: [], marks: new Map(), size: 0 },
});

function addPunch(table: PunchTable, row: Row, mark: PunchMark | undefined): void {
  const [, at, person, shownId, deviceNo, , type, receivedAt, low, high] = row;
  const place = table.size++;
  const first = (place % chunkRows) * rowNumbers;
  if (first === 0) table.chunks.push(new Float64Array(chunkRows * rowNumbers));
  const numbers = table.chunks.at(-1)!;
  const known = table.types.indexOf(type);
  numbers[first] = shownId;
  numbers[first + 1] = at;
  numbers[first + 2] = deviceNo;
  numbers[first + 3] = known < 0 ? table.types.push(type) - 1 : known;
  numbers[first + 4] = receivedAt;
  numbers[first + 5] = low ?? Number.NaN;
  numbers[first + 6] = high ?? Number.NaN;
  const places = table.placesOf.get(person);
  if (places) places.push(place);
  else table.placesOf.set(person, [place]);
  if (mark) table.marks.set(place, mark);
}

/** The check-ins of a person by the id in the store, oldest first. */
export function punchesIn(table: PunchTable, id: number): PunchFacts[] {
  return (table.placesOf.get(id) ?? []).map(place => {
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
  });
}

interface Values {
  readonly extId: string;
  readonly from: number;
  readonly to: number;
  readonly afterAt: number;
  readonly afterId: number;
  readonly limit: number;
}

/** The check-ins of one person. */
export function punchReads(connection: Connection, devices: KnownDevices) {
  const { orm } = connection;
  const marks = punchMarks(connection);
  const punches = query((value: Params<Values>) =>
    orm
      .select({
        id: checkin.id,
        shownId: expression<number>`coalesce(${checkin.shownId}, ${checkin.id})`,
        recordId: checkin.recordId,
        seq: checkin.seq,
        at: checkin.checkTimeSeconds,
        deviceNo: checkin.deviceNo,
        terminalId: checkin.terminalId,
        checkData: checkin.checkData,
        checkType: checkin.checkType,
        receivedAt: checkin.receivedAt,
        clockLowMs: checkin.clockLowMs,
        clockHighMs: checkin.clockHighMs,
        parkedSeq: parked.seq,
      })
      .from(checkin)
      .leftJoin(parked, eq(parked.seq, checkin.seq))
      .where(
        and(
          expression`${checkin.employeeId} = (SELECT id FROM employee WHERE ext_id = ${value.extId})`,
          gte(checkin.checkTimeSeconds, value.from),
          lt(checkin.checkTimeSeconds, value.to),
          after([checkin.checkTimeSeconds, checkin.id], [value.afterAt, value.afterId]),
        ),
      )
      .orderBy(asc(checkin.checkTimeSeconds), asc(checkin.id))
      .limit(value.limit),
  );
  const confirmed = query((value: Params<{ deviceNo: number; seq: number }>) =>
    orm
      .select({ at: confirmation.confirmedAt })
      .from(confirmation)
      .where(
        and(
          eq(confirmation.deviceNo, value.deviceNo),
          gte(confirmation.upToSeq, value.seq),
          expression`${confirmation.channels} & 1 <> 0`,
        ),
      )
      .orderBy(asc(confirmation.upToSeq))
      .limit(1),
  );

  return {
    /** Oldest first. */
    async punches({
      extId,
      from,
      to,
      after: place,
      limit,
    }: Span & {
      extId: string;
      after?: { readonly at: UnixSeconds; readonly id: number } | undefined;
      limit: number;
    }): Promise<PunchRow[]> {
      const rows = punches.all({ extId, from, to, afterAt: place?.at ?? -1, afterId: place?.id ?? -1, limit });
      const found = marks(() => rows.map(({ shownId, deviceNo, recordId }) => ({ id: shownId, deviceNo, recordId })));
      return rows.map(({ parkedSeq, checkData, recordId: _recordId, ...row }): PunchRow => {
        const { deviceNo, seq } = row;
        const passed = seq <= (devices.deviceByNo(deviceNo)?.forwarded.device ?? 0);
        const state = parkedSeq !== null ? 'parked' : passed ? 'confirmed' : 'waiting';
        return {
          ...withClock(row),
          placeInCloud: deviceNo === cloudDeviceNo ? placeNamed(JSON.parse(checkData)) : '',
          state,
          confirmedAt: state === 'confirmed' ? (confirmed.get({ deviceNo, seq })?.at ?? null) : null,
          source: sourceOf(deviceNo),
          mark: found.get(row.shownId) ?? null,
        };
      });
    },
  };
}

/** Check-ins of a span that are read in one pass: they take some 65 MB. */
const togetherMax = 1_000_000;
/** Rows of one statement of such a pass: a millisecond or two. */
const rowsEach = 2000;

/** Names a record only where a correction made it. */
const columns = `id, check_time_seconds, employee_id, coalesce(shown_id, id), device_no,
  CASE WHEN device_no = ${addedDeviceNo} THEN record_id ELSE '' END, check_type, received_at, clock_low_ms,
  clock_high_ms`;
type Row = readonly [
  ...[id: number, at: number, employeeId: number, shownId: number, deviceNo: DeviceNo, recordId: string],
  ...[checkType: string, receivedAt: number, clockLowMs: number | null, clockHighMs: number | null],
];

const ofPerson = `SELECT ${columns} FROM checkin
  WHERE employee_id = ? AND check_time_seconds >= ? AND check_time_seconds < ?
  ORDER BY check_time_seconds, id LIMIT ?`;
const ofEverybody = `SELECT ${columns} FROM checkin
  WHERE check_time_seconds >= ? AND (check_time_seconds, id) > (?, ?) AND check_time_seconds < ?
  ORDER BY check_time_seconds, id LIMIT ?`;
/**
 * Check-ins as hours need them. Those of everybody are read by time, in the order in which their
 * rows lie: by person each row stands on another page of the file, and costs three to five times as
 * much.
 */
export function punchFactsReads(connection: Connection) {
  const { sql } = connection;
  const marks = punchMarks(connection);
  const rowsOf = (statement: ReturnType<Connection['sql']>, ...values: number[]): Row[] => {
    statement.setReturnArrays(true);
    return statement.all(...values) as unknown as Row[];
  };
  const add = (rows: readonly Row[], table: PunchTable): void => {
    const marked = marks(() => rows.map(([, , , id, deviceNo, recordId]) => ({ id, deviceNo, recordId })));
    for (const row of rows) addPunch(table, row, marked.get(row[3]));
  };

  return {
    /** Of people by their ids in the store; of each at most `limit`. */
    async punchFacts({ ids, from, to, limit }: Span & { ids: readonly number[]; limit: number }): Promise<PunchTable> {
      const slices = new Slices();
      const found = emptyPunchTable();
      for (const id of ids) {
        if (slices.isOver) await slices.next();
        add(rowsOf(sql(ofPerson), id, from, to, limit), found);
      }
      return found;
    },

    /** Of everybody, in one pass; null: there are too many to keep at once. */
    async punchFactsOfAll({ from, to }: Span): Promise<PunchTable | null> {
      const slices = new Slices();
      const found = emptyPunchTable();
      for (let [at, id] = [from, -1]; ; ) {
        const rows = rowsOf(sql(ofEverybody), at, at, id, to, rowsEach);
        add(rows, found);
        if (rows.length < rowsEach) return found;
        if (found.size >= togetherMax) return null;
        [id, at] = rows.at(-1)!;
        if (slices.isOver) await slices.next();
      }
    },
  };
}

export type PunchReads = ReturnType<typeof punchReads> & ReturnType<typeof punchFactsReads>;
