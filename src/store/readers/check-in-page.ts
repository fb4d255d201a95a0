import type { DeviceNo } from '../port/journal.ts';
import type { CheckInPage } from '../port/records.ts';
import type { Connection } from '../schema/database.ts';
import { deviceList, looksAtMax, rangesOf } from './of-devices.ts';
import { Slices } from './slices.ts';

/**
 * One page of check-ins as the JSON of SPEC 2.15: the only JSON of an API that is made in the
 * store. Payroll systems read millions of check-ins in pages of 500. Made by the query, a page is
 * its bytes from SQLite to the socket: as a text it would be decoded and encoded again, and 500
 * objects and their texts would cost more than all the rest, and garbage collection. Hand-written
 * SQL for the same reason: the query builder would make the objects.
 *
 * `check_data` is stored as JSON. The rows keep the order of the inner select, because its LIMIT
 * keeps SQLite from flattening it: sorting them again inside group_concat would cost a third of the
 * page (test/attendance/http/records.test.ts checks the order). `where`: of check-ins, as the table
 * `c`.
 */
const pageOf = (where: string): string => `
  SELECT count(*) AS count, max(place) AS last, CAST(group_concat(json, ',') AS BLOB) AS json FROM (
    SELECT c.id AS place, format('{"id":"%s","user_id":%s,"ext_id":%s,"terminal_id":%s,"check_type":"%s","check_time":%s,"check_data":%s}',
      coalesce(c.shown_id, c.id), json_quote(coalesce(e.cloud_id, CAST(e.id AS TEXT))), json_quote(coalesce(e.ext_id, '')),
      json_quote(coalesce(c.terminal_id, substr(d.device_id, instr(d.device_id, '_') + 1), '')),
      c.check_type, c.check_time_seconds, c.check_data) AS json
    FROM checkin c JOIN employee e ON e.id = c.employee_id LEFT JOIN device d ON d.device_no = c.device_no
    WHERE ${where} ORDER BY place LIMIT ?) AS page`;

const nextPage = pageOf('c.id > ?');
const pageOfDevices = pageOf(
  'c.id > ? AND c.id <= ? AND c.device_no IN (SELECT CAST(value AS INTEGER) FROM json_each(?))',
);
const lastId = 'SELECT coalesce(max(id), 0) AS last FROM checkin';

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
  const page = sql(nextPage).get(Math.max(after, startId), limit) as unknown as JsonPage;
  return page.count === 0
    ? { records: [], count: 0, next: after }
    : { records: [bytesOf(page)], count: page.count, next: page.last };
}

/**
 * The same of some devices. A page may have fewer than `limit` check-ins, but none only where there
 * are none further on; `next` is then how far it has looked, so that the next one looks at nothing
 * again.
 */
export async function checkInPageOf(
  { sql }: Connection,
  startId: number,
  { after, limit, deviceNos }: { after: number; limit: number; deviceNos: ReadonlySet<DeviceNo> },
): Promise<Page> {
  const slices = new Slices();
  const begin = Math.max(after, startId);
  const { last: end } = sql(lastId).get() as { last: number };
  const list = deviceList(deviceNos);
  const records: Uint8Array[] = [];
  let count = 0;
  let next = begin;
  for (const range of rangesOf(begin, end)) {
    if (slices.isOver) await slices.next();
    const page = sql(pageOfDevices).get(range.after, range.through, list, limit - count) as unknown as JsonPage;
    if (page.count > 0) records.push(bytesOf(page));
    count += page.count;
    next = count === limit ? page.last : range.through;
    if (count === limit || (count > 0 && next - begin >= looksAtMax)) break;
  }
  return { records, count, next: Math.max(after, next) };
}
