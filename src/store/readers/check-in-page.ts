import { type OldNextId, oldNextId, writtenOldNextId } from '../../platform/next-id.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { CheckInPage } from '../port/records.ts';
import type { Connection } from '../schema/database.ts';
import { deviceList, looksAtMax, rangesOf } from './of-devices.ts';
import { Turns } from './turns.ts';

/**
 * One page of check-ins as the JSON of SPEC 2.15: the only JSON of an API that is made in the
 * store. Payroll systems read millions of check-ins in pages of 500. Made by the query, a page is
 * its bytes from SQLite to the socket: as a text it would be decoded and encoded again, and 500
 * objects and their texts would cost more than all the rest, and garbage collection. Hand-written
 * SQL for the same reason: the query builder would make the objects.
 *
 * `check_data` is stored as JSON. The rows keep the order of the inner select, because its LIMIT
 * keeps SQLite from flattening it: sorting them again inside group_concat would cost a third of the
 * page (test/attendance/http/records.test.ts checks the order). `rows` selects the check-ins, as
 * the table `c`, and the number by which they are ordered.
 */
const pageOf = (place: string, rows: string, limit = '?'): string => `
  SELECT count(*) AS count, max(place) AS last, CAST(group_concat(json, ',') AS BLOB) AS json FROM (
    SELECT ${place} AS place, format('{"id":"%s","user_id":%s,"ext_id":%s,"terminal_id":%s,"check_type":"%s","check_time":%s,"check_data":%s}',
      coalesce(c.shown_id, c.id), json_quote(coalesce(e.cloud_id, CAST(e.id AS TEXT))), json_quote(coalesce(e.ext_id, '')),
      json_quote(coalesce(c.terminal_id, substr(d.device_id, instr(d.device_id, '_') + 1), '')),
      c.check_type, c.check_time_seconds, c.check_data) AS json
    FROM ${rows} ORDER BY place LIMIT ${limit}) AS page`;
const joined = 'JOIN employee e ON e.id = c.employee_id LEFT JOIN device d ON d.device_no = c.device_no';

const nextPage = pageOf('c.id', `checkin c ${joined} WHERE c.id > ?`);
const pageOfDevices = pageOf(
  'c.id',
  `checkin c ${joined} WHERE c.id > ? AND c.id <= ? AND c.device_no IN (SELECT CAST(value AS INTEGER) FROM json_each(?))`,
);
const lastId = 'SELECT coalesce(max(id), 0) AS last FROM checkin';

/** Check-ins that became known late under an older program, after a caller had passed them. */
const oldMissedPage = pageOf('c.old_late_no', `checkin c ${joined} WHERE c.old_late_no > ? AND c.shown_id <= ?`);
/** In the order of the older program: a late check-in at the place of its report. */
const oldPage = pageOf(
  'o.place',
  `(SELECT * FROM (SELECT id AS place, id FROM checkin WHERE id > ?1 AND id <= ?2 AND old_late_no IS NULL ORDER BY id LIMIT ?3) AS own
    UNION ALL SELECT * FROM (SELECT shown_id, id FROM checkin WHERE shown_id > ?1 AND old_late_no IS NOT NULL ORDER BY shown_id LIMIT ?3) AS late) o
    JOIN checkin c ON c.id = o.id ${joined}`,
  '?3',
);

interface JsonPage {
  readonly count: number;
  readonly last: number;
  /** Of PostgreSQL a text, which has no cheap way to make bytes of one. */
  readonly json: Uint8Array | string;
}

type Page = Omit<CheckInPage, 'isAhead'>;

const bytesOf = ({ json }: JsonPage): Uint8Array => (typeof json === 'string' ? Buffer.from(json) : json);

/** At most `limit` check-ins after a caller's `next_id`, of those with an id above `startId`. */
export function checkInPage(
  connection: Connection,
  startId: number,
  { after, limit }: { after: number; limit: number },
): Page {
  const { sql } = connection;
  const old = oldNextId(after);
  if (old) return pageAfterOld(connection, startId, { after, old, limit });
  const page = sql(nextPage).get(Math.max(after, startId), limit) as unknown as JsonPage;
  return page.count === 0
    ? { records: [], count: 0, next: after }
    : { records: [bytesOf(page)], count: page.count, next: page.last };
}

/**
 * The same of some devices. A page may have fewer than `limit` check-ins, but none only where there
 * are none further on; `next` is then how far it has looked, so that the next one looks at nothing
 * again. `after` is of no older program.
 */
export async function checkInPageOf(
  { sql }: Connection,
  startId: number,
  { after, limit, deviceNos }: { after: number; limit: number; deviceNos: ReadonlySet<DeviceNo> },
): Promise<Page> {
  const turns = new Turns();
  const begin = Math.max(after, startId);
  const { last: end } = sql(lastId).get() as { last: number };
  const list = deviceList(deviceNos);
  const records: Uint8Array[] = [];
  let count = 0;
  let next = begin;
  for (const range of rangesOf(begin, end)) {
    if (turns.isOver) await turns.next();
    const page = sql(pageOfDevices).get(range.after, range.through, list, limit - count) as unknown as JsonPage;
    if (page.count > 0) records.push(bytesOf(page));
    count += page.count;
    next = count === limit ? page.last : range.through;
    if (count === limit || (count > 0 && next - begin >= looksAtMax)) break;
  }
  return { records, count, next: Math.max(after, next) };
}

/**
 * For a caller with a `next_id` of an older program, which counts late check-ins: first those that
 * became known after the caller had passed them, then the rest of that program's check-ins in its
 * order; from there on by plain ids.
 */
function pageAfterOld(
  connection: Connection,
  startId: number,
  { after, old, limit }: { after: number; old: OldNextId; limit: number },
): Page {
  const { sql } = connection;
  // One snapshot: a check-in that became visible between two of these statements would be returned
  // twice.
  using _snapshot = snapshot(connection);
  const records: Uint8Array[] = [];
  let count = 0;
  const find = (text: string, ...values: number[]): JsonPage | null => {
    const page = sql(text).get(...values, limit - count) as unknown as JsonPage;
    if (page.count === 0) return null;
    records.push(bytesOf(page));
    count += page.count;
    return page;
  };
  const { late } = sql('SELECT coalesce(max(old_late_no), 0) AS late FROM checkin').get() as { late: number };
  const counter = sql("SELECT value FROM counter WHERE name = 'taken_over'").get() as { value: number } | undefined;
  const takenOver = counter?.value ?? 0;

  const missed = find(oldMissedPage, old.late, old.id);
  if (count === limit) return { records, count, next: writtenOldNextId({ id: old.id, late: missed!.last }) };
  const left = find(oldPage, Math.max(old.id, startId), takenOver);
  if (count === limit)
    return {
      records,
      count,
      next: writtenOldNextId({ id: left?.last ?? old.id, late: Math.max(late, old.late) }),
    };
  const through = Math.max(old.id, takenOver);
  const found = find(nextPage, Math.max(through, startId));
  return { records, count, next: count === 0 ? after : (found?.last ?? through) };
}

function snapshot({ database }: Connection): Disposable {
  database.exec('BEGIN');
  return { [Symbol.dispose]: () => database.exec('COMMIT') };
}
