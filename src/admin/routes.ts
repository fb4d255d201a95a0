import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { stream } from 'hono/streaming';
import { siteIssue, siteSchema } from '../config/index.ts';
import { takesBody } from '../runtime/body-bound.ts';
import { StoreError } from '../store/index.ts';
import { attendanceOperations } from './attendance.ts';
import { auditOperations } from './audit.ts';
import { backupOperations } from './backups.ts';
import { deviceOperations } from './device.ts';
import { deviceListOperations } from './device-list.ts';
import { diskOperations } from './disk.ts';
import { doctorOperations } from './doctor.ts';
import { grantOperations } from './grants.ts';
import { type AdminEnvironment, type AdminIdentity, guard } from './guard.ts';
import { namingOperations } from './naming.ts';
import { parkedOperations } from './parked.ts';
import { type BoxAdmin, exportables, type RowFilter } from './port.ts';
import { AdminRefused, failures, problem, problemSchema, problemType, refusal, storeProblem } from './problem.ts';
import { provisionOperations } from './provision.ts';
import { qrCodes, qrOperations } from './qr.ts';
import { serve } from './serve.ts';
import { serviceOperations } from './services.ts';
import { sessionOperations } from './sessions.ts';
import { setupOperations } from './setup.ts';
import { statusOperations } from './status.ts';
import { tokenOperations } from './tokens.ts';
import { updateOperations } from './updates.ts';
import { userOperations } from './users.ts';

const anything = z.any();
const json = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } });
const answers = (description: string) => ({ 200: { description, content: json(anything) }, ...failures });

const filterQuery = z.object({
  device_id: z.string().optional(),
  model: z.string().optional(),
  sn: z.string().optional(),
  from: z.coerce.number().int().optional(),
  to: z.coerce.number().int().optional(),
  text: z.string().optional(),
  department: z.string().optional(),
  person: z.string().optional(),
  with_photos: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional(),
  cursor: z.coerce.number().int().optional(),
});

const siteRoute = createRoute({
  method: 'get',
  path: '/site',
  summary: 'What a site file holds; secrets only when asked for, and only to an admin',
  request: { query: z.object({ with_secrets: z.enum(['true', 'false']).default('false') }) },
  responses: answers('The site'),
});
const applyRoute = createRoute({
  method: 'post',
  path: '/site',
  summary: 'Loads a site; a dry run answers the plan',
  request: {
    body: {
      required: true,
      content: json(
        z.object({ site: z.unknown(), prune: z.boolean().default(false), dry_run: z.boolean().default(false) }),
      ),
    },
  },
  responses: {
    ...answers('What was changed'),
    422: {
      description: 'The site is refused; `problems` says where',
      content: { [problemType]: { schema: problemSchema } },
    },
  },
});
const exportRoute = createRoute({
  method: 'get',
  path: '/export/{what}',
  summary:
    'Records, oldest first, one JSON object a line; access records with the photos taken at the door (with_photos) for the role staff. Who takes records of people away is written down.',
  request: { params: z.object({ what: z.enum(exportables) }), query: filterQuery },
  responses: {
    200: { description: 'The records', content: { 'application/x-ndjson': { schema: z.string() } } },
    ...failures,
  },
});
const logsRoute = createRoute({
  method: 'get',
  path: '/logs',
  summary: 'A page of device logs, oldest first; `cursor` goes on where the page ended',
  request: { query: filterQuery },
  responses: answers('The page'),
});
const logPageRows = 200;
/** As large as a site file may be. */
const siteBytesMax = 64 << 20;

/**
 * The admin API (CONTRACT 6). `identity` is the one place that says who calls, and keeps what they
 * did.
 */
