import { z } from '@hono/zod-openapi';
import type { Attendance, OrganizationChange } from '../../attendance/index.ts';
import { foldedNumber } from '../../platform/folded-number.ts';
import type { PeopleReads, ReadPart } from '../../store/index.ts';
import { byCommand, type Call, operation, type Running } from '../operation.ts';
import { refused } from '../problem.ts';
import { extIdText } from './people-shapes.ts';

const params = z.object({ ext_id: extIdText });
const number = z.string().transform(foldedNumber);
const department = z.object({ name: z.string().trim(), parent: z.string().default('') });
const person = z.object({
  name: z.string().trim(),
  mobile: number.default(''),
  employee_num: number.default(''),
  department: z.string(),
  title: z.string().trim().default(''),
});
const named = { ext_id: number };
const change = {
  returns: 'Done',
  answer: z.object({
    done: z.literal(true),
    queued: z.boolean().describe('The cloud is the authority: it has yet to hear of it'),
  }),
  failures: { 404: 'There is none of this id', 422: 'The id is in use, or the organization refuses it' },
} as const;

export const peopleChangeOperations = {
  addDepartment: operation({
    method: 'post',
    path: '/departments',
    role: 'staff',
    summary: 'Adds a department; its id must be new',
    body: department.extend(named),
    ...change,
  }),
  putDepartment: operation({
    method: 'put',
    path: '/departments/{ext_id}',
    role: 'staff',
    summary: 'Renames or moves a department',
    params,
    body: department,
    ...change,
  }),
  removeDepartment: operation({
    method: 'delete',
    path: '/departments/{ext_id}',
    role: 'staff',
    summary: 'Deletes a department with the empty ones below it; not while anybody is in them',
    params,
    ...change,
  }),
  addPerson: operation({
    method: 'post',
    path: '/people',
    role: 'staff',
    summary: 'Adds an employee; the id must be new',
    body: person.extend(named),
    ...change,
  }),
  putPerson: operation({
    method: 'put',
    path: '/people/{ext_id}',
    role: 'staff',
    summary: 'Changes an employee',
    params,
    body: person,
    ...change,
  }),
  removePerson: operation({
    method: 'delete',
    path: '/people/{ext_id}',
    role: 'staff',
    summary: 'Deletes an employee with all check-ins and features',
    params,
    ...change,
  }),
};

/**
 * Changes of the organization that people at the box make; where the cloud is its authority, they
 * are queued for it.
 */
export function peopleChanges({
  store,
  attendance,
}: {
  readonly store: ReadPart<PeopleReads>;
  readonly attendance: Pick<Attendance, 'status' | 'change'>;
}): Running<typeof peopleChangeOperations> {
  const changed = async (call: Call, subject: string, what: OrganizationChange) => {
    call.subject(subject);
    const outcome = await attendance.change(what, call.caller.actor);
    if (!outcome.ok) throw refused(422, outcome.code, outcome.reason);
    return { done: true, queued: attendance.status().authority === 'cloud' } as const;
  };
  const knownDepartment = async (extId: string) =>
    (await store.read.departmentTree(Number.MAX_SAFE_INTEGER)).some(one => one.extId === extId);
  const departmentBody = (extId: string, { name, parent }: z.infer<typeof department>) => ({
    department_ext_id: extId,
    name,
    ...(parent === '' ? {} : { p_ext_id: parent }),
  });
  const personBody = (extId: string, body: z.infer<typeof person>) => ({
    employee_ext_id: extId,
    name: body.name,
    mobile: body.mobile,
    employee_num: body.employee_num,
    department_infos: [{ ext_id: body.department, title: body.title }] as const,
  });

  return {
    async addDepartment({ ext_id: extId, ...body }, call = byCommand) {
      if (await knownDepartment(extId)) throw refused(422, 'ext_id_in_use', 'another department has this id');
      return changed(call, extId, { call: 'put department', body: departmentBody(extId, body) });
    },
    async putDepartment({ ext_id: extId, ...body }, call = byCommand) {
      if (!(await knownDepartment(extId))) throw refused(404, 'unknown', 'no department has this id');
      return changed(call, extId, { call: 'put department', body: departmentBody(extId, body) });
    },
    removeDepartment: ({ ext_id: extId }, call = byCommand) =>
      changed(call, extId, { call: 'delete department', body: { department_ext_id: extId } }),
    async addPerson({ ext_id: extId, ...body }, call = byCommand) {
      if (await store.read.person(extId)) throw refused(422, 'ext_id_in_use', 'another employee has this id');
      return changed(call, extId, { call: 'put employee', body: personBody(extId, body) });
    },
    async putPerson({ ext_id: extId, ...body }, call = byCommand) {
      if (!(await store.read.person(extId))) throw refused(404, 'unknown', 'nobody has this id');
      return changed(call, extId, { call: 'put employee', body: personBody(extId, body) });
    },
    removePerson: ({ ext_id: extId }, call = byCommand) =>
      changed(call, extId, { call: 'delete employee', body: { employee_ext_id: extId } }),
  };
}
