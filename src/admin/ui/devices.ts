import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { type ActionName, actionTable } from '../../platform/actions.ts';
import type { Seq } from '../../store/index.ts';
import type { AdminEnvironment } from '../guard.ts';
import type { LedgerReport } from '../port.ts';
import { problem } from '../problem.ts';
import { ledgerReport } from '../reports.ts';
import { boxRoutes } from './boxes.ts';
import { deviceChangeRoutes } from './device-changes.ts';
import { deviceOf, devicePage, lastLogs } from './device-page.ts';
import { deviceCounts, deviceRows } from './device-rows.ts';
import { knocking } from './knocking.ts';
import type { UiParts } from './parts.ts';
import { peopleDataRoutes } from './people-data.ts';
import { RecordsToday } from './records-today.ts';
import { syncRoutes } from './sync.ts';

export interface TraceRow extends LedgerReport {
  /** What its action code means at this site; null: passed on unread. */
  readonly kind: ActionName | null;
}

export interface LedgerPage {
  /** Newest first. */
  readonly rows: readonly TraceRow[];
  readonly cursor: number | null;
}

const json = { 'application/json': { schema: z.any() } };
const answers = (description: string) => ({ 200: { description, content: json } });
const id = z.object({ id: z.string().max(80) });

const listRoute = createRoute({
  method: 'get',
  path: '/device-list',
  summary: 'Devices by id with their state and what waits, a page at a time; searched by id or name',
  request: {
    query: z.object({
      search: z.string().max(100).optional(),
      state: z.enum(['online', 'held_back', 'silent', 'never', 'blocked']).optional(),
      product: z.string().max(16).optional(),
      people_data: z.enum(['told', 'waits', 'refused', 'none']).optional(),
      cursor: z.string().max(80).optional(),
      limit: z.coerce.number().int().min(1).max(500).default(50),
    }),
  },
  responses: answers('The page'),
});
const countsRoute = createRoute({
  method: 'get',
  path: '/device-counts',
  summary: 'How many devices are in which state, and of which product',
  responses: answers('The counts'),
});
const knockingRoute = createRoute({
  method: 'get',
  path: '/knocking',
  summary: 'Who was turned away within the last day and has not come in since: why, and what helps',
  responses: answers('The refused logins, newest first'),
});
const pageRoute = createRoute({
  method: 'get',
  path: '/devices/{id}/page',
  summary: 'One device: its state and since when, what waits both ways, what happened to it',
  request: { params: id },
  responses: answers('The device'),
});
const ledgerRoute = createRoute({
  method: 'get',
  path: '/devices/{id}/ledger',
  summary: 'The records of a device, newest first, and where each of them is',
  request: {
    params: id,
    query: z.object({
      cursor: z.coerce.number().int().positive().optional(),
      limit: z.coerce.number().int().min(1).max(200).default(20),
    }),
  },
  responses: answers('The page'),
});
const logsRoute = createRoute({
  method: 'get',
  path: '/devices/{id}/logs',
  summary: 'The last logs of a device, the newest last; `after`: only what came after this seq',
  request: {
    params: id,
    query: z.object({
      after: z.coerce.number().int().min(0).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
  },
  responses: answers('The logs'),
});

/**
 * What the pages about devices, those that were refused, what waits for them and for the cloud ask.
 */
export function devicesUiRoutes(app: OpenAPIHono<AdminEnvironment>, parts: UiParts): void {
  const { store, upstream } = parts;
  const actions = actionTable(parts.config.actions);
  const recordsToday = new RecordsToday(parts);
  const unknown = (context: Parameters<typeof problem>[0]) =>
    problem(context, 404, 'unknown', 'there is no such device') as never;

  app.openapi(listRoute, async context =>
    context.json(await deviceRows(parts, await recordsToday.look(), context.req.valid('query')), 200),
  );
  app.openapi(countsRoute, async context => context.json(await deviceCounts(parts), 200));
  app.openapi(knockingRoute, async context => context.json(await knocking(parts), 200));
  app.openapi(pageRoute, async context => {
    const device = deviceOf(parts, context.req.valid('param').id);
    if (!device) return unknown(context);
    return context.json(await devicePage(parts, device, await recordsToday.look()), 200);
  });
  app.openapi(ledgerRoute, async context => {
    const device = deviceOf(parts, context.req.valid('param').id);
    if (!device) return unknown(context);
    const { cursor, limit } = context.req.valid('query');
    const found = await store.read.ledger(device.deviceNo, {
      limit: limit + 1,
      ...(cursor === undefined ? {} : { before: cursor as Seq }),
    });
    const rows = found
      .slice(0, limit)
      .map(
        (row): TraceRow => ({ ...ledgerReport(row, upstream.standsAlone), kind: actions.nameOf(row.action) ?? null }),
      );
    const page: LedgerPage = { rows, cursor: found.length > limit ? rows.at(-1)!.seq : null };
    return context.json(page, 200);
  });
  app.openapi(logsRoute, async context => {
    const device = deviceOf(parts, context.req.valid('param').id);
    if (!device) return unknown(context);
    const { after, limit } = context.req.valid('query');
    return context.json({ rows: await lastLogs(parts, device, limit, after), cursor: null }, 200);
  });
  deviceChangeRoutes(app, parts);
  boxRoutes(app, parts);
  peopleDataRoutes(app, parts);
  syncRoutes(app, parts);
}
