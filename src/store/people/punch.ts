import type { CheckInFacts } from '../../platform/check-data.ts';
import type { ClockBounds } from '../../platform/device-clock.ts';
import type { CheckInType } from '../../platform/reports.ts';
import type { DeviceNo } from '../port/journal.ts';
import { clockOf } from '../readers/columns.ts';

/** A person as punches need it. */
export interface Person {
  readonly id: number;
  readonly extId: string | null;
  readonly name: string;
  readonly employeeNum: string;
  readonly departmentId: string;
  readonly departmentName: string;
}

interface PersonRow {
  id: number;
  ext_id: string | null;
  name: string;
  employee_num: string;
  department_id: string;
  department_name: string;
}

/** Of a statement that `personOf` reads. */
export const personColumns = `SELECT e.id, e.ext_id, e.name, e.employee_num, d.name AS department_name,
  coalesce(d.cloud_id, CAST(d.id AS TEXT)) AS department_id FROM employee e JOIN department d ON d.id = e.department_id`;

export function personOf(row: unknown): Person | null {
  if (!row) return null;
  const { id, ext_id, name, employee_num, department_id, department_name } = row as PersonRow;
  return {
    id,
    extId: ext_id,
    name,
    employeeNum: employee_num,
    departmentId: department_id,
    departmentName: department_name,
  };
}

export const punching = ({ employeeNum, name, departmentId, departmentName }: Person): CheckInFacts['person'] => ({
  employeeNum,
  name,
  departmentId,
  departmentName,
});

/** A check-in as a terminal reported it. */
export interface Punch {
  readonly seq: number;
  readonly deviceNo: DeviceNo;
  readonly receivedAt: number;
  readonly recordId: string;
  readonly extId: string;
  readonly employeeNum: string;
  readonly checkType: CheckInType;
  readonly checkTime: number;
  readonly checkData: Readonly<Record<string, unknown>>;
  /** Bounds of its terminal's clock; null if unknown. */
  readonly clock: ClockBounds | null;
}

/** The same while its person is not known. */
export interface UnresolvedRow {
  id: number;
  seq: number;
  device_no: number;
  received_at: number;
  record_id: string;
  check_type: string;
  check_time_seconds: number;
  check_data: string;
  clock_low_ms: number | null;
  clock_high_ms: number | null;
  shown_id: number | null;
}

export const punchOf = (
  row: UnresolvedRow,
  checkData: Readonly<Record<string, unknown>>,
): Omit<Punch, 'extId' | 'employeeNum'> => ({
  seq: row.seq,
  deviceNo: row.device_no as DeviceNo,
  receivedAt: row.received_at,
  recordId: row.record_id,
  checkType: row.check_type as CheckInType,
  checkTime: row.check_time_seconds,
  checkData,
  clock: clockOf({
    clockLowMs: row.clock_low_ms,
    clockHighMs: row.clock_high_ms,
  }),
});
