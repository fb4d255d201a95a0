import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AdminEnvironment } from '../guard.ts';
import { serve } from '../serve.ts';
import { access, accessOperations } from './access.ts';
import { dayOperations, days } from './attendance-days.ts';
import { reportOperations, reports } from './attendance-reports.ts';
import { erasureOperations, erasures } from './erasures.ts';
import { peopleChangeOperations, peopleChanges } from './people-changes.ts';
import { peopleImport, peopleImportOperations } from './people-import.ts';
import { people, peopleOperations } from './people-lists.ts';

/** What the pages about attendance, access and people ask. */
export function attendanceUiRoutes(
  app: OpenAPIHono<AdminEnvironment>,
  parts: Parameters<typeof days>[0] &
    Parameters<typeof reports>[0] &
    Parameters<typeof access>[0] &
    Parameters<typeof people>[0] &
    Parameters<typeof erasures>[0] &
    Parameters<typeof peopleImport>[0] &
    Parameters<typeof peopleChanges>[0],
): void {
  serve(app, dayOperations, days(parts));
  serve(app, reportOperations, reports(parts));
  serve(app, accessOperations, access(parts));
  serve(app, peopleOperations, people(parts));
  serve(app, erasureOperations, erasures(parts));
  serve(app, peopleImportOperations, peopleImport(parts));
  serve(app, peopleChangeOperations, peopleChanges(parts));
}
