import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Device } from '../../store/index.ts';
import type { AdminEnvironment } from '../guard.ts';
import { problem } from '../problem.ts';
import { deviceOf } from './device-page.ts';
import type { UiParts } from './parts.ts';

const devicesMax = 500;
/** In the audit log a list ends after so many names. */
const namedMax = 20;

const route = createRoute({
  method: 'post',
  path: '/devices/people-data',
  summary:
    "Approves devices to receive people's data, or ends that: what waits for them is then taken out of their inbox. For the role staff.",
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z.strictObject({
            device_ids: z.array(z.string().max(80)).min(1).max(devicesMax),
            allowed: z.boolean(),
          }),
        },
      },
    },
  },
  responses: {
    200: { description: 'How many changed', content: { 'application/json': { schema: z.any() } } },
  },
});

/** Who among the devices hears of people (store/people-data.ts). */
export function peopleDataRoutes(app: OpenAPIHono<AdminEnvironment>, parts: UiParts): void {
  app.openapi(route, async context => {
    const { device_ids, allowed } = context.req.valid('json');
    const found: Device[] = [];
    for (const text of device_ids) {
      const device = deviceOf(parts, text);
      if (!device) return problem(context, 404, 'unknown', `there is no device ${text}`) as never;
      found.push(device);
    }
    context.set('subject', subjectOf(found, allowed));
    const changed = await parts.store.write.setPeopleData({
      deviceNos: found.map(({ deviceNo }) => deviceNo),
      word: allowed ? 'yes' : 'no',
    });
    return context.json({ changed: changed.length }, 200);
  });
}

function subjectOf(devices: readonly Device[], allowed: boolean): string {
  const named = devices.slice(0, namedMax).map(({ deviceId }) => deviceId);
  const more = devices.length > namedMax ? ` and ${devices.length - namedMax} more` : '';
  return `${allowed ? 'may receive' : 'receives no'} people's data: ${named.join(', ')}${more}`;
}
