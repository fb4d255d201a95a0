import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { UpdateRefused } from '../updates/index.ts';
import type { AdminContext, AdminEnvironment } from './guard.ts';
import type { BoxAdmin } from './port.ts';
import { failures, problem } from './problem.ts';

const answers = (description: string) => ({
  200: { description, content: { 'application/json': { schema: z.any() } } },
  ...failures,
});
const bundle = {
  body: {
    content: { 'application/json': { schema: z.object({ file: z.string().startsWith('/').max(1000) }) } },
  },
};

const reportRoute = createRoute({
  method: 'get',
  path: '/update',
  summary: 'What runs, what a rollback would bring back, what is under way, and how the last update went',
  responses: answers('The report'),
});
const inspectRoute = createRoute({
  method: 'post',
  path: '/update/inspect',
  summary: 'What a bundle on the box or on a stick of it is; nothing is installed',
  request: bundle,
  responses: answers('The bundle'),
});
const startRoute = createRoute({
  method: 'post',
  path: '/update',
  summary: 'Makes a backup, installs a bundle and restarts; answers as soon as it is begun',
  request: bundle,
  responses: answers('The bundle'),
});
const rollBackRoute = createRoute({
  method: 'post',
  path: '/update/rollback',
  summary: 'Brings back what ran before the last update, and restarts',
  responses: answers('Begun'),
});

const statusOf = {
  busy: 409,
  on_trial: 409,
  no_updates: 409,
  no_rollback: 409,
  nothing_before: 409,
  no_room: 507,
} as const;

/** The same for each door: a refusal is a problem with a word for a page. Throws what is none. */
export function refusedUpdate(context: AdminContext, error: unknown) {
  if (!(error instanceof UpdateRefused)) throw error;
  const status = (statusOf as Record<string, 409 | 507>)[error.code] ?? 422;
  return problem(context, status, `update_${error.code}`, error.message) as never;
}

/** The admin API's part about updates. */
export function updateRoutes(app: OpenAPIHono<AdminEnvironment>, { updates }: BoxAdmin): void {
  app.openapi(reportRoute, async context => context.json({ ...(await updates.report()) }, 200));
  app.openapi(inspectRoute, async context => {
    const { file } = context.req.valid('json');
    context.set('subject', file);
    return updates.inspect(file).then(
      told => context.json({ ...told }, 200),
      error => refusedUpdate(context, error),
    );
  });
  app.openapi(startRoute, async context => {
    const { file } = context.req.valid('json');
    context.set('subject', file);
    return updates.start(file).then(
      told => {
        context.set('subject', `${told.kind} ${told.version}`);
        return context.json({ ...told }, 200);
      },
      error => refusedUpdate(context, error),
    );
  });
  app.openapi(rollBackRoute, async context =>
    updates.rollBack().then(
      () => context.json({ done: true }, 200),
      error => refusedUpdate(context, error),
    ),
  );
}
