import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { takesBody } from '../../runtime/body-bound.ts';
import type { AdminEnvironment } from '../guard.ts';
import { importOrganization } from '../import-organization.ts';
import { problem } from '../problem.ts';
import type { UiParts } from './parts.ts';
import { answers } from './people-shapes.ts';

export interface ImportReport {
  readonly dry_run: boolean;
  readonly rows: number;
  /** How many are wrong; `problems` lists the first of them. */
  readonly wrong: number;
  readonly problems: readonly {
    readonly line: number;
    readonly column: string;
    readonly value: string;
    readonly reason: string;
  }[];
  readonly added: number;
  readonly changed: number;
  readonly same: number;
  /** The first of them. */
  readonly changes: readonly { readonly action: string; readonly key: string; readonly fields: readonly string[] }[];
}

const bytesMax = 5 << 20;
const shownMax = 200;

const importRoute = createRoute({
  method: 'post',
  path: '/people/import',
  summary: `Takes employees or departments from a CSV file of at most ${bytesMax >> 20} MiB, the body: all of it or nothing`,
  request: {
    query: z.object({
      what: z.enum(['employees', 'departments']),
      dry_run: z.enum(['true', 'false']).default('false'),
    }),
  },
  responses: answers('What is wrong, by line, and what was changed or would be'),
});

export function peopleImportRoutes(app: OpenAPIHono<AdminEnvironment>, { admin, attendance }: UiParts): void {
  const take: Parameters<typeof app.openapi<typeof importRoute>>[1] = async context => {
    const { what, dry_run } = context.req.valid('query');
    const dryRun = dry_run === 'true';
    if (attendance.status().authority === 'cloud')
      return problem(context, 422, 'cloud_is_authority', 'the organization is the cloud’s: import it there') as never;
    const bytes = new Uint8Array(await context.req.arrayBuffer());
    const { rows, problems, changes } = await importOrganization(admin, what, bytes, dryRun);
    const count = (action: string) => changes.filter(change => change.action === action).length;
    const done = !dryRun && problems.length === 0;
    context.set('subject', `${what}: ${done ? `${changes.length} of ${rows} rows changed` : 'looked at only'}`);
    const report: ImportReport = {
      dry_run: !done,
      rows,
      wrong: problems.length,
      problems: problems.slice(0, shownMax),
      added: count('add'),
      changed: count('change'),
      same: Math.max(0, rows - changes.length),
      changes: changes.slice(0, shownMax).map(({ action, key, fields }) => ({ action, key, fields })),
    };
    return context.json(report, 200);
  };
  app.openapi(importRoute, takesBody(bytesMax, take));
}
