import { and, asc, eq, gt, isNotNull, lte } from 'drizzle-orm';
import { accessData } from '../../platform/check-data.ts';
import { meta } from '../domains/kept-values.ts';
import { cloudDeviceNo } from '../domains/mirror/tables.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { OrganizationReads } from '../port/organization.ts';
import type { AccessEntryRecord, CheckInPage, RecordReads } from '../port/records.ts';
import type { Connection } from '../schema/database.ts';
import { employee } from '../schema/people.ts';
import { type Params, query, queryFor } from '../schema/query.ts';
import { accessRecord } from '../schema/records.ts';
import { captures } from './access.ts';
import { orEmpty, publicId } from './columns.ts';
import { exportedReads } from './exported-records.ts';
import { reportReads } from './reports.ts';
import { deviceList, type IdRange, isOfDevices, lastIds, looksAtMax, rangesOf, Slices } from './slices.ts';
import { deviceNames, type KnownDevices } from './stored-devices.ts';

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
function checkInPage(
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
async function checkInPageOf(
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

type Reads = Pick<RecordReads, 'checkins' | 'accessRecords'> &
  Pick<OrganizationReads, 'checkInsSince' | 'checkInPage' | 'accessPage' | 'checkInReport' | 'accessReport'>;

/** Which access records a page of the signed API has. */
type Passages = { readonly passedOnly: boolean; readonly ofDevices: boolean };

interface PassageValues extends IdRange {
  readonly devices: string;
  readonly limit: number;
}

/** Used only by queries for some devices. */
const ofAll = { through: 0, devices: '' };

/** Check-ins and access records, as the signed API pages through them and as people read them. */
export function attendanceReads(connection: Connection, devices: KnownDevices): Reads {
  const { orm } = connection;
  const names = deviceNames(devices);
  const capture = captures(connection);
  /** Null also for a damaged picture, so that one of them does not hide a page of records. */
  const imageOf = (id: number): string | null => capture(id)?.image || null;

  const sinceRow = query(() => orm.select().from(meta).where(eq(meta.key, 'checkins_since')));
  /** Set once, by the first initialization: never read again after that. */
  let since: { id: number; at: number } | null = null;
  const checkInsSince = () => {
    if (since) return since;
    const row = sinceRow.get();
    since = row ? (JSON.parse(row.value) as { id: number; at: number }) : null;
    return since;
  };

  const passages = queryFor(({ passedOnly, ofDevices }: Passages, value: Params<PassageValues>) =>
    orm
      .select({
        id: accessRecord.id,
        userId: orEmpty(publicId(employee)),
        extId: orEmpty(employee.extId),
        deviceNo: accessRecord.deviceNo,
        doorId: accessRecord.doorId,
        checkType: accessRecord.checkType,
        checkTime: accessRecord.checkTimeSeconds,
        checkData: accessRecord.checkData,
        checkResult: accessRecord.checkResult,
        employeeId: accessRecord.employeeId,
        seq: accessRecord.seq,
        hasCapture: isNotNull(accessRecord.sealedCaptureImg).mapWith(Boolean),
      })
      .from(accessRecord)
      .leftJoin(employee, eq(employee.id, accessRecord.employeeId))
      .where(
        and(
          gt(accessRecord.id, value.after),
          passedOnly ? eq(accessRecord.checkResult, 0) : undefined,
          ofDevices ? lte(accessRecord.id, value.through) : undefined,
          ofDevices ? isOfDevices(accessRecord.deviceNo, value.devices) : undefined,
        ),
      )
      .orderBy(asc(accessRecord.id))
      .limit(value.limit),
  );

  const last = lastIds(connection);
  /** The highest number that was given out; of access records, until a restore at least. */
  const numberGiven = (what: 'checkin' | 'access'): number =>
    (connection.sql('SELECT value FROM counter WHERE name = ?').get(what) as { value: number } | undefined)?.value ?? 0;

  /** Of some devices: at least one, unless there is none; `next` is how far it has looked. */
  async function passagesOf(
    deviceNos: ReadonlySet<DeviceNo>,
    { after, limit, passedOnly }: { after: number; limit: number; passedOnly: boolean },
  ) {
    const slices = new Slices();
    const find = passages({ passedOnly, ofDevices: true });
    const devices = deviceList(deviceNos);
    const rows: ReturnType<typeof find.all> = [];
    let next = after;
    for (const range of rangesOf(after, last.access())) {
      if (slices.isOver) await slices.next();
      rows.push(...find.all({ ...range, devices, limit: limit - rows.length }));
      next = rows.length === limit ? rows.at(-1)!.id : range.through;
      if (rows.length === limit || (rows.length > 0 && next - after >= looksAtMax)) break;
    }
    return { rows, next };
  }

  return {
    async checkInsSince() {
      return checkInsSince();
    },

    async checkInPage(page) {
      const { after, deviceNos } = page;
      const isAhead = after > numberGiven('checkin');
      const start = checkInsSince();
      if (!start) return { records: [], count: 0, next: after, isAhead };
      const found = deviceNos
        ? await checkInPageOf(connection, start.id, { ...page, deviceNos })
        : checkInPage(connection, start.id, page);
      return { ...found, isAhead };
    },

    async accessPage({ after, limit, passedOnly, bytesMax, deviceNos }) {
      const records: AccessEntryRecord[] = [];
      let bytes = 0;
      const found = deviceNos
        ? await passagesOf(deviceNos, { after, limit, passedOnly })
        : { rows: passages({ passedOnly, ofDevices: false }).all({ ...ofAll, after, limit }), next: null };
      for (const row of found.rows) {
        const { deviceNo, employeeId, seq, hasCapture, ...record } = row;
        const captureImg = hasCapture ? imageOf(row.id) : null;
        bytes += captureImg?.length ?? 0;
        if (records.length > 0 && bytes > bytesMax) return { rows: records, next: records.at(-1)!.id, isAhead: false };
        const { name: deviceName, serialNumber } = names(deviceNo);
        const unknownPersonData = () =>
          JSON.stringify(
            accessData(record.checkType, JSON.parse(record.checkData), { deviceName, serialNumber, person: null }),
          );
        records.push({
          ...record,
          doorId: record.doorId || serialNumber,
          captureImg,
          // The cloud's records of strangers are complete already.
          checkData: employeeId === null && deviceNo !== cloudDeviceNo ? unknownPersonData() : record.checkData,
        });
      }
      // Of a box whose records are all too old to be kept nobody knows what it gave out.
      const newest = records.length === 0 ? last.access() : 0;
      const isAhead = newest > 0 && after > Math.max(newest, numberGiven('access'));
      return { rows: records, next: found.next ?? records.at(-1)?.id ?? after, isAhead };
    },

    ...exportedReads(connection, names, imageOf),
    ...reportReads(connection, names),
  };
}
