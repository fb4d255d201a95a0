import { attendanceLimits as bounds } from '../../platform/attendance.ts';
import type { SiteData } from '../../store/index.ts';
import { listErrors } from '../../words/lists.ts';
import type { ColumnChoice } from './columns.ts';
import { dateIn } from './date-in.ts';
import type { Field } from './field.ts';
import { type Imported, readFields } from './read-fields.ts';
import type { Table } from './table.ts';

type DepartmentItem = NonNullable<SiteData['departments']>[number];

type EmployeeItem = NonNullable<SiteData['employees']>[number];

/** A person as a list has them: what the box knows is not looked at yet. */
export interface ListedEmployee extends Omit<EmployeeItem, 'ext_id' | 'department'> {
  /** Absent: of the person with this number, and else the number itself. */
  readonly ext_id?: string;
  readonly department: {
    readonly ext_id?: string;
    /** Name, path such as `Plant/Assembly`, or id. Absent, and no id: as it is, or the root. */
    readonly called?: string;
    readonly title?: string;
  };
}

export const departmentFields = {
  ext_id: {
    names: ['ext_id', 'department_ext_id', '编号', '部门编号'],
    guesses: ['departmentid', 'departmentcode', 'departmentnumber', 'deptid', 'deptcode', 'id', 'code', '部门代码'],
    needed: true,
    max: bounds.extIdCharactersMax,
    kind: 'digits',
  },
  name: {
    names: ['name', '名称', '部门名称'],
    guesses: ['departmentname', 'deptname', 'department', 'dept', '部门'],
    needed: true,
    max: bounds.nameCharactersMax,
  },
  p_ext_id: {
    names: ['p_ext_id', '上级部门', '上级部门编号'],
    guesses: ['parentid', 'parentdepartmentid', 'parentdepartment', 'parent', '上级编号'],
    needed: false,
    max: bounds.extIdCharactersMax,
    kind: 'id',
  },
  parent_since: { names: ['parent_since', '上级生效日期'], needed: false, max: 40, kind: 'date' },
} satisfies Record<string, Field>;

/** The number stands before the id: a header that may mean either is the number. */
export const employeeFields = {
  employee_num: {
    names: ['employee_num', '工号'],
    guesses: [
      ...['employeenumber', 'employeeno', 'employeenum', 'empnumber', 'empno', 'staffnumber', 'staffno'],
      ...['personnelnumber', 'personnelno', 'payrollnumber', 'payrollno', 'workernumber', 'badgenumber', 'badgeno'],
      ...['employeecode', 'staffcode', 'employeeid', 'empid', 'staffid', 'workerid', 'personid', 'userid', 'acno'],
      ...[
        '员工工号',
        '员工编号',
        '职工号',
        '职工编号',
        '职员编号',
        '员工号',
        '人员工号',
        '考勤号码',
        '考勤编号',
        '考勤号',
      ],
      ...['number', 'badge', 'code', 'id', '编号', 'no'],
    ],
    needed: false,
    max: bounds.employeeNumCharactersMax,
    kind: 'digits',
  },
  name: {
    names: ['name', '姓名'],
    guesses: [
      ...['fullname', 'employeename', 'empname', 'staffname', 'personname', 'displayname', 'employee'],
      ...['员工姓名', '人员姓名', '职工姓名', '名字'],
    ],
    needed: true,
    max: bounds.nameCharactersMax,
  },
  department: {
    names: ['department', '部门'],
    guesses: [
      ...['departmentname', 'departmentpath', 'dept', 'deptname', 'division', 'orgunit', 'organizationunit', 'team'],
      ...['unit', 'section', 'organization', 'organisation'],
      ...[
        '部门名称',
        '所属部门',
        '所在部门',
        '部门路径',
        '部门全称',
        '任职部门',
        '组织',
        '组织机构',
        '科室',
        '车间',
        '班组',
      ],
    ],
    needed: false,
    max: 200,
    kind: 'id',
  },
  mobile: {
    names: ['mobile', '手机', '手机号'],
    guesses: [
      ...['mobilenumber', 'mobilephone', 'mobileno', 'cellphone', 'cell', 'phonenumber', 'phone', 'telephone', 'tel'],
      ...['手机号码', '移动电话', '联系电话', '电话', '联系方式'],
    ],
    needed: false,
    max: bounds.mobileCharactersMax,
    kind: 'mobile',
  },
  title: {
    names: ['title', '职位', '职务'],
    guesses: ['jobtitle', 'position', 'job', 'role', 'function', '岗位', '岗位名称', '职位名称', '职称'],
    needed: false,
    max: bounds.titleCharactersMax,
    isCut: true,
  },
  from: {
    names: ['from', '入职日期'],
    guesses: [
      ...['hiredate', 'dateofhire', 'hiredon', 'startdate', 'joindate', 'joiningdate', 'dateofjoining', 'entrydate'],
      ...['firstday', '入职时间', '入司日期', '到岗日期'],
    ],
    needed: false,
    max: 40,
    kind: 'date',
  },
  to: {
    names: ['to', '最后工作日'],
    guesses: ['lastday', 'lastworkingday', 'terminationdate', 'leavingdate', 'exitdate', '离职日期', '离职时间'],
    needed: false,
    max: 40,
    kind: 'date',
  },
  department_since: { names: ['department_since', '调动生效日期'], needed: false, max: 40, kind: 'date' },
  ext_id: {
    names: ['ext_id', 'employee_ext_id', '外部编号', '人员编号'],
    guesses: [
      'externalid',
      'hrid',
      'employeeid',
      'empid',
      'staffid',
      'workerid',
      'personid',
      'userid',
      '员工编号',
      'id',
    ],
    needed: false,
    max: bounds.extIdCharactersMax,
    kind: 'digits',
    isRare: true,
  },
  department_ext_id: {
    names: ['department_ext_id', '部门编号'],
    guesses: ['departmentid', 'departmentcode', 'departmentnumber', 'deptid', 'deptcode', '部门代码', '部门id'],
    needed: false,
    max: bounds.extIdCharactersMax,
    kind: 'id',
    isRare: true,
  },
} satisfies Record<string, Field>;

