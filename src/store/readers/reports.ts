import type { ReportQuery, ReportRow } from '../port/records.ts';
import type { Connection } from '../schema/database.ts';
import type { DeviceNames } from './device-names.ts';

type Row = Record<string, string | number | null>;

/**
 * Reports for people, by check time on its index: a month out of millions reads that month alone.
 * Where neither a person nor a department is asked for, check-ins of people whom the organization
 * does not know stand among the others.
 */
export async function checkInReport(
  connection: Connection,
  names: DeviceNames,
  query: ReportQuery,
): Promise<ReportRow[]> {
  const known = rows(connection, 'checkin', "r.terminal_id, '' AS door_id, 0 AS check_result", query);
  const everybody = query.extId === undefined && query.departmentExtId === undefined;
  const unknown = everybody ? unresolved(connection, query) : [];
  const merged = unknown.length === 0 ? known : [...known, ...unknown].sort(byTime).slice(0, query.limit);
  return merged.map(row => ({ ...rowOf(row, names), doorId: '' }));
}

export async function accessReport(
  connection: Connection,
  names: DeviceNames,
  query: ReportQuery,
): Promise<ReportRow[]> {
  return rows(connection, 'access_record', 'NULL AS terminal_id, r.door_id, r.check_result', query).map(row =>
    rowOf(row, names),
  );
}

const byTime = (one: Row, other: Row): number =>
  (one.check_time_seconds as number) - (other.check_time_seconds as number) ||
  (one.id as number) - (other.id as number);

const place = ({ from, to, after }: ReportQuery): [number, number, number, number] => [
  after?.time ?? from ?? 0,
  after?.id ?? -1,
  after?.time ?? from ?? 0,
  to ?? Number.MAX_SAFE_INTEGER,
];
const inPlace = '(r.check_time_seconds, r.id) > (?, ?) AND r.check_time_seconds >= ? AND r.check_time_seconds < ?';
const inOrder = 'ORDER BY r.check_time_seconds, r.id LIMIT ?';

function rows(connection: Connection, table: 'checkin' | 'access_record', more: string, query: ReportQuery): Row[] {
  const { departmentExtId, extId, limit } = query;
  const ofPerson = extId === undefined ? '' : 'AND r.employee_id = (SELECT id FROM employee WHERE ext_id = ?)';
  const ofDepartment =
    departmentExtId === undefined
      ? ''
      : `AND e.department_id IN (WITH RECURSIVE below(id) AS (SELECT id FROM department WHERE ext_id = ?
           UNION SELECT d.id FROM department d JOIN below b ON d.parent_id = b.id) SELECT id FROM below)`;
  return connection
    .sql(
      `SELECT r.id, r.device_no, r.received_at, r.check_type, r.check_time_seconds, r.check_data, r.clock_skew_seconds, ${more},
         coalesce(e.cloud_id, CAST(e.id AS TEXT), '') AS user_id, coalesce(e.ext_id, '') AS ext_id, coalesce(e.name, '') AS name,
         coalesce(e.employee_num, '') AS employee_num, coalesce(d.name, '') AS department
         FROM ${table} r LEFT JOIN employee e ON e.id = r.employee_id LEFT JOIN department d ON d.id = e.department_id
         WHERE ${inPlace} ${ofPerson} ${ofDepartment} ${inOrder}`,
    )
    .all(
      ...place(query),
      ...(extId === undefined ? [] : [extId]),
      ...(departmentExtId === undefined ? [] : [departmentExtId]),
      limit,
    ) as Row[];
}

const unresolved = (connection: Connection, query: ReportQuery): Row[] =>
  connection
    .sql(
      `SELECT r.id, r.device_no, r.received_at, r.check_type, r.check_time_seconds, r.check_data, r.clock_skew_seconds, NULL AS terminal_id, '' AS door_id,
         0 AS check_result, '' AS user_id, r.ext_id, '' AS name, r.employee_num, '' AS department FROM checkin_unresolved r WHERE ${inPlace} ${inOrder}`,
    )
    .all(...place(query), query.limit) as Row[];

function rowOf(row: Row, names: DeviceNames): ReportRow {
  const { deviceId, name, serialNumber } = names(row.device_no as number);
  return {
    id: row.id as number,
    userId: row.user_id as string,
    extId: row.ext_id as string,
    employeeNum: row.employee_num as string,
    name: row.name as string,
    department: row.department as string,
    deviceId,
    deviceName: name || serialNumber,
    terminalId: (row.terminal_id as string | null) ?? serialNumber,
    checkType: row.check_type as string,
    checkTime: row.check_time_seconds as number,
    checkData: JSON.parse(row.check_data as string),
    receivedAt: row.received_at as number,
    clockSkewSeconds: row.clock_skew_seconds as number | null,
    doorId: (row.door_id as string) || serialNumber,
    checkResult: row.check_result as number,
  };
}
