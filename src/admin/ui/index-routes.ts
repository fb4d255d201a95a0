import type { OpenAPIHono } from '@hono/zod-openapi';
import type { StaffAccess } from '../../accounts/index.ts';
import type { AdminEnvironment } from '../guard.ts';
import { serve } from '../serve.ts';
import { attendanceUiRoutes } from './attendance.ts';
import { devicesUiRoutes } from './devices.ts';
import { integrationsUiRoutes } from './integrations.ts';
import { type LiveFeed, type LiveParts, liveRoutes } from './live.ts';
import { systemUiRoutes } from './system.ts';
import { today, todayOperations } from './today.ts';

/** What the pages ask of a running box beyond the commands: what each of the routes takes. */
export type PageParts = LiveParts & {
  readonly accounts: { readonly access: Pick<StaffAccess, 'isStill'> };
} & Parameters<typeof today>[0] &
  Parameters<typeof devicesUiRoutes>[1] &
  Parameters<typeof attendanceUiRoutes>[1] &
  Parameters<typeof integrationsUiRoutes>[1] &
  Parameters<typeof systemUiRoutes>[1];

/** The part of the admin API that the pages alone ask, of a box that runs. */
export function uiRoutes(app: OpenAPIHono<AdminEnvironment>, parts: PageParts, feed: LiveFeed): void {
  liveRoutes(app, feed, parts.accounts.access);
  serve(app, todayOperations, today(parts));
  devicesUiRoutes(app, parts);
  attendanceUiRoutes(app, parts);
  integrationsUiRoutes(app, parts);
  systemUiRoutes(app, parts);
}