export function adminRoutes(
  admin: BoxAdmin,
  identity: AdminIdentity,
  /** Routes that only some callers have. */
  more: (app: OpenAPIHono<AdminEnvironment>) => void = () => {},
): OpenAPIHono<AdminEnvironment> {
  const app = new OpenAPIHono<AdminEnvironment>({
    defaultHook: (result, context) => {
      if (result.success) return;
      const [issue] = result.error.issues;
      return problem(context, 400, 'Bad request', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
    },
  });

  app.use('*', guard(identity, '/admin/v1'));
  app.onError((error, context) => {
    if (error instanceof AdminRefused) return refusal(context, error);
    if (error instanceof StoreError) return storeProblem(context, error);
    // A body that is no JSON.
    if (error instanceof HTTPException) return problem(context, 400, 'Bad request', error.message);
    return problem(context, 500, 'Failed', error.message);
  });
  app.notFound(context => problem(context, 404, 'Not found', `${context.req.method} ${context.req.path}`));

  serve(app, statusOperations, admin.status);
  serve(app, deviceOperations, admin.device);
  app.openapi(siteRoute, async context => {
    const withSecrets = context.req.valid('query').with_secrets === 'true';
    if (withSecrets) context.set('subject', 'with secrets');
    if (withSecrets && context.get('caller').role !== 'admin')
      return problem(context, 403, 'Not allowed', 'secrets are for the role admin') as never;
    const site = await admin.site({ withSecrets });
    if (context.get('caller').role !== 'viewer' || !site.employees) return context.json({ ...site }, 200);
    // Left out, not masked: this file may be applied again.
    const employees = site.employees.map(({ mobile: _, ...employee }) => employee);
    return context.json({ ...site, employees }, 200);
  });
  const apply: Parameters<typeof app.openapi<typeof applyRoute>>[1] = async context => {
    const { site, prune, dry_run: dryRun } = context.req.valid('json');
    const parsed = siteSchema.safeParse(site);
    const outcome = parsed.success
      ? await admin.apply({ site: parsed.data, prune, dryRun })
      : { ok: false as const, problems: parsed.error.issues.flatMap(siteIssue) };
    if (outcome.ok) return context.json({ changes: outcome.changes }, 200);
    return problem(context, 422, 'The site is refused', 'problems says where and why', outcome.problems) as never;
  };
  app.openapi(applyRoute, takesBody(siteBytesMax, apply));
  app.openapi(exportRoute, context => {
    const { what } = context.req.valid('param');
    const filter = filterOf(context.req.valid('query'));
    if (what !== 'logs') {
      context.set('subject', `${what}${filter.with_photos ? ' with photos' : ''}`);
      // A program may take them page by page, all day long.
      context.set('isReadOften', true);
    }
    if (filter.with_photos && context.get('caller').role === 'viewer')
      return problem(context, 403, 'Not allowed', 'photos need the role staff') as never;
    const rows = admin.rows(what, { ...filter, signal: context.req.raw.signal });
    context.header('content-type', 'application/x-ndjson');
    return stream(context, async out => {
      let lines = '';
      for await (const row of rows) {
        if (out.aborted) return;
        lines += `${JSON.stringify(row)}\n`;
        if (lines.length < 64 << 10) continue;
        await out.write(lines);
        lines = '';
      }
      // The end mark tells a whole answer from one that was cut.
      await out.write(`${lines}\n`);
    }) as never;
  });
  app.openapi(logsRoute, async context => {
    const rows: Record<string, unknown>[] = [];
    for await (const row of admin.rows('logs', {
      ...filterOf(context.req.valid('query')),
      signal: context.req.raw.signal,
    })) {
      rows.push(row);
      if (rows.length === logPageRows) break;
    }
    return context.json({ rows, cursor: rows.at(-1)?.seq ?? context.req.valid('query').cursor ?? null }, 200);
  });
  serve(app, attendanceOperations, admin.attendance);
  more(app);
  serve(app, serviceOperations, admin.services);
  serve(app, grantOperations, admin.grants);
  serve(app, sessionOperations, admin.sessions);
  serve(app, userOperations, admin.users);
  serve(app, tokenOperations, admin.tokens);
  serve(app, auditOperations, admin.audit);
  serve(app, diskOperations, admin.disk);
  serve(app, provisionOperations, admin.provision);
  serve(app, setupOperations, admin.setup);
  serve(app, namingOperations, admin.naming);
  serve(app, deviceListOperations, admin.devices);
  serve(app, qrOperations, qrCodes(admin));
  serve(app, doctorOperations, admin.doctor);
  serve(app, updateOperations, admin.updates);
  serve(app, backupOperations, admin.backups);
  serve(app, parkedOperations, admin.parked);
  return app;
}

const filterOf = ({ cursor, ...rest }: z.infer<typeof filterQuery>): RowFilter => {
  const told = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return { ...told, ...(cursor === undefined ? {} : { after: cursor }) };
};
