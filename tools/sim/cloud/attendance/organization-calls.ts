import { attendanceLimits as bounds } from '../../../../src/platform/attendance.ts';
import { type Body, filledIn, objectsIn, textIn, wholeIn } from './fields.ts';
import type { SimOrganization } from './organization.ts';
import { Refused } from './refused.ts';

/** Returns the `data` of the answer; undefined: code and msg alone. */
export type Call = (body: Body) => object | undefined | null;

export interface SimOrgDevice {
  readonly sn: string;
  readonly name: string;
  readonly online: boolean;
}

const extIdIn = (body: Body, field: string) => filledIn(body, field, bounds.extIdCharactersMax);
const idMax = 64;

/** `total` and one page of `rows`. */
function paged<T>(body: Body, all: readonly T[], row: (one: T) => object): object {
  const limit = wholeIn(body, 'limit', 1, bounds.limitMax) ?? bounds.limitMax;
  const offset = wholeIn(body, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0;
  return { total: all.length, rows: all.slice(offset, offset + limit).map(row) };
}

function departmentIn(body: Body): { ext_id: string; title: string | undefined } | undefined {
  const infos = objectsIn(body, 'department_infos');
  if (infos === undefined) return undefined;
  if (infos.length !== 1) throw new Refused('bad_body', 'department_infos: an employee has exactly one department');
  return { ext_id: extIdIn(infos[0]!, 'ext_id'), title: textIn(infos[0]!, 'title', bounds.titleCharactersMax) };
}

/** The ten organization paths of SPEC 4.8. */
export const organizationCalls = (
  organization: SimOrganization,
  devices: () => readonly SimOrgDevice[],
  forget: (userId: string) => void,
): ReadonlyMap<string, Call> =>
  new Map<string, Call>([
    [
      '/v2.0/department/init',
      body => {
        const { extId, name } = organization.nameRoot(extIdIn(body, 'department_ext_id'));
        return { ext_id: extId, name };
      },
    ],
    [
      '/v2.0/department/query',
      body =>
        paged(body, organization.departments, ({ id, parent, name, extId }) => ({
          id,
          pid: parent?.id ?? '',
          name,
          department_ext_id: extId,
        })),
    ],
    [
      '/v2.0/department/ext',
      body => {
        organization.giveDepartmentExtId(filledIn(body, 'id', idMax), extIdIn(body, 'ext_id'));
        return null;
      },
    ],
    [
      '/v2.0/department',
      body => {
        const { extId, name } = organization.putDepartment(
          extIdIn(body, 'department_ext_id'),
          filledIn(body, 'name', bounds.nameCharactersMax),
          textIn(body, 'p_ext_id', bounds.extIdCharactersMax),
        );
        return { ext_id: extId, name };
      },
    ],
    [
      '/v2.0/department/delete',
      body => {
        organization.deleteDepartment(extIdIn(body, 'department_ext_id'));
        return null;
      },
    ],
    [
      '/v2.0/employee',
      body => {
        const extId = extIdIn(body, 'employee_ext_id');
        const name = textIn(body, 'name', bounds.nameCharactersMax);
        if (name === '') throw new Refused('bad_body', 'name: is empty');
        const put = organization.putEmployee({
          extId,
          name,
          mobile: textIn(body, 'mobile', bounds.mobileCharactersMax),
          employeeNum: textIn(body, 'employee_num', bounds.employeeNumCharactersMax),
          department: departmentIn(body),
        });
        return { ext_id: put.extId, name: put.name, mobile: put.mobile, employee_num: put.employeeNum };
      },
    ],
    [
      '/v2.0/employee/query',
      body =>
        paged(body, organization.employees(), ({ id, extId, name, mobile, employeeNum, department }) => ({
          id,
          ext_id: extId,
          name,
          mobile,
          employee_num: employeeNum,
          department_infos: [{ id: department.id }],
        })),
    ],
    [
      '/v2.0/employee/ext',
      body => {
        organization.giveEmployeeExtId(filledIn(body, 'id', idMax), extIdIn(body, 'ext_id'));
        return null;
      },
    ],
    [
      '/v2.0/employee/delete',
      body => {
        const gone = organization.deleteEmployee(extIdIn(body, 'employee_ext_id'));
        if (gone) forget(gone.id);
        return null;
      },
    ],
    ['/v2.0/org/device/query', body => paged(body, devices(), ({ sn, name, online }) => ({ sn, name, online }))],
  ]);
