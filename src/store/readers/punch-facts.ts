import { punchMarks, sourceOf } from '../domains/corrections/reads.ts';
import { addedDeviceNo } from '../domains/corrections/tables.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { PeopleReads, Span } from '../port/people.ts';
import { emptyPunchTable, type PunchTable } from '../port/punches.ts';
import type { Connection } from '../schema/database.ts';
import { Slices } from './slices.ts';

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
