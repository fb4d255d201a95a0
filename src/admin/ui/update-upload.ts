import type { HttpBindings } from '@hono/node-server';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { takesBody } from '../../runtime/body-bound.ts';
import { bundleBytesMax } from '../../updates/index.ts';
import type { AdminEnvironment } from '../guard.ts';
import { problem } from '../problem.ts';
import { refusedUpdate } from '../update-routes.ts';
import type { UiParts } from './parts.ts';

const uploadRoute = createRoute({
  method: 'put',
  path: '/update/bundle',
  summary: 'Sends a bundle to the box, which says what it is; nothing is installed',
  request: { body: { content: { 'application/octet-stream': { schema: z.any() } } } },
  responses: { 200: { description: 'The bundle', content: { 'application/json': { schema: z.any() } } } },
});

/** Straight to the disk: a bundle is larger than what memory there is. */
export function updateUploadRoute(app: OpenAPIHono<AdminEnvironment>, { updates }: UiParts): void {
  const take: Parameters<typeof app.openapi<typeof uploadRoute>>[1] = async context => {
    const { incoming } = context.env as unknown as HttpBindings;
    const bytes = Number(incoming.headers['content-length'] ?? Number.NaN);
    const { body } = context.req.raw;
    if (!(bytes > 0) || !body)
      return problem(context, 400, 'Bad request', 'send the bundle as the body, with its length') as never;
    return updates.receive(bytes, body).then(
      told => {
        context.set('subject', `${told.kind} ${told.version}`);
        return context.json({ ...told }, 200);
      },
      error => refusedUpdate(context, error),
    );
  };
  app.openapi(uploadRoute, takesBody(bundleBytesMax, take, 'update_too_big'));
}
