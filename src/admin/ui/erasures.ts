import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import { type ErasureReport, erasuresUnderWay } from '../erasures.ts';
import type { AdminEnvironment } from '../guard.ts';
import type { UiParts } from './parts.ts';
import { answers } from './people-shapes.ts';

export interface ErasuresReport {
  readonly rows: readonly ErasureReport[];
}

const erasuresRoute = createRoute({
  method: 'get',
  path: '/erasures',
  summary: 'Deleted people of whom the journal still holds features or pictures: how many records, and until when',
  responses: answers('Those under way'),
});

export function erasureRoutes(app: OpenAPIHono<AdminEnvironment>, { store, clock }: UiParts): void {
  app.openapi(erasuresRoute, async context =>
    context.json({ rows: await erasuresUnderWay(store.read, clock.now()) } satisfies ErasuresReport, 200),
  );
}
