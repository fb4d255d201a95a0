import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { stream } from 'hono/streaming';
import type { AdminEnvironment } from './guard.ts';
import type { BoxAdmin } from './port.ts';

const doctorRoute = createRoute({
  method: 'post',
  path: '/doctor',
  summary: 'Checks the way to the cloud and the clock; `all`: certificate, disk and radios too',
  request: {
    body: {
      required: true,
      content: { 'application/json': { schema: z.object({ what: z.enum(['network', 'all']) }) } },
    },
  },
  responses: {
    200: {
      description:
        'One JSON object a line: {"check": …} as each is done, and last {"done": true}, or {"done": false} where another run is not done yet',
      content: { 'application/x-ndjson': { schema: z.string() } },
    },
  },
});

/** The admin API's part that looks what is wrong. A caller that goes away ends the run. */
export function doctorRoutes(app: OpenAPIHono<AdminEnvironment>, admin: BoxAdmin): void {
  app.openapi(doctorRoute, context => {
    const { what } = context.req.valid('json');
    context.header('content-type', 'application/x-ndjson');
    return stream(context, async out => {
      const ending = new AbortController();
      out.onAbort(() => ending.abort());
      const write = async (line: object) => void (await out.write(`${JSON.stringify(line)}\n`));
      const done = await admin.doctor(what, check => write({ check }), ending.signal);
      await write({ done });
    }) as never;
  });
}
