import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AdminEnvironment } from '../guard.ts';
import { attendanceUiRoutes } from './attendance.ts';
import { devicesUiRoutes } from './devices.ts';
import { integrationsUiRoutes } from './integrations.ts';
import { type LiveFeed, liveRoutes } from './live.ts';
import type { UiParts } from './parts.ts';
import { systemUiRoutes } from './system.ts';
import { todayRoutes } from './today.ts';

/** The part of the admin API that the pages alone ask, of a box that runs. */
export function uiRoutes(app: OpenAPIHono<AdminEnvironment>, parts: UiParts, feed: LiveFeed): void {
  liveRoutes(app, feed, parts.accounts.access);
  todayRoutes(app, parts);
  devicesUiRoutes(app, parts);
  attendanceUiRoutes(app, parts);
  integrationsUiRoutes(app, parts);
  systemUiRoutes(app, parts);
}
