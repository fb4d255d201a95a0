import { and, asc, eq, sql as expression, gte, lt } from 'drizzle-orm';
import { placeNamed } from '../../platform/check-data.ts';
import { punchMarks, sourceOf } from '../domains/corrections/reads.ts';
import { addedDeviceNo } from '../domains/corrections/tables.ts';
import { confirmation, parked } from '../domains/forwarding/tables.ts';
import { cloudDeviceNo } from '../domains/mirror/tables.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { PeopleReads, Span } from '../port/people.ts';
import { emptyPunchTable, type PunchRow, type PunchTable } from '../port/punches.ts';
import type { Connection } from '../schema/database.ts';
import { checkin } from '../schema/index.ts';
import { type Params, query } from '../schema/query.ts';
import { after, withClock } from './columns.ts';
import { Slices } from './slices.ts';
import type { KnownDevices } from './stored-devices.ts';

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
    async punches({ extId, from, to, after: place, limit }) {
      const rows = punches.all({ extId, from, to, afterAt: place?.at ?? -1, afterId: place?.id ?? -1, limit });
      const found = marks(rows.map(({ shownId, deviceNo, recordId }) => ({ id: shownId, deviceNo, recordId })));
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
  } satisfies Partial<PeopleReads>;
}

/** Check-ins of a span that are read in one pass: they take some 80 MB. */
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
export function punchFactsReads(connection: Connection): Pick<PeopleReads, 'punchFacts' | 'punchFactsOfAll'> {
  const { sql } = connection;
  const marks = punchMarks(connection);
  const rowsOf = (statement: ReturnType<Connection['sql']>, ...values: number[]): Row[] => {
    statement.setReturnArrays(true);
    return statement.all(...values) as unknown as Row[];
  };
  /** One text of each type, in place of one for each row. */
  const types = new Map<string, string>();
  const oneText = (text: string): string => {
    const known = types.get(text);
    if (known === undefined) types.set(text, text);
    return known ?? text;
  };
  const add = (rows: readonly Row[], table: PunchTable): void => {
    const marked = marks(rows.map(([, , , id, deviceNo, recordId]) => ({ id, deviceNo, recordId })));
    for (const [, at, employeeId, shownId, deviceNo, , checkType, receivedAt, clockLowMs, clockHighMs] of rows) {
      const place = table.at.length;
      const places = table.placesOf.get(employeeId);
      if (places) places.push(place);
      else table.placesOf.set(employeeId, [place]);
      table.shownId.push(shownId);
      table.at.push(at);
      table.deviceNo.push(deviceNo);
      table.source.push(sourceOf(deviceNo));
      table.checkType.push(oneText(checkType));
      table.receivedAt.push(receivedAt);
      table.clockLowMs.push(clockLowMs ?? Number.NaN);
      table.clockHighMs.push(clockHighMs ?? Number.NaN);
      const mark = marked.get(shownId);
      if (mark) table.marks.set(place, mark);
    }
  };

  return {
    async punchFacts({ ids, from, to, limit }) {
      const slices = new Slices();
      const found = emptyPunchTable();
      for (const id of ids) {
        if (slices.isOver) await slices.next();
        add(rowsOf(sql(ofPerson), id, from, to, limit), found);
      }
      return found;
    },

    async punchFactsOfAll({ from, to }: Span) {
      const slices = new Slices();
      const found = emptyPunchTable();
      for (let [at, id] = [from, -1]; ; ) {
        const rows = rowsOf(sql(ofEverybody), at, at, id, to, rowsEach);
        add(rows, found);
        if (rows.length < rowsEach) return found;
        if (found.at.length >= togetherMax) return null;
        [id, at] = rows.at(-1)!;
        if (slices.isOver) await slices.next();
      }
    },
  };
}
