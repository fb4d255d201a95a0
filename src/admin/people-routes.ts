import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Env } from 'hono';
import type { BoxAdmin } from './port.ts';

const answers = (description: string) => ({
  200: { description, content: { 'application/json': { schema: z.any() } } },
});
const id = z.coerce.number().int().positive();
const name = z.string().min(1);

const servicesRoute = createRoute({
  method: 'get',
  path: '/services',
  summary:
    'What the public services have for the cloud, and calls whose signature was refused, with the string that should have been signed',
  responses: answers('The report'),
});
const grantsRoute = createRoute({
  method: 'get',
  path: '/grants',
  summary: 'What people have allowed OAuth clients',
  request: { query: z.object({ user: name.optional() }) },
  responses: answers('The grants, the last used first'),
});
const revokeRoute = createRoute({
  method: 'post',
  path: '/grants/{id}/revoke',
  summary: 'Ends a grant and its tokens',
  request: { params: z.object({ id }) },
  responses: answers('Whether there was such a grant'),
});
const sessionsRoute = createRoute({
  method: 'get',
  path: '/users/{name}/sessions',
  summary: 'Browsers at which a person is logged in',
  request: { params: z.object({ name }) },
  responses: answers('The sessions, the last seen first'),
});
const endRoute = createRoute({
  method: 'post',
  path: '/users/{name}/sessions/end',
  summary: 'Logs a person out everywhere',
  request: { params: z.object({ name }) },
  responses: answers('How many sessions ended'),
});

/** The admin API's part about services, sessions and what people have allowed. */
export function peopleRoutes<Environment extends Env>(app: OpenAPIHono<Environment>, admin: BoxAdmin): void {
  app.openapi(servicesRoute, async context => context.json({ ...(await admin.services()) }, 200));
  app.openapi(grantsRoute, async context =>
    context.json({ grants: await admin.grants(context.req.valid('query').user ?? null) }, 200),
  );
  app.openapi(revokeRoute, async context =>
    context.json({ found: await admin.revokeGrant(context.req.valid('param').id) }, 200),
  );
  app.openapi(sessionsRoute, async context =>
    context.json({ sessions: await admin.sessions(context.req.valid('param').name) }, 200),
  );
  app.openapi(endRoute, async context =>
    context.json({ count: await admin.endSessions(context.req.valid('param').name) }, 200),
  );
}
