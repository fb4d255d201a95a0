import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { conflictsFor } from './attendance-report.ts';
import type { AdminEnvironment } from './guard.ts';
import type { BoxAdmin } from './port.ts';

const answers = (description: string) => ({
  200: { description, content: { 'application/json': { schema: z.any() } } },
});
const id = z.coerce.number().int().positive();

const reportRoute = createRoute({
  method: 'get',
  path: '/attendance',
  summary: 'The organization, who is unknown, wrong clocks, what the cloud has yet to hear or refused, conflicts',
  responses: answers('The report'),
});
const syncRoute = createRoute({
  method: 'post',
  path: '/attendance/sync',
  summary: 'Fetches the organization from the cloud now',
  responses: answers('How it went; null where the box is the authority'),
});
const refusedRoute = createRoute({
  method: 'post',
  path: '/attendance/refused-writes/{id}/{what}',
  summary: 'Passes a refused write on once more, or takes it off the list',
  request: { params: z.object({ id, what: z.enum(['again', 'dismiss']) }) },
  responses: answers('Whether there was such a write'),
});
const conflictRoute = createRoute({
  method: 'post',
  path: '/attendance/conflicts/{id}/dismiss',
  summary: 'Takes a conflict off the list',
  request: { params: z.object({ id }) },
  responses: answers('Whether there was such a conflict'),
});

/** The admin API's part about attendance. */
export function attendanceRoutes(app: OpenAPIHono<AdminEnvironment>, admin: BoxAdmin): void {
  app.openapi(reportRoute, async context => {
    const report = await admin.attendance();
    return context.json({ ...report, conflicts: conflictsFor(context.get('caller').role, report.conflicts) }, 200);
  });
  app.openapi(syncRoute, async context => context.json({ mirror: await admin.syncOrganization() }, 200));
  app.openapi(refusedRoute, async context => {
    const { id: write, what } = context.req.valid('param');
    return context.json({ found: await admin.settleRefusedWrite(write, what) }, 200);
  });
  app.openapi(conflictRoute, async context =>
    context.json({ found: await admin.dismissConflict(context.req.valid('param').id) }, 200),
  );
}
