import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { parseDeviceId } from '../../platform/device-id.ts';
import { lineLevels, type RecentLine } from '../../runtime/recent-lines.ts';
import type { Seq } from '../../store/index.ts';
import type { AdminEnvironment } from '../guard.ts';
import { failures } from '../problem.ts';
import type { UiParts } from './parts.ts';

export interface LogTailPage {
  /** Newest first. */
  readonly rows: readonly {
    readonly seq: number;
    readonly device_id: string;
    readonly model: string;
    readonly sn: string;
    readonly received_at: number;
    readonly text: string;
    readonly truncated: boolean;
    readonly repaired: boolean;
  }[];
  /** Where the look goes on further back, even where nothing fitted; null: that was all. */
  readonly before: number | null;
  /** Who follows asks for what is after it. */
  readonly newest: number;
  /** Records that were dropped for want of room, since the store was made. */
  readonly dropped: number;
}
export interface SystemLogReport {
  /** Newest first. */
  readonly lines: readonly RecentLine[];
}

const json = { 'application/json': { schema: z.any() } };
const place = z.coerce.number().int().nonnegative();
const word = z.string().min(1).max(200);

const tailRoute = createRoute({
  method: 'get',
  path: '/ui/logs',
  summary: 'Device logs, newest first; `before` goes on further back, `after` answers only what is newer',
  request: {
    query: z.object({
      device_id: word.optional(),
      model: word.optional(),
      sn: word.optional(),
      text: word.optional(),
      from: z.coerce.number().int().optional(),
      to: z.coerce.number().int().optional(),
      before: place.optional(),
      after: place.optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
  },
  responses: { 200: { description: 'The page', content: json }, ...failures },
});
const systemRoute = createRoute({
  method: 'get',
  path: '/ui/system-log',
  summary: 'The last 500 lines that the box itself has said since it was started, newest first',
  request: { query: z.object({ level: z.enum(lineLevels).default('info'), after: place.optional() }) },
  responses: { 200: { description: 'The lines', content: json }, ...failures },
});

/** Logs of devices from the newest back, and those of the box itself. */
export function logRoutes(app: OpenAPIHono<AdminEnvironment>, { store, systemLog }: UiParts): void {
  app.openapi(tailRoute, async context => {
    const { device_id, before, after, ...rest } = context.req.valid('query');
    const dropped = Object.values(store.health().dropped).reduce((sum, count) => sum + count, 0);
    const id = device_id === undefined ? null : parseDeviceId(device_id);
    const device = id?.ok ? store.directory.device(id.value) : undefined;
    if (id !== null && !device)
      return context.json({ rows: [], before: null, newest: 0, dropped } satisfies LogTailPage, 200);
    const tail = await store.read.logTail({
      ...rest,
      before: before as Seq | undefined,
      after: after as Seq | undefined,
      deviceNo: device?.deviceNo,
    });
    const rows = tail.rows.map(({ deviceNo: _deviceNo, ...row }) => row);
    return context.json({ rows, before: tail.before, newest: tail.newest, dropped } satisfies LogTailPage, 200);
  });
  app.openapi(systemRoute, context => {
    const { level, after } = context.req.valid('query');
    const lines = systemLog.list({ level, ...(after === undefined ? {} : { after }) });
    return context.json({ lines } satisfies SystemLogReport, 200);
  });
}
