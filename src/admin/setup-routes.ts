import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Env } from 'hono';
import type { BoxAdmin } from './port.ts';
import { failures, problem } from './problem.ts';

const answers = (description: string) => ({
  200: { description, content: { 'application/json': { schema: z.any() } } },
});

const setupRoute = createRoute({
  method: 'get',
  path: '/setup',
  summary: 'Whether a phone may set the box up now, under which name, and how the last attempt went',
  responses: answers('The report'),
});
const hotspotRoute = createRoute({
  method: 'post',
  path: '/setup/hotspot',
  summary: "The hotspot's name and password, for the box's label",
  responses: answers('Both; the password null where the hotspot is open'),
});
const resetRoute = createRoute({
  method: 'post',
  path: '/setup/reset-network',
  summary: 'Forgets the wifi network and lets a phone set the box up again',
  responses: answers('Done'),
});

const resetAllRoute = createRoute({
  method: 'post',
  path: '/reset-all',
  summary: 'Removes everything that the box holds and restarts it as it left the shelf; `name` is that of the site',
  request: {
    body: { required: true, content: { 'application/json': { schema: z.object({ name: z.string().max(200) }) } } },
  },
  responses: { ...answers('Whether it restarts now, or when it is started by hand'), ...failures },
});

/**
 * The admin API's part about the box's own network. The password is asked for by POST: so it needs
 * the role admin, and stands in no history.
 */
export function setupRoutes<Environment extends Env>(app: OpenAPIHono<Environment>, admin: BoxAdmin): void {
  app.openapi(setupRoute, async context => context.json({ ...(await admin.setup()) }, 200));
  app.openapi(hotspotRoute, async context => context.json({ ...(await admin.hotspot()) }, 200));
  app.openapi(resetRoute, async context => {
    await admin.resetNetwork();
    return context.json({ done: true }, 200);
  });
  app.openapi(resetAllRoute, async context => {
    const outcome = await admin.resetAll(context.req.valid('json').name);
    if (outcome === 'wrong_name')
      return problem(context, 422, 'wrong_name', 'this is not the name of the site: nothing was changed') as never;
    return context.json({ outcome }, 200);
  });
}
