import type { StatementSync } from 'node:sqlite';
import { accessData } from '../../platform/check-data.ts';
import { lateMax } from '../../platform/page-token.ts';
import type { AccessType } from '../../platform/reports.ts';
import type { Seq } from '../port/journal.ts';
import type { OrganizationReads } from '../port/organization.ts';
import type { AccessEntryRecord, AccessRow, CheckInRow } from '../port/records.ts';
import type { RecordQuery, StoreReader } from '../port/store.ts';
import type { Connection } from '../schema/database.ts';
import { BrokenSeal } from '../schema/sealing.ts';
import { type DeviceNames, deviceNames } from './device-names.ts';
import { accessReport, checkInReport } from './reports.ts';
import { places } from './rows.ts';
import type { KnownDevices } from './stored-devices.ts';
import { Turns } from './turns.ts';

type Reads = Pick<StoreReader, 'checkins' | 'accessRecords'> &
  Pick<OrganizationReads, 'checkInsSince' | 'checkInPage' | 'accessPage' | 'checkInReport' | 'accessReport'>;

type Row = Record<string, string | number | Uint8Array | null>;

/**
 * One page of check-ins as the JSON of SPEC 2.15, made where the rows are: 500 objects and their
 * texts would cost the main thread as much again, and its garbage collector more. `check_data`
 * stands in the table as JSON. The rows come out of the inner select in its order, which its LIMIT
 * keeps SQLite from dissolving: to sort them once more inside group_concat costs a third of the
 * page (test/attendance/http/records.test.ts holds the order).
 */
const pageOf = (place: string, where: string): string => `
  SELECT count(*) AS count, max(id) AS last_id, max(late_no) AS last_late, group_concat(json, ',') AS json FROM (
    SELECT c.id, c.late_no, format('{"id":"%d","user_id":%s,"ext_id":%s,"terminal_id":%s,"check_type":"%s","check_time":%d,"check_data":%s}',
      c.id, json_quote(coalesce(e.cloud_id, CAST(e.id AS TEXT))), json_quote(coalesce(e.ext_id, '')),
      json_quote(coalesce(c.terminal_id, substr(d.device_id, instr(d.device_id, '_') + 1), '')),
      c.check_type, c.check_time_seconds, c.check_data) AS json
    FROM checkin c JOIN employee e ON e.id = c.employee_id LEFT JOIN device d ON d.device_no = c.device_no
    WHERE ${where} ORDER BY ${place} LIMIT ?)`;
const missedPage = pageOf('c.late_no', 'c.late_no > ? AND c.id > ? AND c.id <= ?');
const nextPage = pageOf('c.id', 'c.id > ?');

interface JsonPage {
  readonly count: number;
  readonly last_id: number;
  readonly last_late: number;
  readonly json: string;
}

