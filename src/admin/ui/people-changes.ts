import { z } from '@hono/zod-openapi';
import {
  type Attendance,
  type AttendanceResults,
  type OrganizationChange,
  planChange,
  withDepartmentsMoved,
} from '../../attendance/index.ts';
import { foldedNumber } from '../../platform/folded-number.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { PeopleReads, ReadPart } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { byCommand, type Call, operation, type Running } from '../operation.ts';
import { dayText, extIdText, throwIfLater } from '../people-shapes.ts';
import { refused } from '../problem.ts';
import { pastChange } from './plan-previews.ts';

const params = z.object({ ext_id: extIdText });
const number = z.string().transform(foldedNumber);
const parent = z.string().default('');
const parentSince = dayText
  .optional()
  .describe(
    described(
      'The first day under that parent; absent: today, if it is another',
      '归入该上级部门的第一天；缺省：换了上级时为今天',
    ),
  );
const department = z.object({ name: z.string().trim(), parent });
const person = z.object({
  name: z.string().trim(),
  mobile: number.default(''),
  employee_num: number.default(''),
  department: z.string(),
  title: z.string().trim().default(''),
});
const named = { ext_id: number };
const change = {
  returns: described('Done', '已完成'),
  answer: z.object({
    done: z.literal(true),
    queued: z
      .boolean()
      .describe(described('The cloud is the authority: it has yet to hear of it', '以云平台为准：还须由云平台接收')),
  }),
  failures: {
    404: described('There is none of this id', '没有此编号'),
    422: described('The id is in use, or the organization refuses it', '编号已被使用，或组织不接受'),
  },
} as const;

export const peopleChangeOperations = {
  addDepartment: operation({
    method: 'post',
    path: '/departments',
    role: 'staff',
    audited: described('added a department', '添加部门'),
    summary: described('Adds a department; its id must be new', '添加部门，编号不能与已有部门相同'),
    body: department.extend(named),
    ...change,
  }),
  putDepartment: operation({
    method: 'put',
    path: '/departments/{ext_id}',
    role: 'staff',
    audited: described('changed a department', '修改部门'),
    summary: described('Renames or moves a department', '重命名或移动部门'),
    params,
    body: department.extend({ parent_since: parentSince }),
    ...change,
  }),
  previewDepartment: operation({
    method: 'post',
    path: '/departments/{ext_id}/preview',
    role: 'staff',
    audited: described('looked at what moving a department would change', '预览部门调整的影响'),
    summary: described(
      'What moving a department under another parent would change in days that are over',
      '预览移动部门会改变哪些过去的日期',
    ),
    params,
    body: z.object({ parent, parent_since: dayText }),
    ...pastChange,
    failures: { 404: described('There is none of this id', '没有此编号') },
  }),
  removeDepartment: operation({
    method: 'delete',
    path: '/departments/{ext_id}',
    role: 'staff',
    audited: described('deleted a department', '删除部门'),
    summary: described(
      'Deletes a department with the empty ones below it; not while anybody is in them',
      '删除部门及其下的空部门；仍有人员时不能删除',
    ),
    params,
    ...change,
  }),
  addPerson: operation({
    method: 'post',
    path: '/people',
    role: 'staff',
    audited: described('added a person', '添加人员'),
    summary: described('Adds an employee; the id must be new', '添加人员，编号不能与已有人员相同'),
    body: person.extend(named),
    ...change,
  }),
  putPerson: operation({
    method: 'put',
    path: '/people/{ext_id}',
    role: 'staff',
    audited: described('changed a person', '修改人员'),
    summary: described('Changes an employee', '修改人员'),
    params,
    body: person.extend({
      department_since: dayText
        .optional()
        .describe(
          described(
            'The first day in the department; absent: today, if it is another',
            '在该部门的第一天；缺省：换了部门时为今天',
          ),
        ),
    }),
    ...change,
  }),
  removePerson: operation({
    method: 'delete',
    path: '/people/{ext_id}',
    role: 'staff',
    audited: described('deleted a person', '删除人员'),
    summary: described('Deletes an employee with all check-ins and features', '删除人员及其全部打卡和特征'),
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
  results,
  clock,
  config,
}: {
  readonly store: ReadPart<PeopleReads>;
  readonly attendance: Pick<Attendance, 'status' | 'change'>;
  readonly results: Pick<AttendanceResults, 'of' | 'withPlans'>;
  readonly clock: Clock;
  readonly config: { readonly site: { readonly timezone: string } };
}): Running<typeof peopleChangeOperations> {
  const today = () => dayOf(clock.now(), config.site.timezone).day;
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
    async putDepartment({ ext_id: extId, parent_since: since, ...body }, call = byCommand) {
      if (!(await knownDepartment(extId))) throw refused(404, 'unknown', 'no department has this id');
      throwIfLater(since, today());
      return changed(call, extId, { call: 'put department', body: departmentBody(extId, body), since });
    },
    async previewDepartment({ ext_id: extId, parent: above, parent_since: since }, call = byCommand) {
      const tree = await store.read.departmentTree(Number.MAX_SAFE_INTEGER);
      const own = tree.find(node => node.extId === extId);
      const to = tree.find(node => (above === '' ? node.parentId === null : node.extId === above));
      if (!own || !to) throw refused(404, 'unknown', 'no department has this id');
      const move = { now: own.parentId ?? to.id, to: to.id, since };
      const plans = withDepartmentsMoved(store.read, new Map([[own.id, move]]));
      return planChange(results, plans, { from: since, today: today(), signal: call.signal });
    },
    removeDepartment: ({ ext_id: extId }, call = byCommand) =>
      changed(call, extId, { call: 'delete department', body: { department_ext_id: extId } }),
    async addPerson({ ext_id: extId, ...body }, call = byCommand) {
      if (await store.read.person(extId)) throw refused(422, 'ext_id_in_use', 'another employee has this id');
      return changed(call, extId, { call: 'put employee', body: personBody(extId, body) });
    },
    async putPerson({ ext_id: extId, department_since: since, ...body }, call = byCommand) {
      if (!(await store.read.person(extId))) throw refused(404, 'unknown', 'nobody has this id');
      throwIfLater(since, today());
      return changed(call, extId, { call: 'put employee', body: personBody(extId, body), since });
    },
    removePerson: ({ ext_id: extId }, call = byCommand) =>
      changed(call, extId, { call: 'delete employee', body: { employee_ext_id: extId } }),
  };
}
