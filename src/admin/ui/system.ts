import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { dayOf } from '../../runtime/day-bounds.ts';
import { licences } from '../../runtime/licences.ts';
import { programVersion } from '../../runtime/version.ts';

import type { AdminEnvironment } from '../guard.ts';
import { serve } from '../serve.ts';
import { backupRoutes } from './backups.ts';
import { certificateRoutes } from './certificates.ts';
import { ownAccount, ownAccountOperations } from './own-account.ts';
import type { UiParts } from './parts.ts';
import { overviewRoutes } from './system-overview.ts';
import type { AboutReport, HolidaysReport } from './system-reports.ts';
import { updateUploadRoute } from './update-upload.ts';

const answers = (description: string) => ({
  200: { description, content: { 'application/json': { schema: z.any() } } },
});

const holidaysRoute = createRoute({
  method: 'get',
  path: '/holidays',
  summary: 'Holidays and make-up workdays of this year and the next, and who said so',
  responses: answers('The years'),
});
const aboutRoute = createRoute({
  method: 'get',
  path: '/about',
  summary: 'The version, and the licences of what is in the program',
  responses: answers('The program'),
});

/** What the pages about users, certificates, network test, backup ask. */
export function systemUiRoutes(app: OpenAPIHono<AdminEnvironment>, parts: UiParts): void {
  overviewRoutes(app, parts);
  certificateRoutes(app, parts);
  serve(app, ownAccountOperations, ownAccount({ users: parts.admin.users, accounts: parts.accounts }));
  backupRoutes(app, parts);
  updateUploadRoute(app, parts);
  app.openapi(holidaysRoute, async context => {
    const { clock, config, services } = parts;
    const year = Number(dayOf(clock.now(), config.site.timezone).day.slice(0, 4));
    const years = await Promise.all([services.holidays(year), services.holidays(year + 1)]);
    return context.json({ years } satisfies HolidaysReport, 200);
  });
  app.openapi(aboutRoute, context => {
    const target = `${process.platform}-${process.arch}`;
    const report: AboutReport = { version: programVersion, node: process.versions.node, target, licences };
    return context.json(report, 200);
  });
}
