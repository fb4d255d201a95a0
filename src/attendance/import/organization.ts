import { attendanceLimits as bounds } from '../../platform/attendance.ts';
import type { SiteData } from '../../store/index.ts';
import { dateIn } from './date-in.ts';
import { type Field, type Imported, readFields } from './read-fields.ts';
import type { Table } from './table.ts';

type DepartmentItem = NonNullable<SiteData['departments']>[number];

type EmployeeItem = NonNullable<SiteData['employees']>[number];

export const departmentFields = {
  ext_id: {
    names: ['ext_id', 'department_ext_id', '编号', '部门编号'],
    needed: true,
    max: bounds.extIdCharactersMax,
    kind: 'digits',
  },
  name: { names: ['name', '名称', '部门名称'], needed: true, max: bounds.nameCharactersMax },
  p_ext_id: {
    names: ['p_ext_id', '上级部门', '上级部门编号'],
    needed: false,
    max: bounds.extIdCharactersMax,
    kind: 'id',
  },
  parent_since: { names: ['parent_since', '上级生效日期'], needed: false, max: 40, kind: 'date' },
} satisfies Record<string, Field>;

export const employeeFields = {
  ext_id: {
    names: ['ext_id', 'employee_ext_id', '外部编号', '人员编号'],
    needed: true,
    max: bounds.extIdCharactersMax,
    kind: 'digits',
  },
  name: { names: ['name', '姓名'], needed: true, max: bounds.nameCharactersMax },
  department_ext_id: {
    names: ['department_ext_id', '部门', '部门编号'],
    needed: true,
    max: bounds.extIdCharactersMax,
    kind: 'id',
  },
  employee_num: {
    names: ['employee_num', '工号'],
    needed: false,
    max: bounds.employeeNumCharactersMax,
    kind: 'digits',
  },
  mobile: { names: ['mobile', '手机', '手机号'], needed: false, max: bounds.mobileCharactersMax, kind: 'mobile' },
  title: { names: ['title', '职位', '职务'], needed: false, max: bounds.titleCharactersMax },
  department_since: { names: ['department_since', '调动生效日期'], needed: false, max: 40, kind: 'date' },
  from: { names: ['from', '入职日期'], needed: false, max: 40, kind: 'date' },
  to: { names: ['to', '最后工作日'], needed: false, max: 40, kind: 'date' },
} satisfies Record<string, Field>;

/**
 * Columns have English or Chinese names and any order. Reports every wrong row, not only the first.
 */
export function readDepartments(table: Table): Imported<DepartmentItem> {
  return readFields(table, departmentFields, {
    key: byExtId,
    make: ({ ext_id, name, p_ext_id, parent_since: since }) => ({
      ext_id,
      name,
      ...(p_ext_id === '' ? {} : { p_ext_id }),
      ...(since === '' ? {} : { parent_since: dateIn(since)! }),
    }),
  });
}

export function readEmployees(table: Table): Imported<EmployeeItem> {
  return readFields(table, employeeFields, {
    key: byExtId,
    make: ({ ext_id, name, mobile, employee_num, department_ext_id, department_since: since, title, from, to }) => ({
      ext_id,
      name,
      ...(from === '' ? {} : { from: dateIn(from)! }),
      ...(to === '' ? {} : { to: dateIn(to)! }),
      ...(mobile === '' ? {} : { mobile }),
      ...(employee_num === '' ? {} : { employee_num }),
      department: { ext_id: department_ext_id, ...(title === '' ? {} : { title }) },
      ...(since === '' ? {} : { department_since: dateIn(since)! }),
    }),
  });
}

const byExtId = ({ ext_id }: { readonly ext_id: string }) => ({ name: 'ext_id', text: ext_id }) as const;
