import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { UpdateRefused } from '../updates/index.ts';
import type { AdminContext, AdminEnvironment } from './guard.ts';
import type { BoxAdmin } from './port.ts';
import { failures, problem } from './problem.ts';

const answers = (description: string) => ({
  200: { description, content: { 'application/json': { schema: z.any() } } },
  ...failures,
});
const file = z
  .string()
  .startsWith('/')
  .max(1000)
  .openapi({ description: 'One of `found` of GET /update; on the Unix socket any path' });
const bundle = { body: { required: true, content: { 'application/json': { schema: z.object({ file }) } } } };

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
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z.object({
            file,
            allow_older: z
              .boolean()
              .default(false)
              .openapi({ description: 'Installs it though it is older than what runs' }),
          }),
        },
      },
    },
  },
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

/**
 * The same for each API: a refusal becomes a problem with a code for the page. Rethrows everything
 * else.
 */
export function refusedUpdate(context: AdminContext, error: unknown) {
  if (!(error instanceof UpdateRefused)) throw error;
  const status = (statusOf as Record<string, 409 | 507>)[error.code] ?? 422;
  return problem(context, status, `update_${error.code}`, error.message) as never;
}

/**
 * Over the network a caller names a bundle that the box has found itself; a path of his own would
 * tell him what files there are.
 */
async function refusedPath(context: AdminContext, updates: BoxAdmin['updates'], path: string) {
  if (context.get('caller').via === 'socket') return null;
  if ((await updates.report()).found.some(one => one.file === path)) return null;
  const says = 'is none of the bundles that GET /update lists: send it with PUT /update/bundle, or by USB stick';
  return problem(context, 422, 'update_unknown_file', `${path}: ${says}`) as never;
}

/** The admin API's part about updates. */
export function updateRoutes(app: OpenAPIHono<AdminEnvironment>, { updates }: BoxAdmin): void {
  app.openapi(reportRoute, async context => context.json({ ...(await updates.report()) }, 200));
  app.openapi(inspectRoute, async context => {
    const { file } = context.req.valid('json');
    context.set('subject', file);
    const refused = await refusedPath(context, updates, file);
    if (refused) return refused;
    return updates.inspect(file).then(
      told => context.json({ ...told }, 200),
      error => refusedUpdate(context, error),
    );
  });
  app.openapi(startRoute, async context => {
    const { file, allow_older: allowOlder } = context.req.valid('json');
    context.set('subject', file);
    const refused = await refusedPath(context, updates, file);
    if (refused) return refused;
    return updates.start(file, { allowOlder }).then(
      told => {
        const older = told.olderThan === null ? '' : `, older than ${told.olderThan}: allowed`;
        context.set('subject', `${told.kind} ${told.version}${older}`);
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