/** Check-ins and access records, as the signed API pages through them and as people read them. */
export function attendanceReads(connection: Connection, devices: KnownDevices): Reads {
  const { sql } = connection;
  const names = deviceNames(devices);
  /** Set once, by the first initialization: never read again after that. */
  let since: { id: number; at: number } | null = null;

  const checkInsSince = () => {
    if (since) return since;
    const row = sql("SELECT value FROM meta WHERE key = 'checkins_since'").get() as { value: string } | undefined;
    since = row ? (JSON.parse(row.value) as { id: number; at: number }) : null;
    return since;
  };

  return {
    async checkInsSince() {
      return checkInsSince();
    },

    async checkInPage({ after, limit }) {
      const start = checkInsSince();
      if (!start) return { records: [], count: 0, next: after };
      // One snapshot: what becomes known between two of these statements would be given twice.
      using _snapshot = snapshot(connection);
      const records: string[] = [];
      let count = 0;
      const find = (text: string, ...values: number[]): JsonPage | null => {
        const page = sql(text).get(...values, limit - count) as unknown as JsonPage;
        if (page.count === 0) return null;
        records.push(page.json);
        count += page.count;
        return page;
      };
      let late = after.late;
      const { value } = sql("SELECT value FROM counter WHERE name = 'late'").get() as { value: number };
      const newest = Math.min(value, lateMax);
      if (newest > late) {
        // What became known after the caller had passed it.
        const missed = find(missedPage, late, start.id, after.id);
        late = count === limit ? missed!.last_late : newest;
      }
      const found = count < limit ? find(nextPage, Math.max(after.id, start.id)) : null;
      return { records, count, next: count === 0 ? after : { id: found?.last_id ?? after.id, late } };
    },

    async accessPage({ after, limit, passedOnly, bytesMax }) {
      const rows = sql(
        `SELECT a.id, coalesce(e.cloud_id, CAST(e.id AS TEXT), '') AS user_id, coalesce(e.ext_id, '') AS ext_id, a.device_no, a.door_id, a.check_type,
           a.check_time_seconds, a.check_data, a.check_result, a.employee_id, a.seq, a.sealed_capture_img
           FROM access_record a LEFT JOIN employee e ON e.id = a.employee_id
           WHERE a.id > ? ${passedOnly ? 'AND a.check_result = 0' : ''} ORDER BY a.id LIMIT ?`,
      );
      const records: AccessEntryRecord[] = [];
      let bytes = 0;
      for (const found of rows.iterate(after, limit)) {
        const row = found as Row;
        const captureImg = capture(connection, row);
        bytes += captureImg?.length ?? 0;
        if (records.length > 0 && bytes > bytesMax) break;
        const { serialNumber } = names(row.device_no as number);
        records.push({
          id: row.id as number,
          userId: row.user_id as string,
          extId: row.ext_id as string,
          checkType: row.check_type as string,
          checkTime: row.check_time_seconds as number,
          doorId: (row.door_id as string) || serialNumber,
          checkResult: row.check_result as number,
          captureImg,
          checkData: row.employee_id === null ? strangersData(row, names) : (row.check_data as string),
        });
      }
      return { rows: records, next: records.at(-1)?.id ?? after };
    },

    async checkins(query) {
      const find = sql(
        `SELECT id, seq, device_no, received_at, employee_id, terminal_id, '' AS ext_id, '' AS employee_num, check_type, check_time_seconds, check_data, clock_skew_seconds
           FROM checkin WHERE id > ?1 AND id <= ?5 AND (?2 IS NULL OR check_time_seconds >= ?2) AND (?3 IS NULL OR check_time_seconds < ?3)
         UNION ALL SELECT id, seq, device_no, received_at, NULL, NULL, ext_id, employee_num, check_type, check_time_seconds, check_data, clock_skew_seconds
           FROM checkin_unresolved WHERE id > ?1 AND id <= ?5 AND (?2 IS NULL OR check_time_seconds >= ?2) AND (?3 IS NULL OR check_time_seconds < ?3)
         ORDER BY id LIMIT ?4`,
      );
      const end = Math.max(lastId(sql, 'checkin'), lastId(sql, 'checkin_unresolved'));
      const rows = await inTurns(query, find, end);
      return rows.map((row): CheckInRow => {
        const data = JSON.parse(row.check_data as string) as Record<string, unknown>;
        const { deviceId, serialNumber } = names(row.device_no as number);
        const person = personOf(connection, row.employee_id as number | null);
        return {
          id: row.id as number,
          seq: row.seq as Seq,
          device_id: deviceId,
          received_at: row.received_at as number,
          user_id: person?.userId ?? '',
          ext_id: person?.extId ?? (row.ext_id as string),
          employee_num: person ? String(data.employee_num ?? '') : (row.employee_num as string),
          terminal_id: (row.terminal_id as string | null) ?? serialNumber,
          check_type: row.check_type as string,
          check_time: row.check_time_seconds as number,
          check_data: data,
          clock_skew_s: row.clock_skew_seconds as number | null,
        };
      });
    },

    async accessRecords(query) {
      const find = sql(
        'SELECT * FROM access_record WHERE id > ?1 AND id <= ?5 AND (?2 IS NULL OR check_time_seconds >= ?2) AND (?3 IS NULL OR check_time_seconds < ?3) ORDER BY id LIMIT ?4',
      );
      const rows = await inTurns(query, find, lastId(sql, 'access_record'));
      return rows.map((row): AccessRow => {
        const { deviceId, serialNumber } = names(row.device_no as number);
        const person = personOf(connection, row.employee_id as number | null);
        return {
          id: row.id as number,
          seq: row.seq as Seq,
          device_id: deviceId,
          received_at: row.received_at as number,
          door_id: (row.door_id as string) || serialNumber,
          user_id: person?.userId ?? '',
          ext_id: person?.extId ?? (row.ext_id as string),
          check_type: row.check_type as string,
          check_time: row.check_time_seconds as number,
          check_data: JSON.parse(row.check_data as string),
          check_result: row.check_result as number,
          capture_img: capture(connection, row),
          clock_skew_s: row.clock_skew_seconds as number | null,
        };
      });
    },

    checkInReport: query => checkInReport(connection, names, query),
    accessReport: query => accessReport(connection, names, query),
  };
}

const idsEach = 2000;

const lastId = (sql: Connection['sql'], table: 'checkin' | 'checkin_unresolved' | 'access_record'): number =>
  (sql(`SELECT coalesce(max(id), 0) AS id FROM ${table}`).get() as { id: number }).id;

/** `find`: rows after id ?1, up to id ?5, of check times ?2 to ?3, at most ?4. */
async function inTurns(
  { after = 0, from, to, limit, signal }: RecordQuery,
  find: StatementSync,
  end: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  const turns = new Turns(signal);
  for (let below = after; below < end && rows.length < limit; below += idsEach) {
    rows.push(...(find.all(below, from ?? null, to ?? null, limit - rows.length, below + idsEach) as Row[]));
    if (turns.isOver) await turns.next();
  }
  return rows;
}

function snapshot({ database }: Connection): Disposable {
  database.exec('BEGIN');
  return { [Symbol.dispose]: () => database.exec('COMMIT') };
}

function strangersData(row: Row, names: DeviceNames): string {
  const { name, serialNumber } = names(row.device_no as number);
  const said = JSON.parse(row.check_data as string) as Record<string, unknown>;
  return JSON.stringify(
    accessData(row.check_type as AccessType, said, { deviceName: name, serialNumber, person: null }),
  );
}

/** Null too for a picture whose bytes are damaged: one of them does not hide a page of records. */
function capture({ seal }: Connection, row: Row): string | null {
  const sealed = row.sealed_capture_img as Uint8Array | null;
  if (sealed === null) return null;
  try {
    return seal.openText(sealed, places.captureImg(row.seq as number));
  } catch (error) {
    if (error instanceof BrokenSeal) return null;
    throw error;
  }
}

function personOf({ sql }: Connection, id: number | null): { userId: string; extId: string } | null {
  if (id === null) return null;
  const row = sql('SELECT id, cloud_id, ext_id FROM employee WHERE id = ?').get(id) as
    | { id: number; cloud_id: string | null; ext_id: string | null }
    | undefined;
  return row ? { userId: row.cloud_id ?? String(row.id), extId: row.ext_id ?? '' } : null;
}
