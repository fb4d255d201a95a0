import { z } from '@hono/zod-openapi';
import { attendanceLimits } from '../../platform/attendance.ts';
import type { OrganizationOutcome } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { type Answer, answered, CallRefused, done } from './answers.ts';
import { type AttendanceCall, type CallContext, call, forCloud, levelWithinMs } from './calls.ts';
import { departmentBody, departmentExtId, employeeBody, employeeExtId, extBody, page } from './schemas.ts';

/** The ten organization paths of SPEC 4.8. */

/** The value, or the rule that was broken as a refused call. */
function unlessRefused<T>(context: CallContext, outcome: OrganizationOutcome<T>): T {
  if (!outcome.ok) {
    const { code, field, reason } = outcome.refusal;
    throw new CallRefused(code, `${field}: ${reason}`);
  }
  context.queued();
  return outcome.value;
}

/** Before the cloud was reached for the first time: what is empty here would be believed. */
export async function refuseUnknownOrganization({ cloudIsAuthority, store }: CallContext): Promise<void> {
  if (!cloudIsAuthority) return;
  const { total, rows } = await store.read.departments({ limit: 1, offset: 0 });
  const nobody = (await store.read.employees({ limit: 1, offset: 0 })).total === 0;
  if (total <= 1 && nobody && rows[0]?.name === '') throw notFetchedYet();
}

const notFetchedYet = (): CallRefused =>
  new CallRefused('organization_abnormal', 'it has not been fetched from the cloud yet, which has to be reached once');

const paged = <T>(rows: z.ZodType<T>) => z.object({ total: z.number().int(), rows: z.array(rows) });
const walking = {
  walk: ({ limit, offset }: z.infer<typeof page>) => `${offset ?? 0} ${limit ?? attendanceLimits.limitMax}`,
  next: ({ limit, offset }: z.infer<typeof page>, { data }: Answer) => {
    const size = limit ?? attendanceLimits.limitMax;
    return (data as { rows: unknown[] }).rows.length === size ? `${(offset ?? 0) + size} ${size}` : null;
  },
};
const of = ({ limit, offset }: z.infer<typeof page>) => ({
  limit: limit ?? attendanceLimits.limitMax,
  offset: offset ?? 0,
});

const named = z.object({ ext_id: z.string(), name: z.string() });

