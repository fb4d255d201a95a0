import type { StatementSync } from 'node:sqlite';
import { accessData } from '../../platform/check-data.ts';
import type { AccessType } from '../../platform/reports.ts';
import type { Seq } from '../port/journal.ts';
import type { OrganizationReads } from '../port/organization.ts';
import type { AccessEntryRecord, AccessRow, CheckInRow } from '../port/records.ts';
import type { RecordQuery, StoreReader } from '../port/store.ts';
import type { Connection } from '../schema/database.ts';
import { BrokenSeal } from '../schema/sealing.ts';
import { checkInPage } from './check-in-page.ts';
import { type DeviceNames, deviceNames } from './device-names.ts';
import { accessReport, checkInReport } from './reports.ts';
import { places } from './rows.ts';
import type { KnownDevices } from './stored-devices.ts';
import { Turns } from './turns.ts';

type Reads = Pick<StoreReader, 'checkins' | 'accessRecords'> &
  Pick<OrganizationReads, 'checkInsSince' | 'checkInPage' | 'accessPage' | 'checkInReport' | 'accessReport'>;

type Row = Record<string, string | number | Uint8Array | null>;

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

    async checkInPage(page) {
      const start = checkInsSince();
      return start ? checkInPage(connection, start.id, page) : { records: [], count: 0, next: page.after };
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
