import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { stream } from 'hono/streaming';
import { monthBoundsOf } from '../../runtime/day-bounds.ts';
import type { AdminEnvironment } from '../guard.ts';
import { reportFile, reportTypes } from '../report-file.ts';
import type { UiParts } from './parts.ts';
import { monthText } from './people-shapes.ts';

const reportRoute = createRoute({
  method: 'get',
  path: '/reports/{file}',
  summary: 'The check-ins of a month for a spreadsheet, in the language and the clock of the site',
  request: {
    params: z.object({ file: z.enum(['checkins.csv', 'checkins.xlsx']) }),
    query: z.object({
      month: monthText,
      department: z.string().max(64).optional(),
      person: z.string().max(64).optional(),
    }),
  },
  responses: {
    200: {
      description: 'The file',
      content: {
        [reportTypes.csv]: { schema: z.string() },
        [reportTypes.xlsx]: { schema: z.string().openapi({ format: 'binary' }) },
      },
    },
  },
});

/** The same files as `gatehouse export --format csv` and `xlsx` make, written as they are read. */
export function reportUiRoutes(app: OpenAPIHono<AdminEnvironment>, { admin, config, log }: UiParts): void {
  const { timezone: timeZone, locale } = config.site;
  app.openapi(reportRoute, context => {
    const { file } = context.req.valid('param');
    const { month, department, person } = context.req.valid('query');
    const { from, to } = monthBoundsOf(month, timeZone)!;
    const format = file === 'checkins.csv' ? 'csv' : 'xlsx';
    const filter = {
      from: from * 1000,
      to: to * 1000,
      ...(department ? { department } : {}),
      ...(person ? { person } : {}),
    };
    const report = reportFile(admin, { what: 'checkins', format, filter, locale, timeZone });
    // Whoever takes a copy of everybody's times away is written down.
    context.set('subject', [`check-ins of ${month}`, department, person].filter(Boolean).join(', '));
    context.header('Content-Type', reportTypes[format]);
    context.header('Content-Disposition', `attachment; filename="checkins-${month}.${format}"`);
    context.header('Cache-Control', 'no-store');
    return stream(
      context,
      async out => {
        for await (const chunk of report.chunks) {
          if (out.aborted) return;
          await out.write(chunk);
        }
      },
      async error => log.warn({ error: error.message }, 'a report could not be written to its end'),
    ) as never;
  });
}
