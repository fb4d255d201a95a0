import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AdminEnvironment } from './guard.ts';
import type { BoxAdmin } from './port.ts';
import { problem } from './problem.ts';

const answers = (description: string) => ({
  200: { description, content: { 'application/json': { schema: z.any() } } },
});
const json = <Schema extends z.ZodType>(schema: Schema) => ({
  content: { 'application/json': { schema } },
});
const name = z.string().trim().min(1).max(64);
const role = z.enum(['admin', 'staff', 'viewer']);
/** `none`: somebody who signs in to other applications alone. */
const personsRole = z.enum(['admin', 'staff', 'viewer', 'none']);
const id = z.coerce.number().int().positive();

const usersRoute = createRoute({
  method: 'get',
  path: '/users',
  summary: 'Who may sign in, with their roles and when they were last seen',
  responses: answers('The people'),
});
const putUserRoute = createRoute({
  method: 'put',
  path: '/users/{name}',
  summary: 'Adds a person, or changes role or password of one; a new password ends the sessions',
  request: {
    params: z.object({ name }),
    body: json(z.object({ role: personsRole.optional(), password: z.string().max(1000).optional() })),
  },
  responses: answers('Done'),
});
const removeUserRoute = createRoute({
  method: 'delete',
  path: '/users/{name}',
  summary: 'Removes a person, with the sessions; not the last admin',
  request: { params: z.object({ name }) },
  responses: answers('Done'),
});
const tokensRoute = createRoute({
  method: 'get',
  path: '/tokens',
  summary: 'Bearer tokens of the admin API: who made them, for which role, until when',
  responses: answers('The tokens'),
});
const makeTokenRoute = createRoute({
  method: 'post',
  path: '/tokens',
  summary: 'Makes a bearer token; the answer alone holds it',
  request: {
    body: json(
      z.object({
        name,
        role,
        days: z.number().int().min(1).max(3650).nullable().default(null).openapi({ description: 'null: a year' }),
      }),
    ),
  },
  responses: answers('The token'),
});
const removeTokenRoute = createRoute({
  method: 'delete',
  path: '/tokens/{id}',
  summary: 'Ends a token',
  request: { params: z.object({ id }) },
  responses: answers('Done'),
});
/** The admin API's part about who manages the box. */
export function staffRoutes(app: OpenAPIHono<AdminEnvironment>, admin: BoxAdmin): void {
  app.openapi(usersRoute, async context => context.json({ rows: await admin.users(), cursor: null }, 200));
  app.openapi(putUserRoute, async context => {
    const { name: who } = context.req.valid('param');
    context.set('subject', who);
    const refused = await admin.putUser({ name: who, ...context.req.valid('json') });
    if (refused !== null) return problem(context, 422, refused.title, refused.says) as never;
    return context.json({ done: true }, 200);
  });
  app.openapi(removeUserRoute, async context => {
    const { name: who } = context.req.valid('param');
    context.set('subject', who);
    const outcome = await admin.removeUser(who);
    if (outcome === 'unknown') return problem(context, 404, 'unknown', `there is nobody called ${who}`) as never;
    if (outcome === 'last_admin')
      return problem(context, 422, 'last_admin', `${who} is the last admin: make another one first`) as never;
    return context.json({ done: true }, 200);
  });
  app.openapi(tokensRoute, async context => context.json({ rows: await admin.tokens(), cursor: null }, 200));
  app.openapi(makeTokenRoute, async context => {
    const { name: called, role: of, days } = context.req.valid('json');
    context.set('subject', called);
    // The account behind a token, too: what it makes ends with the account.
    const madeBy = context.get('caller').account;
    return context.json({ token: await admin.makeToken({ name: called, role: of, days, madeBy }) }, 200);
  });
  app.openapi(removeTokenRoute, async context => {
    const { id: token } = context.req.valid('param');
    context.set('subject', String(token));
    if (!(await admin.removeToken(token)))
      return problem(context, 404, 'unknown', `there is no token ${token}`) as never;
    return context.json({ done: true }, 200);
  });
}
