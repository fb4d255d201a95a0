import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { keptDaysMax } from '../store/index.ts';
import { freeable } from './disk.ts';
import type { AdminEnvironment } from './guard.ts';
import type { BoxAdmin } from './port.ts';
import { problem } from './problem.ts';

const answers = (description: string) => ({
  200: { description, content: { 'application/json': { schema: z.any() } } },
});

const diskRoute = createRoute({
  method: 'get',
  path: '/disk',
  summary: 'How full the disk is, when it will be, what would go first, and what can be removed',
  responses: answers('The disk'),
});
const freeRoute = createRoute({
  method: 'post',
  path: '/disk/free',
  summary:
    'Makes room: keeps records or logs for fewer days from now on, or removes old files, backups, packages, spoken texts',
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z.object({
            what: z.enum(freeable),
            days: z.number().int().min(1).max(3650).nullable().default(null),
          }),
        },
      },
    },
  },
  responses: answers('How many bytes there are more'),
});

/** Room on the disk. */
export function diskRoutes(app: OpenAPIHono<AdminEnvironment>, admin: BoxAdmin): void {
  app.openapi(diskRoute, async context => context.json(await admin.disk(), 200));
  app.openapi(freeRoute, async context => {
    const { what, days } = context.req.valid('json');
    if (what === 'records' || what === 'logs') {
      const max = keptDaysMax[what];
      if (days === null || days > max)
        return problem(context, 422, 'days', `days: say for how many ${what} are kept, at most ${max}`) as never;
    }
    const freed = await admin.freeDisk(what, days);
    context.set('subject', `${what}${days === null ? '' : `, ${days} days`}: ${Math.round(freed / 1000)} kB`);
    return context.json({ freed_bytes: freed }, 200);
  });
}
