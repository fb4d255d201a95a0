import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Env } from 'hono';
import { stream } from 'hono/streaming';
import { passwordForms } from '../platform/wifi-password.ts';
import { wifiSecurities } from '../platform/wifi-security.ts';
import { SiteDeviceFailure } from '../provisioning/index.ts';
import type { BoxAdmin } from './port.ts';
import type { ProvisionRun, ProvisionRuns } from './provision-port.ts';

const via = z.enum(['bluetooth', 'hotspot']).optional();
const host = z.object({ host: z.string().min(1).max(255), port: z.number().int().min(1).max(65_535) }).optional();
const target = z
  .object({
    target: z.string().max(120).default(''),
    via,
    host,
    hotspotKey: z.string().max(64).optional(),
    leave: z.boolean().optional(),
  })
  .refine(value => value.target !== '' || value.host !== undefined, {
    error: 'target: name a device',
    path: ['target'],
  });
const bodies = {
  scan: z.object({ seconds: z.number().min(1).max(120).optional(), via }),
  info: target,
  verify: target,
  wifi: target.safeExtend({
    ssid: z.string().min(1).max(32),
    key: z.string().max(64).default(''),
    security: z.enum(wifiSecurities).optional(),
    form: z.enum(passwordForms as ['fold', 'repeat']).optional(),
  }),
} as const;

const runRoute = <Run extends ProvisionRun>(run: Run, summary: string) =>
  createRoute({
    method: 'post',
    path: `/provision/${run}`,
    summary,
    request: { body: { required: true, content: { 'application/json': { schema: bodies[run] } } } },
    responses: {
      200: {
        description:
          'One JSON object a line: {"event": {step, says}} for each step, and last {"outcome": …} or {"failure": {code, says}}',
        content: { 'application/x-ndjson': { schema: z.string() } },
      },
    },
  });

const resultsRoute = createRoute({
  method: 'get',
  path: '/provision/results',
  summary: 'The last result of its network configuration that each device announced, the last heard of first',
  request: { query: z.object({ limit: z.coerce.number().int().min(1).max(2000).default(100) }) },
  responses: { 200: { description: 'The results', content: { 'application/json': { schema: z.any() } } } },
});

/**
 * The admin API's part about devices that are to be set up. A caller that goes away ends its run.
 */
export function provisionRoutes<Environment extends Env>(app: OpenAPIHono<Environment>, admin: BoxAdmin): void {
  const serve = <Run extends ProvisionRun>(run: Run, summary: string) => {
    app.openapi(runRoute(run, summary), context => {
      const asks = context.req.valid('json' as never) as ProvisionRuns[Run]['asks'];
      context.header('content-type', 'application/x-ndjson');
      return stream(context, async out => {
        const ending = new AbortController();
        out.onAbort(() => ending.abort(new SiteDeviceFailure('too_long', 'the caller has gone')));
        const write = (line: object) => out.write(`${JSON.stringify(line)}\n`);
        try {
          const outcome = await admin.provision(run, asks, event => void write({ event }), ending.signal);
          await write({ outcome });
        } catch (error) {
          if (!(error instanceof SiteDeviceFailure)) throw error;
          await write({ failure: { code: error.code, says: error.message } });
        }
      }) as never;
    });
  };
  serve('scan', 'Looks for devices that wait to be set up');
  serve('info', 'Asks a device who it is');
  serve('verify', 'Checks whether a device has the key of its product (SPEC 5.4)');
  serve('wifi', 'Gives a device its wifi network, and waits for what comes of it');
  app.openapi(resultsRoute, async context =>
    context.json({ results: await admin.provisionResults(context.req.valid('query').limit) }, 200),
  );
}
