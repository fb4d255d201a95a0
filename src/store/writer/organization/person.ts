import type { CheckInFacts } from '../../../platform/check-data.ts';

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
