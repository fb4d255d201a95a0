import { mobileOf } from '../people/mobile.ts';
import type { PersonRow } from '../port/people.ts';
import { department, employee } from '../schema/people.ts';
import type { Seal } from '../schema/sealing.ts';
import { orEmpty } from './columns.ts';

export const personColumns = {
  id: employee.id,
  departmentId: employee.departmentId,
  extId: orEmpty(employee.extId),
  name: employee.name,
  sealedMobile: employee.sealedMobile,
  employeeNum: employee.employeeNum,
  title: employee.title,
  department: department.name,
  departmentExtId: orEmpty(department.extId),
  missingSince: employee.missingSince,
};

type PersonColumns = Pick<
  typeof employee.$inferSelect,
  'id' | 'departmentId' | 'name' | 'sealedMobile' | 'employeeNum' | 'title'
> &
  Pick<PersonRow, 'extId' | 'department' | 'departmentExtId' | 'missingSince'>;

/** Opens the mobile number when somebody reads it: most of those who are counted show none. */
export const personRow =
  (seal: Seal) =>
  (row: PersonColumns): PersonRow => ({
    extId: row.extId,
    name: row.name,
    employeeNum: row.employeeNum,
    title: row.title,
    department: row.department,
    departmentExtId: row.departmentExtId,
    missingSince: row.missingSince,
    place: { department: row.departmentId, id: row.id },
    get mobile() {
      return mobileOf(seal, row);
    },
  });