export const organizationCalls: readonly AttendanceCall[] = [
  call({
    path: '/v2.0/department/init',
    command: '',
    summary: described('Sets the external id of the root department', '设置根部门的外部编号'),
    body: departmentExtId,
    example: { department_ext_id: '0' },
    answers: named,
    async run({ department_ext_id }, context, incoming) {
      const queue = forCloud(context, incoming, {
        path: '/v2.0/department/init',
        subject: `department ${department_ext_id}`,
      });
      const { extId, name } = unlessRefused(
        context,
        await context.store.write.initDepartment({ extId: department_ext_id, queue }),
      );
      return answered({ ext_id: extId, name: name || context.site.name });
    },
  }),
  call({
    path: '/v2.0/department/query',
    command: '',
    mirrors: 'organization',
    summary: described('Departments, oldest first, the root among them', '部门，最早的在前，包括根部门'),
    body: page,
    example: { limit: 100, offset: 0 },
    answers: paged(z.object({ id: z.string(), pid: z.string(), name: z.string(), department_ext_id: z.string() })),
    ...walking,
    async run(body, context) {
      await refuseUnknownOrganization(context);
      const { total, rows } = await context.store.read.departments(of(body));
      return answered({
        total,
        rows: rows.map(({ id, parentId, name, extId }) => ({
          id,
          pid: parentId,
          name: name || (parentId === '' ? context.site.name : ''),
          department_ext_id: extId,
        })),
      });
    },
  }),
  call({
    path: '/v2.0/department/ext',
    command: '',
    summary: described('Gives a department its external id', '为部门设置外部编号'),
    body: extBody,
    example: { id: '1', ext_id: '0' },
    async run({ id, ext_id }, context, incoming) {
      const queue = forCloud(context, incoming, { path: '/v2.0/department/ext', subject: `department ${ext_id}` });
      unlessRefused(context, await context.store.write.setDepartmentExt({ id, extId: ext_id, queue }));
      return done;
    },
  }),
  call({
    path: '/v2.0/department',
    command: '',
    summary: described(
      'Creates a department, or updates the one with this external id',
      '创建部门，或更新具有此外部编号的部门',
    ),
    body: departmentBody,
    example: { department_ext_id: 'd9', name: 'Paint shop', p_ext_id: '0' },
    answers: named,
    async run({ department_ext_id, name, p_ext_id }, context, incoming) {
      const queue = forCloud(context, incoming, {
        path: '/v2.0/department',
        subject: `department ${department_ext_id}`,
      });
      const parentExtId = p_ext_id === undefined || p_ext_id === '' ? null : p_ext_id;
      const put = await context.store.write.putDepartment({
        ...{ extId: department_ext_id, name, parentExtId, since: incoming.since },
        ...{ at: context.now(), queue },
      });
      const value = unlessRefused(context, put);
      return answered({ ext_id: value.extId, name: value.name });
    },
  }),
  call({
    path: '/v2.0/department/delete',
    command: '',
    summary: described('Deletes a department with its empty sub-departments', '删除部门及其下的空部门'),
    body: departmentExtId,
    example: { department_ext_id: 'd9' },
    async run({ department_ext_id }, context, incoming) {
      const queue = forCloud(context, incoming, {
        path: '/v2.0/department/delete',
        subject: `department ${department_ext_id}`,
      });
      unlessRefused(context, await context.store.write.deleteDepartment({ extId: department_ext_id, queue }));
      return done;
    },
  }),
  call({
    path: '/v2.0/employee',
    command: '',
    summary: described(
      'Creates an employee, or updates the one with this external id',
      '创建人员，或更新具有此外部编号的人员',
    ),
    body: employeeBody,
    example: {
      ...{ employee_ext_id: 'e9', name: 'Li Mei', mobile: '13800000000', employee_num: '0042' },
      department_infos: [{ ext_id: 'd9', title: 'Fitter' }],
    },
    answers: z.object({ ext_id: z.string(), name: z.string(), mobile: z.string(), employee_num: z.string() }),
    async run(body, context, incoming) {
      const { employee_ext_id: extId, name, mobile, employee_num: employeeNum, department_infos } = body;
      const queue = forCloud(context, incoming, { path: '/v2.0/employee', subject: `employee ${extId}` });
      const [info] = department_infos ?? [];
      const put = await context.store.write.putEmployee({
        extId,
        name,
        mobile,
        employeeNum,
        ...(info ? { department: { extId: info.ext_id, title: info.title, since: incoming.since } } : {}),
        ...{ at: context.now(), queue },
      });
      const value = unlessRefused(context, put);
      return answered({
        ext_id: value.extId,
        name: value.name,
        mobile: value.mobile,
        employee_num: value.employeeNum,
      });
    },
  }),
  call({
    path: '/v2.0/employee/query',
    command: '',
    mirrors: 'organization',
    summary: described('Employees, oldest first', '人员，最早的在前'),
    body: page,
    example: { limit: 100, offset: 0 },
    answers: paged(
      z.object({
        id: z.string(),
        ext_id: z.string(),
        name: z.string(),
        mobile: z.string(),
        employee_num: z.string(),
        department_infos: z.array(z.object({ id: z.string() })),
      }),
    ),
    ...walking,
    async run(body, context) {
      await refuseUnknownOrganization(context);
      const { total, rows } = await context.store.read.employees(of(body));
      return answered({
        total,
        rows: rows.map(({ id, extId, name, mobile, employeeNum, departmentId }) => ({
          id,
          ext_id: extId,
          name,
          mobile,
          employee_num: employeeNum,
          department_infos: [{ id: departmentId }],
        })),
      });
    },
  }),
  call({
    path: '/v2.0/employee/ext',
    command: '',
    summary: described('Gives an employee the external id', '为人员设置外部编号'),
    body: extBody,
    example: { id: '1', ext_id: 'e9' },
    async run({ id, ext_id }, context, incoming) {
      const queue = forCloud(context, incoming, { path: '/v2.0/employee/ext', subject: `employee ${ext_id}` });
      unlessRefused(context, await context.store.write.setEmployeeExt({ id, extId: ext_id, queue }));
      return done;
    },
  }),
  call({
    path: '/v2.0/employee/delete',
    command: '',
    summary: described('Deletes an employee and all of the check-ins', '删除人员及其全部打卡'),
    body: employeeExtId,
    example: { employee_ext_id: 'e9' },
    async run({ employee_ext_id }, context, incoming) {
      const queue = forCloud(context, incoming, {
        path: '/v2.0/employee/delete',
        subject: `employee ${employee_ext_id}`,
      });
      // Records that have arrived enter the tables first, so that all of them are deleted.
      await context.store.whole(levelWithinMs);
      unlessRefused(
        context,
        await context.store.write.deleteEmployee({ extId: employee_ext_id, at: context.now(), queue }),
      );
      return done;
    },
  }),
  call({
    path: '/v2.0/org/device/query',
    command: '',
    mirrors: 'organization',
    summary: described(
      'The terminals of the site, then those that only the cloud lists',
      '本站点的终端，然后是只有云平台列出的终端',
    ),
    body: page,
    example: { limit: 100, offset: 0 },
    answers: paged(z.object({ sn: z.string(), name: z.string(), online: z.boolean() })),
    ...walking,
    async run(body, context) {
      const { limit, offset } = of(body);
      const atCloud = await context.cloudDevices();
      if (!atCloud) throw notFetchedYet();
      const byId = new Map(atCloud.map(one => [one.id, one]));
      const own = [...context.store.directory.devices()].sort((one, other) => one.deviceNo - other.deviceNo);
      const rows = own.map(({ deviceNo, deviceId, name }) => {
        const sn = deviceId.slice(deviceId.indexOf('_') + 1);
        const named = name || byId.get(sn)?.name || sn;
        byId.delete(sn);
        return { sn, name: named, online: context.isOnline(deviceNo) };
      });
      for (const { sn, name, online } of byId.values()) rows.push({ sn, name: name || sn, online });
      return answered({ total: rows.length, rows: rows.slice(offset, offset + limit) });
    },
  }),
];
