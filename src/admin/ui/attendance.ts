import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AdminEnvironment } from '../guard.ts';
import { accessUiRoutes } from './access.ts';
import { dayUiRoutes } from './attendance-days.ts';
import { reportUiRoutes } from './attendance-reports.ts';
import { erasureRoutes } from './erasures.ts';
import type { UiParts } from './parts.ts';
import { peopleChangeRoutes } from './people-changes.ts';
import { peopleImportRoutes } from './people-import.ts';
import { peopleUiRoutes } from './people-lists.ts';

/** What the pages about attendance, access and people ask. */
export function attendanceUiRoutes(app: OpenAPIHono<AdminEnvironment>, parts: UiParts): void {
  dayUiRoutes(app, parts);
  reportUiRoutes(app, parts);
  accessUiRoutes(app, parts);
  peopleUiRoutes(app, parts);
  erasureRoutes(app, parts);
  peopleImportRoutes(app, parts);
  peopleChangeRoutes(app, parts);
}