/** Columns have any names and any order. Reports every wrong row, not only the first. */
export function readDepartments(table: Table, columns: ColumnChoice = {}): Imported<DepartmentItem> {
  return readFields(table, departmentFields, {
    key: ({ ext_id }) => ({ name: 'ext_id', text: ext_id }),
    make: ({ ext_id, name, p_ext_id, parent_since: since }) => ({
      ext_id,
      name,
      ...(p_ext_id === '' ? {} : { p_ext_id }),
      ...(since === '' ? {} : { parent_since: dateIn(since)! }),
    }),
    columns,
  });
}

export function readEmployees(table: Table, columns: ColumnChoice = {}): Imported<ListedEmployee> {
  return readFields(table, employeeFields, {
    key: ({ ext_id, employee_num }) =>
      ext_id === '' ? { name: 'employee_num', text: employee_num } : { name: 'ext_id', text: ext_id },
    make: employeeOf,
    *check({ ext_id, employee_num, department, department_ext_id }, has) {
      if (ext_id === '' && employee_num === '')
        yield { name: has.has('employee_num') ? 'employee_num' : 'ext_id', ...listErrors.say('cell_is_empty') };
      const places = (['department', 'department_ext_id'] as const).filter(name => has.has(name));
      if (places[0] && department === '' && department_ext_id === '')
        yield { name: places[0], ...listErrors.say('cell_is_empty') };
    },
    columns,
    needsOneOf: ['employee_num', 'ext_id'],
  });
}

function employeeOf(values: Record<keyof typeof employeeFields, string>): ListedEmployee {
  const { ext_id, name, mobile, employee_num, department, department_ext_id, title, from, to } = values;
  const since = values.department_since;
  return {
    ...(ext_id === '' ? {} : { ext_id }),
    name,
    ...(from === '' ? {} : { from: dateIn(from)! }),
    ...(to === '' ? {} : { to: dateIn(to)! }),
    ...(mobile === '' ? {} : { mobile }),
    ...(employee_num === '' ? {} : { employee_num }),
    department: {
      ...(department_ext_id === '' ? {} : { ext_id: department_ext_id }),
      ...(department === '' ? {} : { called: department }),
      ...(title === '' ? {} : { title }),
    },
    ...(since === '' ? {} : { department_since: dateIn(since)! }),
  };
}
