import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { OrganizationChange } from '../../attendance/index.ts';
import type { AdminContext, AdminEnvironment } from '../guard.ts';
import { problem } from '../problem.ts';
import type { UiParts } from './parts.ts';
import { answers, extIdText } from './people-shapes.ts';

const json = <Schema extends z.ZodType>(schema: Schema) => ({
  body: { required: true, content: { 'application/json': { schema } } },
});
const params = z.object({ ext_id: extIdText });
const department = z.object({ name: z.string().trim(), parent: z.string().default('') });
const person = z.object({
  name: z.string().trim(),
  mobile: z.string().trim().default(''),
  employee_num: z.string().trim().default(''),
  department: z.string(),
  title: z.string().trim().default(''),
});
const named = { ext_id: z.string().trim() };

const addDepartmentRoute = createRoute({
  method: 'post',
  path: '/departments',
  summary: 'Adds a department; its id must be new',
  request: json(department.extend(named)),
  responses: answers('Done'),
});
const putDepartmentRoute = createRoute({
  method: 'put',
  path: '/departments/{ext_id}',
  summary: 'Renames or moves a department',
  request: { params, ...json(department) },
  responses: answers('Done'),
});
const removeDepartmentRoute = createRoute({
  method: 'delete',
  path: '/departments/{ext_id}',
  summary: 'Deletes a department with the empty ones below it; not while anybody is in them',
  request: { params },
  responses: answers('Done'),
});
const addPersonRoute = createRoute({
  method: 'post',
  path: '/people',
  summary: 'Adds an employee; the id must be new',
  request: json(person.extend(named)),
  responses: answers('Done'),
});
const putPersonRoute = createRoute({
  method: 'put',
  path: '/people/{ext_id}',
  summary: 'Changes an employee',
  request: { params, ...json(person) },
  responses: answers('Done'),
});
const removePersonRoute = createRoute({
  method: 'delete',
  path: '/people/{ext_id}',
  summary: 'Deletes an employee with all check-ins and features',
  request: { params },
  responses: answers('Done'),
});

/**
 * Changes of the organization that people at the box make; where the cloud is its authority, they
 * are queued for it.
 */
export function peopleChangeRoutes(app: OpenAPIHono<AdminEnvironment>, { store, attendance }: UiParts): void {
  const change = async (context: AdminContext, subject: string, what: OrganizationChange) => {
    context.set('subject', subject);
    const outcome = await attendance.change(what, context.get('caller').actor);
    if (!outcome.ok) return problem(context, 422, outcome.code, outcome.reason) as never;
    return context.json({ done: true, queued: attendance.status().authority === 'cloud' }, 200) as never;
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

  app.openapi(addDepartmentRoute, async context => {
    const { ext_id: extId, ...body } = context.req.valid('json');
    if (await knownDepartment(extId))
      return problem(context, 422, 'ext_id_in_use', 'another department has this id') as never;
    return change(context, extId, { call: 'put department', body: departmentBody(extId, body) });
  });
  app.openapi(putDepartmentRoute, async context => {
    const { ext_id: extId } = context.req.valid('param');
    if (!(await knownDepartment(extId))) return problem(context, 404, 'unknown', 'no department has this id') as never;
    const body = departmentBody(extId, context.req.valid('json'));
    return change(context, extId, { call: 'put department', body });
  });
  app.openapi(removeDepartmentRoute, async context => {
    const { ext_id: extId } = context.req.valid('param');
    return change(context, extId, { call: 'delete department', body: { department_ext_id: extId } });
  });
  app.openapi(addPersonRoute, async context => {
    const { ext_id: extId, ...body } = context.req.valid('json');
    if (await store.read.person(extId))
      return problem(context, 422, 'ext_id_in_use', 'another employee has this id') as never;
    return change(context, extId, { call: 'put employee', body: personBody(extId, body) });
  });
  app.openapi(putPersonRoute, async context => {
    const { ext_id: extId } = context.req.valid('param');
    if (!(await store.read.person(extId))) return problem(context, 404, 'unknown', 'nobody has this id') as never;
    const body = personBody(extId, context.req.valid('json'));
    return change(context, extId, { call: 'put employee', body });
  });
  app.openapi(removePersonRoute, async context => {
    const { ext_id: extId } = context.req.valid('param');
    return change(context, extId, { call: 'delete employee', body: { employee_ext_id: extId } });
  });
}
